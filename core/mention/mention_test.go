package mention_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/mention"
	"github.com/signalbox-dev/signalbox/core/needle"
)

func TestIn(t *testing.T) {
	const id = "0123456789abcdef"
	for _, c := range []struct {
		name, token, raw string
		want             string // the text before the word, or "none"
	}{
		{"a word", id, `{"body":"see 0123456789abcdef."}`, `{"body":"see `},
		{"its own id", id, `{"id":"0123456789abcdef","body":"x"}`, "none"},
		{"its own id, then a mention", id, `{"id": "0123456789abcdef","body":"0123456789abcdef"}`, `{"id": "0123456789abcdef","body":"`},
		{"a longer word", id, `{"body":"00123456789abcdef 0123456789abcdef0 x_0123456789abcdef"}`, "none"},
		{"after an escape", id, `{"body":"x\n0123456789abcdef"}`, `{"body":"x\n`},
		{"after a backslash", "abc", `{"body":"x\\nabc"}`, "none"},
		{"after an escaped letter", "abc", `{"body":"\u00e9abc"}`, "none"},
		{"after an escaped space", "abc", `{"body":"\u00a0abc"}`, `{"body":"\u00a0`},
		{"a name that goes on", "release", `{"body":"release-1.4 release.x release-1"}`, "none"},
		{"a name at the end of a sentence", "release", `{"body":"the release. Then"}`, `{"body":"the `},
		{"a name after a dash", "release", `{"body":"pre-release"}`, "none"},
		{"a subtask", "T-2026-007", `{"body":"T-2026-007-S1"}`, `{"body":"`},
		{"a task in a message's id", "T-2026-007", `{"body":"task_result-T-2026-007-1"}`, "none"},
		{"a file", "T-2026-007", `{"body":"tasks/T-2026-007.json"}`, `{"body":"tasks/`},
		{"quotes and beyond ASCII", `é "x"`, `{"body":"see é \"x\"!"}`, `{"body":"see `},
		{"in ASCII", "é𝄞", `{"body":"\u00e9\ud834\udd1e"}`, `{"body":"`},
		{"in ASCII with capital digits", "é𝄞", `{"body":"\u00E9\uD834\uDD1E"}`, `{"body":"`},
		{"a slash that is escaped", "fix/é", `{"body":"on fix\/\u00e9"}`, `{"body":"on `},
		{"a link", "release-1.4", `{"body":"signalbox://thread/release-1.4"}`, `{"body":"signalbox://thread/`},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, ok := mention.Of(c.token)
			if !ok {
				t.Fatal("no needle")
			}
			start, end, ok := n.In([]byte(c.raw), "id", "thread")
			got := "none"
			if ok {
				got = c.raw[:start]
				var word string
				if err := json.Unmarshal([]byte(`"`+c.raw[start:end]+`"`), &word); err != nil || word != c.token {
					t.Errorf("found %q", c.raw[start:end])
				}
			}
			if got != c.want {
				t.Errorf("stands after %q, want %q", got, c.want)
			}
		})
	}
}

// TestNext finds each place of each form, on and beside the edges of the parts that are
// searched.
func TestNext(t *testing.T) {
	n, _ := mention.Of("fix/\u00e9")
	forms := []string{"fix/\u00e9", `fix\/\u00e9`, `fix/\u00e9`, `fix/\u00E9`, `fix\/\u00E9`}
	for gap := 1 << 9; gap < 1<<13; gap = gap*2 - 1 {
		for shift := range 24 {
			var b strings.Builder
			var want, got []int
			for _, f := range forms {
				b.WriteString(strings.Repeat("x", gap-shift))
				want = append(want, b.Len())
				b.WriteString(f)
			}
			raw := []byte(b.String())
			for at := n.Next(raw, 0); at >= 0; at = n.Next(raw, at+1) {
				got = append(got, at)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("with %d bytes between: %d, want %d", gap-shift, got, want)
			}
		}
	}
}

// BenchmarkNext finds a form that is everywhere, while another is nowhere.
func BenchmarkNext(b *testing.B) {
	n, _ := mention.Of("feature/login")
	raw := []byte(strings.Repeat(`{"body":"on feature\/login"}`+"\n", 10_000))
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		found := 0
		for at := n.Next(raw, 0); at >= 0; at = n.Next(raw, at+1) {
			found++
		}
		if found != 10_000 {
			b.Fatalf("%d were found", found)
		}
	}
}

// TestSpellings finds a name however its letters are composed, in JSON and in a text.
func TestSpellings(t *testing.T) {
	n, _ := mention.Of("Zürich")
	for _, raw := range []string{`{"body":"in Zu` + "\u0308" + `rich"}`, `{"body":"in Zu\u0308rich"}`, `{"body":"in Zürich"}`, `{"body":"in Z\u00FCrich"}`} {
		if start, end, ok := n.In([]byte(raw)); !ok || !strings.HasPrefix(raw[start:], "Z") || !strings.HasSuffix(raw[:end], "rich") {
			t.Errorf("in %s: %d to %d", raw, start, end)
		}
	}
	if got := n.InText("Zürich Zu\u0308rich Zürich", 2); !slices.Equal(got, [][2]int{{0, 7}, {8, 16}}) {
		t.Errorf("found at %d", got)
	}
}

func TestInText(t *testing.T) {
	n, _ := mention.Of("a-b")
	if got := n.InText("a-b xa-b a-b-c a-b. [a-b] a-b", 9); !slices.Equal(got, [][2]int{{0, 3}, {15, 18}, {21, 24}, {26, 29}}) {
		t.Errorf("found at %d", got)
	}
	if got := n.InText("a-b a-b a-b", 2); len(got) != 2 {
		t.Errorf("found %d", len(got))
	}
	for _, token := range []string{"", strings.Repeat("x", mention.MaxToken+1), "\xff"} {
		if _, ok := mention.Of(token); ok {
			t.Errorf("%.20q is looked for", token)
		}
	}
}

// FuzzIn checks that a place that is found has the word, in any text.
func FuzzIn(f *testing.F) {
	f.Add("abc", `{"body":"\u00e9abc"}`)
	f.Add("é", `\\\u00e9`)
	f.Add("Zürich", "in Zu\u0308rich, Zürich")
	f.Fuzz(func(t *testing.T, token, raw string) {
		n, ok := mention.Of(token)
		if !ok {
			return
		}
		start, end, found := n.In([]byte(raw), "id")
		if found && (start < 0 || end <= start || end > len(raw) || n.Next([]byte(raw), start) != start) {
			t.Errorf("%q in %q: %d to %d", token, raw, start, end)
		}
		for _, at := range n.InText(raw, 10) {
			if !slices.Contains(needle.Spellings(token), raw[at[0]:at[1]]) {
				t.Errorf("%q at %d", token, at)
			}
		}
	})
}
