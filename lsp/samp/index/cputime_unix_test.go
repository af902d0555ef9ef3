//go:build unix

package index_test

import (
	"syscall"
	"time"
)

// cpuTime is what the process has computed so far, in all threads: on a machine
// with other work it says more than the clock.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
