package mail_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/mail"
)

// TestOptions reads the options of messages, and of texts that only look alike.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		name, text, question string
		options              []string
	}{
		{"two", "Which licence?\n\n- [ ] MIT\n- [ ] Apache 2.0", "Which licence?", []string{"MIT", "Apache 2.0"}},
		{"blank ends", "Q\n\n- [ ] a \n- [ ] b\n\n", "Q", []string{"a", "b"}},
		{"lines of Windows", "Q\r\n\r\n- [ ] a\r\n- [ ] b\r\n", "Q", []string{"a", "b"}},
		{"no question", "- [ ] a\n- [ ] b", "", []string{"a", "b"}},
		{"one", "Q\n\n- [ ] a", "Q\n\n- [ ] a", nil},
		{"none", "Q", "Q", nil},
		{"empty", "", "", nil},
		{"a list in the middle", "- [ ] a\n- [ ] b\nthat was it", "- [ ] a\n- [ ] b\nthat was it", nil},
		{"a checked item above", "Todo:\n- [x] a\n- [ ] b\n- [ ] c", "Todo:\n- [x] a", []string{"b", "c"}},
		{"twice", "Q\n- [ ] a\n- [ ] a", "Q\n- [ ] a\n- [ ] a", nil},
		{"an empty item", "Q\n- [ ] a\n- [ ]  ", "Q\n- [ ] a\n- [ ]  ", nil},
		{"too long", "Q\n- [ ] b\n- [ ] " + strings.Repeat("x", mail.MaxOption+1), "Q\n- [ ] b\n- [ ] " + strings.Repeat("x", mail.MaxOption+1), nil},
		{"too many", "Q" + many(mail.MaxOptions+1), "Q" + many(mail.MaxOptions+1), nil},
		{"no UTF-8", "Q\n- [ ] a\n- [ ] \xff", "Q\n- [ ] a\n- [ ] \xff", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			question, options := mail.Options(c.text)
			if diff := cmp.Diff(c.options, options); diff != "" || question != c.question {
				t.Errorf("question %q, options %s", question, diff)
			}
		})
	}
}

func many(n int) string {
	text := "\n"
	for i := range n {
		text += "\n- [ ] " + strings.Repeat("o", i+1)
	}
	return text
}

// TestWithOptions refuses options that no reader could give back.
func TestWithOptions(t *testing.T) {
	for _, c := range []struct {
		name    string
		options []string
		want    string
		fault   string
	}{
		{"none", nil, "Q?", ""},
		{"two", []string{"MIT", "[ ] odd"}, "Q?\n\n- [ ] MIT\n- [ ] [ ] odd", ""},
		{"no UTF-8", []string{"a", "\xff"}, "", "option 2: it is not valid UTF-8"},
		{"one", []string{"a"}, "", "a question has 2 to 12 options, not 1"},
		{"two lines", []string{"a", "b\nc"}, "", "option 2: it must be one line without blanks at its ends"},
		{"blank", []string{" ", "b"}, "", "option 1: it is empty"},
		{"twice", []string{"a", "a"}, "", `option 2 stands twice: "a"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := mail.WithOptions("Q?", c.options)
			fault := ""
			if err != nil {
				fault = err.Error()
			}
			if got != c.want || fault != c.fault {
				t.Errorf("%q, %q", got, fault)
			}
		})
	}
}

// TestAsked checks which texts ask.
func TestAsked(t *testing.T) {
	line := strings.Repeat("long-", 10_000)
	long := strings.Repeat("some words of a long report\n", 1000)
	for _, c := range []struct {
		name, text string
		line       string // of what asks, or "" for what does not
		options    []string
		urgent     bool
	}{
		{"question", "Merge now?", "Merge now?", nil, false},
		{"full width", "もう一度？", "もう一度？", nil, false},
		{"arabic", "هل ندمج؟", "هل ندمج؟", nil, false},
		{"statement", "Merged. Was that right? Yes.", "", nil, false},
		{"empty", "", "", nil, false},
		{"alone", "?", "?", nil, false},
		{"last of several lines", "The build is red.\n\nRevert it?\n\n", "Revert it?", nil, false},
		{"a statement after it", "Revert it?\nI wait.", "", nil, false},
		{"a rule after it", "Revert it?\n\n---\n", "Revert it?", nil, false},
		{"bold", "**Revert it?**", "**Revert it?**", nil, false},
		{"in brackets", "I wait (or shall I go on?)", "I wait (or shall I go on?)", nil, false},
		{"in code", "run `which go?`", "", nil, false},
		{"lines of Windows", "Revert it?\r\n\r\n", "Revert it?", nil, false},
		{"options", "Which licence\n\n- [ ] MIT\n- [ ] BSD", "Which licence", []string{"MIT", "BSD"}, false},
		{"options alone", "- [ ] MIT\n- [ ] BSD", "", []string{"MIT", "BSD"}, false},
		{"one item is no option", "To do\n- [ ] MIT", "", nil, false},
		{"quote", "> Revert it?", "", nil, false},
		{"answer above a quote", "Yes.\n\n> Revert it?", "", nil, false},
		{"question above a quote", "Really?\n\n> Revert it.", "Really?", nil, false},
		{"fence", "Done:\n```\nwhat?\n```", "", nil, false},
		{"open fence", "Done:\n```\nwhat?", "", nil, false},
		{"question above a fence", "Like this?\n```go\nx := 1\n```\n", "Like this?", nil, false},
		{"question below a fence", "```go\nx := 1\n```\nLike this?", "Like this?", nil, false},
		{"fence in a fence", "````\n```\n````\nLike this?", "Like this?", nil, false},
		{"tildes", "~~~ text\n```\nwhat?\n~~~\nDone.", "", nil, false},
		{"backticks in a line are no fence", "```a``` or what?", "```a``` or what?", nil, false},
		{"long", long + "Go on?", "Go on?", nil, false},
		{"long and a statement", "Go on?\n" + long, "", nil, false},
		{"long code", "```\n" + long + "```\nGo on?", "Go on?", nil, false},
		{"in long code", "Done\n```\n" + long + "what?\n```\n", "", nil, false},
		{"a long line", line + "?", line[len(line)+1-16<<10:] + "?", nil, false},
		{"urgent", "URGENT: stop?", "URGENT: stop?", nil, true},
		{"urgent options", "Urgent: which\n\n- [ ] a\n- [ ] b", "Urgent: which", []string{"a", "b"}, true},
		{"not urgent", "It is urgent: stop?", "It is urgent: stop?", nil, false},
		{"urgent statement", "Urgent: stop.", "", nil, false},
		{"no UTF-8", "\xff?\xff", "", nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, asks := mail.Asked(c.text)
			if want := c.line != "" || c.options != nil; asks != want || q.Line != c.line || q.Urgent != c.urgent {
				t.Errorf("asks %v, urgent %v, line %q", asks, q.Urgent, q.Line)
			}
			if diff := cmp.Diff(c.options, q.Options); diff != "" {
				t.Error(diff)
			}
			if text, _ := mail.Options(c.text); asks && q.Text != text {
				t.Errorf("text %q", q.Text)
			}
		})
	}
}

// FuzzAsked checks the parts of any question, and that options can be added to it.
func FuzzAsked(f *testing.F) {
	for _, seed := range []string{
		"", "?", "Q？", "Urgent: Q\n\n- [ ] a\n- [ ] b", "> Q?\n", "```\nQ?\n```", "~~~\nQ?", "Q?\r\n\r\n---", "\xff?*",
		strings.Repeat("x\n", 10<<10) + "```\nQ?",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, asks := mail.Asked(text)
		if !asks {
			if q.Line != "" || q.Text != "" || q.Options != nil || q.Urgent {
				t.Errorf("asks nothing, and is %+v", q)
			}
			return
		}
		if !strings.HasPrefix(text, q.Text) || !strings.Contains(q.Text, q.Line) || len(q.Options) == 0 && q.Line == "" {
			t.Errorf("%q asks %+v", text, q)
		}
		again, err := mail.WithOptions(q.Text, []string{"yes", "no"})
		if err != nil {
			t.Fatal(err)
		}
		if q, asks := mail.Asked(again); !asks || len(q.Options) < 2 {
			t.Errorf("%q asks %+v", again, q)
		}
	})
}

func BenchmarkAsked(b *testing.B) {
	for name, text := range map[string]string{
		"short": strings.Repeat("the build is red again after the merge, ", 4), "question": "The build is red.\n\nRevert it?",
		"long": strings.Repeat("is the build red? it is\n", 4000),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				mail.Asked(text)
			}
		})
	}
}

// FuzzOptions checks that options that were found can be written, and are found again.
func FuzzOptions(f *testing.F) {
	for _, seed := range []string{"Q\n\n- [ ] a\n- [ ] b", "- [ ] a\r\n- [ ] b\r\n", "\xff\n- [ ] \n- [ ] x", many(13)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		question, options := mail.Options(text)
		if options == nil {
			if question != text {
				t.Errorf("no options, and the question is %q", question)
			}
			return
		}
		again, err := mail.WithOptions(question, options)
		if err != nil {
			t.Fatal(err)
		}
		if _, got := mail.Options(again); cmp.Diff(options, got) != "" {
			t.Errorf("%q became %q", options, got)
		}
	})
}
