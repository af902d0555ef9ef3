//go:build unix

package hook

import "syscall"

// detached makes a process begin its own session, so that signals to the hook's session
// do not reach it.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
