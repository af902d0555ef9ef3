//go:build unix

package index_test

import (
	"syscall"
	"time"
)

// cpuTime returns the CPU time of the process in all threads. On a machine with other
// work it is a better measure than the clock.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
