//go:build !unix

package cli

import "os"

// IsUnseen reports whether nobody sees what is written to f. On this system a write to
// a closed stdout fails, which says so.
func IsUnseen(*os.File) bool { return false }

// TerminalID returns a number that the commands on one terminal have in common: the
// process that started them, which mostly is the shell.
func TerminalID() int { return os.Getppid() }
