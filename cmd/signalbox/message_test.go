package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

// FuzzAppendLine holds the short way for plain text to what render.Line does.
func FuzzAppendLine(f *testing.F) {
	for _, s := range []string{
		"", " ", "plain words", "two  spaces", "trailing ", " leading", "naïve", "\x1b[2J",
		strings.Repeat("x", 10), strings.Repeat("x", 11), strings.Repeat("x", 10) + " ", strings.Repeat("x", 10) + " y",
		strings.Repeat("x", 8) + " y z", strings.Repeat("x", 10) + "\x00", "aaaa bbbb cccc",
		strings.Repeat("é", 10), strings.Repeat("é", 11), "é\xc3", "\u00ad\u034f", "e\u0301 e\u0301",
	} {
		f.Add(s, 10)
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
			if got := string(appendFirst(nil, c.body)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// FuzzObject holds --json to one safe line that a JSON parser reads back.
func FuzzObject(f *testing.F) {
	for _, s := range []string{"", "plain", "é", "\u202e", "\x1b[2J", "\u0085\x7f", "\xff", "\ud7ff\U0001f600", "\u2028", strings.Repeat("aé\u202e", 9000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var out bytes.Buffer
		w := bufio.NewWriter(&out)
		o := object{w: w}
		o.text("s", s).number("n", -1).bool("b", true).list("l", []string{s, "x"}).end()
		w.Flush()
		line, ok := strings.CutSuffix(out.String(), "\n")
		if !ok || strings.Contains(line, "\n") || render.Text(line) != line {
			t.Fatalf("not one safe line: %q", out.String())
		}
		var back struct {
			S string
			N int
			B bool
			L []string
		}
		if err := json.Unmarshal([]byte(line), &back); err != nil {
			t.Fatalf("%v: %q", err, line)
		}
		if want := s; utf8.ValidString(s) && (back.S != want || back.L[0] != want || back.L[1] != "x" || back.N != -1 || !back.B) {
			t.Errorf("%q came back as %+v", s, back)
		}
	})
}

// FuzzWriteText holds a shown body to safe, indented lines.
func FuzzWriteText(f *testing.F) {
	for _, s := range []string{"", "a", "a\nb", "a\n\nb\n", "\n", "\x1b]0;x\a", strings.Repeat("line\n", 20000), strings.Repeat("é", 40000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var out bytes.Buffer
		w := bufio.NewWriter(&out)
		writeText(w, s, "  ")
		w.Flush()
		text := out.String()
		if render.Text(text) != text {
			t.Fatalf("unsafe: %q", text)
		}
		if text != "" && !strings.HasSuffix(text, "\n") {
			t.Fatalf("no line end: %q", text)
		}
		for line := range strings.Lines(text) {
			if line != "\n" && !strings.HasPrefix(line, "  ") {
				t.Fatalf("%q has a line without its indent", text)
			}
		}
	})
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

// TestPaint colours on a terminal alone, and not where NO_COLOR or a dumb
// terminal asks for none.
func TestPaint(t *testing.T) {
	for _, c := range []struct {
		name, flag string
		terminal   bool
		env        map[string]string
		want       bool
	}{
		{"terminal", "auto", true, nil, true},
		{"no terminal", "auto", false, nil, false},
		{"NO_COLOR", "auto", true, map[string]string{"NO_COLOR": "1"}, false},
		{"an empty NO_COLOR is none", "auto", true, map[string]string{"NO_COLOR": ""}, true},
		{"dumb", "auto", true, map[string]string{"TERM": "dumb"}, false},
		{"always", "always", false, map[string]string{"NO_COLOR": "1"}, true},
		{"never", "never", true, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := store.Env{Getenv: func(name string) string { return c.env[name] }}
			o := options{program: &program{env: env, terminal: c.terminal}, color: c.flag}
			if got := o.paint(); got.on != c.want {
				t.Errorf("got %v", got.on)
			}
		})
	}
}
