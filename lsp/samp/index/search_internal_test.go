package index

import (
	"fmt"
	"testing"

	"github.com/signalbox-dev/signalbox/core/query"
)

// TestLineFilterLearns holds that the rarest word comes first, once lines were searched, and
// stays there.
func TestLineFilterLearns(t *testing.T) {
	q := query.Parse(`"the build is on fire"`, query.Calendar{})
	s := newLineFilter(q.Words(), nil)
	first := func() string {
		for _, w := range []string{"build", "fire", "the", "is", "on"} {
			if s.words[0].Is(w) {
				return w
			}
		}
		return "the phrase"
	}
	was := first()
	look := func(body string) {
		for i := range 4 * learnAfter {
			raw := fmt.Appendf(nil, `{"body":"%s %d"}`, body, i)
			s.first.Reset(raw)
			if s.first.Next(0) >= 0 && s.mayMatch(raw) {
				t.Fatalf("%s may hold the phrase", raw)
			}
			s.learn(1)
		}
	}
	look("the fire is on")
	if first() != was {
		t.Errorf("%s comes first, %s was met nowhere", first(), was)
	}
	look("the build is on")
	if first() != "fire" {
		t.Errorf("%s comes first, and fire was met nowhere", first())
	}
	look("the build is fire") // as often, and then no reason to take turns
	if first() != "on" {
		t.Errorf("%s comes first, and on was met nowhere", first())
	}
}
