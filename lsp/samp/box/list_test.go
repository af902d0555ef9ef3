package box

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// TestAnswerable checks that the few messages kept of an inbox answer the same person, and
// resolve a token to the same message, as the whole inbox would.
func TestAnswerable(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 3))
		home, now := t.TempDir(), int64(1_700_000_000)
		if err := os.Mkdir(filepath.Join(home, "mail"), 0o700); err != nil {
			t.Fatal(err)
		}
		times := []int64{now - 9, now - 1, now, now + samp.ClockError, now + samp.ClockError + 1, now + 1e9, math.MaxInt64}
		times = times[rng.IntN(5):]
		for from := range 3 {
			var log strings.Builder
			for i := range rng.IntN(8) {
				ts := times[rng.IntN(len(times))]
				log.WriteString(lineOf(t, ts, fmt.Sprint("a", from), "me", fmt.Sprint(i, strings.Repeat(" fill", 100))))
			}
			write(t, home, fmt.Sprint("a", from), log.String())
		}
		b := boxOf(home, "me")
		b.Now = func() time.Time { return time.Unix(now, 0) }
		d, err := b.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		whole, err := d.dir.Select(t.Context(), samp.V1, func(*samp.Found) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		part, err := d.Answerable(t.Context(), "me", "")
		if err != nil {
			t.Fatal(err)
		}
		want, tied := samp.ReplyTarget(whole.Messages, now)
		got, also := samp.ReplyTarget(part.Messages, now)
		if diff := cmp.Diff(want, got) + cmp.Diff(tied, also); diff != "" {
			t.Fatalf("seed %d:\n%s", seed, diff)
		}
		n := len(whole.Messages)
		if (len(part.Messages) == 0) != (n == 0) || n > 0 && part.Messages[len(part.Messages)-1] != whole.Messages[n-1] {
			t.Fatalf("seed %d: the newest is not among %d of %d", seed, len(part.Messages), n)
		}
		for i, m := range part.Messages {
			if ahead := samp.Ahead(m.TS, now); ahead && i+1 < len(part.Messages) || !ahead && m.TS != part.Messages[0].TS {
				t.Fatalf("seed %d: %d messages are kept", seed, len(part.Messages))
			}
		}
		for i := range whole.Messages {
			m := &whole.Messages[i]
			for _, token := range []string{m.Key, m.Key[:4], m.FullToken()} {
				part, err := d.Answerable(t.Context(), "me", token)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(samp.Matches(whole.Messages, token), samp.Matches(part.Messages, token)); diff != "" {
					t.Fatalf("seed %d, %s:\n%s", seed, token, diff)
				}
			}
		}
	}
}
