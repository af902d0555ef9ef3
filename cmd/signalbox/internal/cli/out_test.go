package cli

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// FuzzWriteText holds a shown body to safe, indented lines.
func FuzzWriteText(f *testing.F) {
	for _, s := range []string{"", "a", "a\nb", "a\n\nb\n", "\n", "\x1b]0;x\a", strings.Repeat("line\n", 20000), strings.Repeat("é", 40000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var out bytes.Buffer
		w := bufio.NewWriter(&out)
		WriteText(w, s, "  ")
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
			env := environ.Env{Getenv: func(name string) string { return c.env[name] }}
			o := Options{Program: &Program{Env: env, Terminal: c.terminal}, Color: c.flag}
			if got := o.Paint(); got.On != c.want {
				t.Errorf("got %v", got.On)
			}
		})
	}
}

// TestWriteWrapped breaks prose between words on a terminal, and nowhere else.
func TestWriteWrapped(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		columns int
		want    string
	}{
		"a pipe":             {"one two three", 0, "  one two three\n"},
		"a terminal":         {"one two three", 9, "  one two\n  three\n"},
		"its own lines stay": {"one\n\ntwo three\n", 9, "  one\n\n  two\n  three\n"},
		"a long word":        {"a-very-long-word b", 9, "  a-very-long-word\n  b\n"},
		"nothing":            {"", 9, ""},
		"made safe":          {"a\x1b[2J b", 40, "  a⟨U+001B⟩[2J b\n"},
	} {
		var b strings.Builder
		w := bufio.NewWriter(&b)
		WriteWrapped(w, c.text, "  ", c.columns)
		w.Flush()
		if b.String() != c.want {
			t.Errorf("%s: %q, want %q", name, b.String(), c.want)
		}
	}
}
