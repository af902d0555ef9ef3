package disk

import (
	"math/rand/v2"
	"time"
)

// maxBusy is how long a rename is repeated while another program has the file open.
const maxBusy = 2 * time.Second

// retryBusy renames a file by calling do, and repeats it while busy accepts the error, for at
// most [maxBusy]. Windows refuses to replace a file that another program has open without
// sharing it for deletion, as editors, virus scanners and scripts in other languages do for
// moments. sleep is [time.Sleep], except in tests.
func retryBusy(do func() error, busy func(error) bool, sleep func(time.Duration)) error {
	const first, last = time.Millisecond, 100 * time.Millisecond
	wait, waited := first, time.Duration(0)
	for {
		err := do()
		if err == nil || !busy(err) || waited >= maxBusy {
			return err
		}
		pause := wait/2 + rand.N(wait)
		sleep(pause)
		waited += pause
		wait = min(2*wait, last)
	}
}
