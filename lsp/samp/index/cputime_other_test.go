//go:build !unix

package index_test

import "time"

// cpuTime returns 0, since the CPU time is unknown.
func cpuTime() time.Duration { return 0 }
