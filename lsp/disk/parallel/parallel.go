// Package parallel divides work among all processors. Start with [Do].
package parallel

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Do calls the work function for all numbers below n, on all processors. worker returns the
// work function of one goroutine. An error ends its goroutine, and the first one is returned,
// unless ctx has ended.
func Do(ctx context.Context, n int, worker func() func(i int) error) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	var once sync.Once
	var failed error
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			work := worker()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := work(i); err != nil {
					once.Do(func() { failed = err })
					return
				}
			}
		})
	}
	wg.Wait()
	return cmp.Or(ctx.Err(), failed)
}
