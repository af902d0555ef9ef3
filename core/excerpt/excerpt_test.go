package excerpt_test

import (
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/excerpt"
)

func TestExcerpt(t *testing.T) {
	a79, a80 := strings.Repeat("a", 79), strings.Repeat("a", 80)
	for _, c := range []struct{ name, in, quoted, clipped string }{
		{"nothing", "", `""`, ""},
		{"short", "a\x1b[2J\"", `"a\x1b[2J\""`, "a\x1b[2J\""},
		{"as much as is shown", a80, `"` + a80 + `"`, a80},
		{"one byte more", a80 + "b", `"` + a80 + `"…`, a80 + "…"},
		{"a character across the end", a79 + "éx", `"` + a79 + `"…`, a79 + "…"},
		{"no UTF-8", "\xff", `"\xff"`, "\xff"},
		{"a long one of no characters", strings.Repeat("\x80", 200), `""…`, "…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := excerpt.Quote(c.in); got != c.quoted {
				t.Errorf("quoted %s, want %s", got, c.quoted)
			}
			if got := excerpt.Clip(c.in); got != c.clipped {
				t.Errorf("clipped %q, want %q", got, c.clipped)
			}
			if got, want := excerpt.Head(c.in, excerpt.Most), strings.TrimSuffix(c.clipped, "…"); got != want {
				t.Errorf("the head is %q, want %q", got, want)
			}
		})
	}
}
