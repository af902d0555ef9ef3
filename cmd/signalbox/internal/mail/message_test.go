package mail

import (
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// TestFirstLine is rule R5: what is not shown is announced.
func TestFirstLine(t *testing.T) {
	long := strings.Repeat("x", 200)
	for _, c := range []struct{ name, body, want string }{
		{"whole", "hi", "hi"},
		{"empty", "", "(empty)"},
		{"line end at the end", "hi\n", "hi"},
		{"one more", "hi\nthere", "hi (+1 line)"},
		{"windows", "hi\r\nthere\r\n", "hi (+1 line)"},
		{"blank lines count", "hi\n\n\nthere", "hi (+3 lines)"},
		{"blank first line", "\nsecond", " (+1 line)"},
		{"long", long, long[:79] + "…"},
		{"long and more", long + "\nmore\nmore", long[:79] + "… (+2 lines)"},
		{"other line ends", "a\vb\u2028c", "a (+2 lines)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := firstLine(c.body); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestOneWithID is rule P2: an id names one message, or is refused.
func TestOneWithID(t *testing.T) {
	found := func(from, key string) samp.Found {
		return samp.Found{Record: samp.Record{From: from}, Key: key}
	}
	messages := []samp.Found{found("a", "aaaa1"), found("b", "aaaa2"), found("c", "aaaa"), found("d", "bbbb")}
	for _, c := range []struct{ id, from, fails string }{
		{"bbbb", "d", ""},
		{"bb", "d", ""},
		{"aaaa1", "a", ""},
		{"aaaa", "c", ""},
		{"aaa", "", "the ids of 3 messages"},
		{"cccc", "", "no message"},
	} {
		t.Run(c.id, func(t *testing.T) {
			m, err := oneWithID(messages, c.id)
			switch {
			case c.fails != "":
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Errorf("got %v, %v", m, err)
				}
			case err != nil || m.From != c.from:
				t.Errorf("got %v, %v", m, err)
			}
		})
	}
}
