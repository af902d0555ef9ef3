package activity

import (
	"cmp"
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
			return Process{PID: pid, Start: p.start, Terminal: p.terminal}
		}
		pid = p.parent
	}
	return Process{}
}

// Self returns the calling process.
func Self() Process {
	p, _ := look(os.Getpid())
	return Process{PID: os.Getpid(), Start: p.start}
}

// Runs reports whether the process is known and runs, in its terminal if it had one.
func (p Process) Runs() bool { return p.PID > 0 && p.runs() }

// Ancestor is a process that runs another one.
type Ancestor struct {
	Process
	// Name is the program's, as the system has it: perhaps cut, on Windows with ".exe".
	Name string
}

// Above returns what runs the calling process, nearest first, at most that many.
func Above(most int) (list []Ancestor) {
	chains := make(Chains)
	for _, pid := range chains.above(os.Getppid(), most) {
		at := chains[pid]
		list = append(list, Ancestor{Process{PID: pid, Start: at.start}, at.name})
	}
	return list
}

// Program is a process that runs in a terminal.
type Program struct {
	// Folder is where it runs, or empty if the system does not tell.
	Folder string
	// Args are its arguments, with a NUL behind each.
	Args string
}

// called reports whether a process has a program's name, or that name and what a release adds
// for its system.
func called(process, program string) bool {
	return process == program || strings.HasPrefix(process, program+"-")
}

// Arguments returns the arguments of the process, with a NUL behind each, or nothing where
// they cannot be told.
func (p Process) Arguments() string {
	if p.PID <= 0 {
		return ""
	}
	return arguments(p.PID)
}

// Is reports whether the process runs, and is of a program by its name or its arguments.
func (p Process) Is(program string) bool {
	at, ok := look(p.PID)
	return ok && (strings.Contains(at.name, program) || strings.Contains(arguments(p.PID), program))
}

// process is what the system tells of a process.
type process struct {
	name   string
	parent int
	// start is when it started, and terminal what it runs in, if anything, in the system's own
	// words.
	start, terminal string
}

// Chains finds what runs a process. It asks the system once for each process, so that
// it is for one moment.
type Chains map[int]process

// Of returns the process, then what runs it, nearest first, at most that many. It is
// empty if the process is not known or has ended.
func (c Chains) Of(p Process, most int) []int {
	if p.PID <= 0 || !p.runs() {
		return nil
	}
	return c.above(p.PID, most)
}

// above returns a process and what runs it. Windows keeps the number of a parent that has
// ended, and another process may have that number now: it started after its child.
func (c Chains) above(pid, most int) (pids []int) {
	var child process
	for pid > 0 && len(pids) < most && !slices.Contains(pids, pid) {
		at, known := c[pid]
		if !known {
			at, _ = look(pid) // zero for a process that tells nothing: the chain ends there
			c[pid] = at
		}
		if at.startedAfter(&child) {
			break
		}
		pids, pid, child = append(pids, pid), at.parent, at
	}
	return pids
}

// startedAfter compares the starts of two processes. It is false if either is not known.
// The systems' own words are decimal numbers without leading zeros, and on macOS a fraction
// of six digits: the longer one is later.
func (p *process) startedAfter(o *process) bool {
	if p.start == "" || o.start == "" {
		return false
	}
	return cmp.Or(cmp.Compare(len(p.start), len(o.start)), strings.Compare(p.start, o.start)) > 0
}

// runs reports whether the process may still run, in its terminal if it had one. It is true
// for one that is not known.
func (p Process) runs() bool {
	if p.PID <= 0 {
		return true
	}
	now, ok := look(p.PID)
	return ok && (p.Start == "" || now.start == p.Start) && (p.Terminal == "" || now.terminal != "")
}
