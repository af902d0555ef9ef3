package disk

import (
	"math/rand/v2"
	"time"
)

// maxBusy is how long a rename is tried again while another program keeps the file open.
const maxBusy = 2 * time.Second

// insist renames by do. Windows refuses to replace a file that another program has open
// without leave to delete it, as editors, virus scanners and scripts in other languages do
// for moments; so it is tried again as long as busy says that this is why. sleep is
// [time.Sleep], but in tests.
func insist(do func() error, busy func(error) bool, sleep func(time.Duration)) error {
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
