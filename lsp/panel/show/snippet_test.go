package show_test

import (
	"fmt"
	"testing"

	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

func TestSnippet(t *testing.T) {
	words := []needle.Needle{needle.New("red"), needle.New("is red"), needle.New("x")}
	if _, marks := show.Snippet(words, "\U0001F600 it is RED, red"); fmt.Sprint(marks) != "[[6 6] [14 3]]" {
		t.Error(marks)
	}
	line, marks := show.Snippet(words[:1], "", "first text", "second text that goes on for quite a while before it comes to\nthe word red \u202e, and on")
	if line != "…for quite a while before it comes to the word red ⟨U+202E⟩, and on" {
		t.Errorf("%q", line)
	}
	if len(marks) != 1 || line[marks[0][0]+2:][:3] != "red" {
		t.Error(marks)
	}
	line, marks = show.Snippet(words[:1], "", "none in it")
	if line != "none in it" || len(marks) != 0 || marks == nil {
		t.Errorf("%q %v", line, marks)
	}
}
