//go:build !unix

package cli

import "os"

// IsUnseen returns false: on this system a write to a closed stdout fails.
func IsUnseen(*os.File) bool { return false }

// TerminalID returns a number that the commands on one terminal have in common: the id
// of their parent process, usually the shell.
func TerminalID() int { return os.Getppid() }
