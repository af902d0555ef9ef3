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

// FuzzOptions holds that what was found can be written and is found again.
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
