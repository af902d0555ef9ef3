//go:build !unix

package hook

import "syscall"

// alone is not needed where Codex has no socket.
func alone() *syscall.SysProcAttr { return nil }
