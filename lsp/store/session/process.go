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

// Chains finds what runs a process. It asks the system once for each process, so that
// it is for one moment.
type Chains map[int]process

// Of returns the process, then what runs it, nearest first, at most that many. It is
// empty if the process is not known or has ended.
func (c Chains) Of(p Process, most int) (pids []int) {
	if p.PID <= 0 || !p.runs() {
		return nil
	}
	for pid := p.PID; pid > 0 && len(pids) < most && !slices.Contains(pids, pid); {
		at, known := c[pid]
		if !known {
			at, _ = look(pid) // zero for a process that tells nothing: the chain ends there
			c[pid] = at
		}
		pids = append(pids, pid)
		pid = at.parent
	}
	return pids
}

// runs reports whether the process may still run. It is true for one that is not known.
func (p Process) runs() bool {
	if p.PID <= 0 {
		return true
	}
	now, ok := look(p.PID)
	return ok && (p.Start == "" || now.start == p.Start)
}
