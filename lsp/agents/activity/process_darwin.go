package activity

import (
	"fmt"
	"strconv"

	"golang.org/x/sys/unix"
)

func inspect(pid int) (process, bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(info.Proc.P_pid) != pid {
		return process{}, false
	}
	start := info.Proc.P_starttime
	p := process{
		name: unix.ByteSliceToString(info.Proc.P_comm[:]), parent: int(info.Eproc.Ppid),
		start: fmt.Sprintf("%d.%06d", start.Sec, start.Usec),
	}
	if info.Eproc.Tdev != noTerminal {
		p.terminal = strconv.Itoa(int(info.Eproc.Tdev))
	}
	return p, true
}

// noTerminal is the device of a process without a terminal.
const noTerminal = -1

// Programs returns the processes with a name that run in a terminal. ok is false if they cannot be
// listed. Their folders are empty, since the system does not report them to us.
func Programs(name string) (list []Program, ok bool) {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	for i := range all {
		if p := &all[i]; called(unix.ByteSliceToString(p.Proc.P_comm[:]), name) && p.Eproc.Tdev != noTerminal {
			list = append(list, Program{Args: arguments(int(p.Proc.P_pid))})
		}
	}
	return list, err == nil
}

// arguments returns a process's arguments and environment variables, each followed by a NUL.
func arguments(pid int) string {
	data, _ := unix.SysctlRaw("kern.procargs2", pid)
	return string(data)
}
