package disk

import (
	"errors"
	"testing"
	"time"
)

// TestRetryBusy renames as on Windows, where other programs are in the way for moments.
func TestRetryBusy(t *testing.T) {
	held, gone := errors.New("held"), errors.New("gone")
	for name, c := range map[string]struct {
		answers []error // the last one stays
		want    error
		tries   int // 0 for as many as there is time for
	}{
		"at once":            {[]error{nil}, nil, 1},
		"after two moments":  {[]error{held, held, nil}, nil, 3},
		"for another reason": {[]error{gone}, gone, 1},
		"then another one":   {[]error{held, gone}, gone, 2},
		"for ever":           {[]error{held}, held, 0},
	} {
		t.Run(name, func(t *testing.T) {
			tries, slept := 0, time.Duration(0)
			err := retryBusy(func() error {
				tries++
				return c.answers[min(tries, len(c.answers))-1]
			}, func(err error) bool { return errors.Is(err, held) }, func(d time.Duration) { slept += d })
			if !errors.Is(err, c.want) || c.tries != 0 && tries != c.tries {
				t.Errorf("%v after %d tries, want %v after %d", err, tries, c.want, c.tries)
			}
			if slept > maxBusy+time.Second || c.tries == 0 && slept < maxBusy {
				t.Errorf("it waited %v", slept)
			}
		})
	}
}
