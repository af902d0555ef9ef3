//go:build !unix

package hook

import "syscall"

// detached returns nil: it is not needed on systems where Codex has no socket.
func detached() *syscall.SysProcAttr { return nil }
