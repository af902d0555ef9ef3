package mail

import (
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// FuzzAppendLine holds the short way for plain text to what render.Line does.
func FuzzAppendLine(f *testing.F) {
	for _, s := range []string{
		"", " ", "plain words", "two  spaces", "trailing ", " leading", "naïve", "\x1b[2J",
		strings.Repeat("x", 10), strings.Repeat("x", 11), strings.Repeat("x", 10) + " ", strings.Repeat("x", 10) + " y",
		strings.Repeat("x", 8) + " y z", strings.Repeat("x", 10) + "\x00", "aaaa bbbb cccc",
		strings.Repeat("é", 10), strings.Repeat("é", 11), "é\xc3", "\u00ad\u034f", "e\u0301 e\u0301",
		"plain words, and more of them than fit into 8 bytes", "1234567  12345678", "12345678  9", "1234567 8 12345678 ", "12345678\x7f23456\x1f78", "0\xff000000",
	} {
		f.Add(s, 10)
		f.Add(s, 40)
	}
	f.Fuzz(func(t *testing.T, s string, most int) {
		if most < 2 || most > 1000 {
			return
		}
		want, _ := render.Line(s, most)
		if got := string(appendLine(nil, s, most)); got != want {
			t.Errorf("appendLine(%q, %d) = %q, want %q", s, most, got, want)
		}
	})
}

// TestFirst is rule R5: what is not shown is announced.
func TestFirst(t *testing.T) {
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
			if got := string(appendFirst(nil, c.body, maxFirst)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestTime: rows of one hour share what was formatted, also where a clock is put forward or
// back, or is not a whole number of hours ahead.
func TestTime(t *testing.T) {
	local := time.Local
	defer func() { time.Local = local }()
	for _, zone := range []string{"UTC", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe"} {
		var err error
		if time.Local, err = time.LoadLocation(zone); err != nil {
			t.Fatal(err)
		}
		p := printer{year: 2026}
		for begin := int64(-100_000); begin < 2_000_000_000; begin += 7 * 86_400 {
			for ts := begin; ts < begin+20_000; ts += 997 {
				layout := "2006-01-02 15:04"
				if time.Unix(ts, 0).Year() == 2026 {
					layout = "01-02 15:04"
				}
				if got, want := string(p.time(ts)), time.Unix(ts, 0).Format(layout); got != want {
					t.Fatalf("%s: %d: %s, want %s", zone, ts, got, want)
				}
			}
		}
	}
}

// TestOneWithID is rule P2: an id names one message, or is refused.
func TestOneWithID(t *testing.T) {
	found := func(from, key string) samp.Found {
		return samp.Found{Record: samp.Record{From: from}, Key: key}
	}
	messages := []samp.Found{found("a", "aaaa1"), found("b", "aaaa2"), found("c", "aaaa"), found("d", "bbbb"), found("d", "copied"), found("e", "copied")}
	for _, c := range []struct{ id, from, fails string }{
		{"bbbb", "d", ""},
		{"bb", "d", ""},
		{"aaaa1", "a", ""},
		{"aaaa", "c", ""},
		{"aaa", "", "the ids of 3 messages"},
		{"copied", "", "  d:copied  ("},
		{"d:copied", "d", ""},
		{"e:cop", "e", ""},
		{"a:copied", "", "no message"},
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
