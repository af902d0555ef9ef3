package session

import (
	"os"
	"slices"
	"strings"
)

// shells are programs by which clients run hooks. They end with the hook.
var shells = []string{"sh", "bash", "dash", "zsh", "fish", "ash", "ksh", "busybox", "cmd.exe", "powershell.exe", "pwsh", "pwsh.exe", "env", "timeout"}

// maxShells is how many shells may stand between a client and its hook.
const maxShells = 4

// Caller returns the process that runs the calling one as its hook, past the shells
// between them. It is zero if that cannot be told.
func Caller() Process {
	pid := os.Getppid()
	for range maxShells {
		p, ok := look(pid)
		if !ok {
			return Process{}
		}
		if !slices.Contains(shells, strings.TrimPrefix(p.name, "-")) {
			return Process{PID: pid, Start: p.start}
		}
		pid = p.parent
	}
	return Process{}
}

// process is what the system tells of a process.
type process struct {
	name   string
	parent int
	// start is when it started, in the system's own words.
	start string
}

// runs reports whether the process may still run. It is true for one that is not known.
func (p Process) runs() bool {
	if p.PID <= 0 {
		return true
	}
	now, ok := look(p.PID)
	return ok && (p.Start == "" || now.start == p.Start)
}
