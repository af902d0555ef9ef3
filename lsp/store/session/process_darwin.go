package session

import (
	"fmt"

	"golang.org/x/sys/unix"
)

func look(pid int) (process, bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(info.Proc.P_pid) != pid {
		return process{}, false
	}
	start := info.Proc.P_starttime
	return process{
		name: unix.ByteSliceToString(info.Proc.P_comm[:]), parent: int(info.Eproc.Ppid),
		start: fmt.Sprintf("%d.%06d", start.Sec, start.Usec),
	}, true
}
