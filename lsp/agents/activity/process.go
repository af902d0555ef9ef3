package activity

import (
	"cmp"
	"os"
	"slices"
	"strings"
)

// shells lists the programs through which clients run hooks. They end with the hook.
var shells = []string{"sh", "bash", "dash", "zsh", "fish", "ash", "ksh", "busybox", "cmd.exe", "powershell.exe", "pwsh", "pwsh.exe", "env", "timeout"}

// maxShells is how many shells may be between a client and its hook.
const maxShells = 4

// Caller returns the client that runs the calling process as its hook, skipping the shells between
// them. It is zero if the client cannot be found.
func Caller() Process {
	pid := os.Getppid()
	for range maxShells {
		p, ok := inspect(pid)
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
	p, _ := inspect(os.Getpid())
	return Process{PID: os.Getpid(), Start: p.start}
}

// Runs reports whether the process is known and still runs, and still has its terminal if it had
// one.
func (p Process) Runs() bool { return p.PID > 0 && p.runs() }

// Ancestor is a process that runs another one.
type Ancestor struct {
	Process
	// Name is the program's name as the system reports it: perhaps cut, and with ".exe" on Windows.
	Name string
}

// Ancestors returns at most that many ancestors of the calling process, nearest first.
func Ancestors(most int) (list []Ancestor) {
	chains := make(Chains)
	for _, pid := range chains.chain(os.Getppid(), most) {
		at := chains[pid]
		list = append(list, Ancestor{Process{PID: pid, Start: at.start}, at.name})
	}
	return list
}

// Program is a process that runs in a terminal.
type Program struct {
	// Folder is where the process runs, or empty if the system does not report it.
	Folder string
	// Args are its arguments, each followed by a NUL.
	Args string
}

// called reports whether a process has a program's name, with or without the suffix that a release
// adds for its system.
func called(process, program string) bool {
	return process == program || strings.HasPrefix(process, program+"-")
}

// Arguments returns the arguments of the process, each followed by a NUL. It is empty if they are
// not known.
func (p Process) Arguments() string {
	if p.PID <= 0 {
		return ""
	}
	return arguments(p.PID)
}

// Is reports whether the process runs and its name or arguments contain a program's name.
func (p Process) Is(program string) bool {
	at, ok := inspect(p.PID)
	return ok && (strings.Contains(at.name, program) || strings.Contains(arguments(p.PID), program))
}

// process is what the system reports about a process.
type process struct {
	name   string
	parent int
	// start is when it started, and terminal the terminal it runs in, if any. Both are in the
	// system's own format.
	start, terminal string
}

// Chains finds the ancestors of processes. It caches what the system reports about each process,
// so it is valid only for one moment.
type Chains map[int]process

// Of returns the process and its ancestors, nearest first, at most that many in all. It is empty if
// the process is not known or has ended.
func (c Chains) Of(p Process, most int) []int {
	if p.PID <= 0 || !p.runs() {
		return nil
	}
	return c.chain(p.PID, most)
}

// chain returns a process and its ancestors. Windows keeps the number of a parent that has ended,
// and another process may have that number now. Such a process started after its supposed child.
func (c Chains) chain(pid, most int) (pids []int) {
	var child process
	for pid > 0 && len(pids) < most && !slices.Contains(pids, pid) {
		at, known := c[pid]
		if !known {
			at, _ = inspect(pid) // zero if the process cannot be read: the chain ends there
			c[pid] = at
		}
		if at.startedAfter(&child) {
			break
		}
		pids, pid, child = append(pids, pid), at.parent, at
	}
	return pids
}

// startedAfter reports whether the process started after another one. It is false if either start
// is not known. The systems' formats are decimal numbers without leading zeros, on macOS with a
// fraction of six digits, so a longer text is later.
func (p *process) startedAfter(o *process) bool {
	if p.start == "" || o.start == "" {
		return false
	}
	return cmp.Or(cmp.Compare(len(p.start), len(o.start)), strings.Compare(p.start, o.start)) > 0
}

// runs reports whether the process may still run, with its terminal if it had one. It is true for
// a process that is not known.
func (p Process) runs() bool {
	if p.PID <= 0 {
		return true
	}
	now, ok := inspect(p.PID)
	return ok && (p.Start == "" || now.start == p.Start) && (p.Terminal == "" || now.terminal != "")
}
