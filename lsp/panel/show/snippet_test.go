package show_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

func TestSnippet(t *testing.T) {
	words := []needle.Needle{needle.New("red"), needle.New("is red"), needle.New("x")}
	if _, _, _, marks := show.Snippet(words, "\U0001F600 it is RED, red"); fmt.Sprint(marks) != "[[6 6] [14 3]]" {
		t.Error(marks)
	}
	long := "a text that goes on for quite a while on the same line before it comes to "
	for _, c := range []struct{ text, before, line, after string }{
		{"none in it", "", "none in it", ""},
		{"none\nin it", "", "none in it", ""},
		{"red", "", "red", ""},
		{"one\ntwo\n\n \tis  red \u202e\r\n\n  four\nfive", "two", "is red ⟨U+202E⟩", "four"},
		{"it is\nred\nnow", "", "it is red", "now"},
		{long + "\nthe red\n" + long, strings.TrimSpace(long), "the red", strings.TrimSpace(long)},
		{"first\n" + long + "the red", "first", "…while on the same line before it comes to the red", ""},
		{strings.Repeat("x", 300) + "\nred", strings.Repeat("x", 199) + "…", "red", ""},
	} {
		before, line, after, marks := show.Snippet(words[:2], "", "none of them", c.text)
		if line == "none of them" {
			before, line, after, marks = show.Snippet(words[:2], "", c.text)
		}
		if before != c.before || line != c.line || after != c.after || marks == nil || (len(marks) > 0) != strings.Contains(c.text, "red") {
			t.Errorf("%q: %q, %q, %q, %v", c.text, before, line, after, marks)
		}
	}
}
