//go:build unix

package hook

import "syscall"

// alone has a process begin a session of its own: what ends the hook's leaves it.
func alone() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
