package session

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGrow holds that a list to which sessions were added as they went on is the list of
// whoever looks at everything now.
func TestGrow(t *testing.T) {
	b := newFixture(t)
	const n = 6
	for i := range n {
		b.write(meta(i, b.path("p"))+says(i, "begun"), rollout(i))
	}
	l := b.follow("p")
	rng := rand.New(rand.NewPCG(1, 2))
	for step := range 60 {
		i := rng.IntN(n)
		_, err := os.Stat(b.path(rollout(i)))
		want := []string{"codex " + id(i)}
		l.changed()
		switch kind := rng.IntN(10); {
		case err != nil:
			b.write(meta(i, b.path("p"))+says(step, "anew"), rollout(i))
		case kind == 0:
			b.ok(os.Remove(b.path(rollout(i))))
		case kind == 1: // nobody says anything in it any more
			b.write(meta(i, b.path("p")), rollout(i))
		case kind == 2: // two at once
			other := (i + 1) % n
			if _, err := os.Stat(b.path(rollout(other))); err == nil {
				b.add(says(rng.IntN(1000), "both"), rollout(other))
				want = append(want, "codex "+id(other))
			}
			fallthrough
		default:
			b.add(says(rng.IntN(1000), fmt.Sprint("word ", step)), rollout(i))
		}
		slices.Sort(want)
		if got := l.changed(); !slices.Equal(got, want) {
			t.Errorf("step %d: %q changed, not %q", step, got, want)
		}
		now, fresh := l.live.Snapshot(), b.scan("p")
		show := func(s *Snapshot) (list []string) {
			for _, it := range s.Items {
				list = append(list, fmt.Sprint(it.Name, it.Size, it.Updated, it.Last, it.Prompt, s.Item(it.Key()) == it))
			}
			return list
		}
		if diff := cmp.Diff(show(fresh), show(now)); diff != "" {
			t.Fatalf("step %d: -scanned +followed\n%s", step, diff)
		}
		if len(now.keys) != len(now.Items) {
			t.Errorf("step %d: %d sessions have a name, of %d", step, len(now.keys), len(now.Items))
		}
	}
}
