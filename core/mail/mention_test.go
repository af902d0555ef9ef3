package mail_test

import (
	"cmp"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/mail"
)

type pattern struct {
	kind string
	re   *regexp.Regexp
}

func patterns() (list []pattern) {
	for _, p := range mail.LinkPatterns() {
		if p.Kind == mail.KindBranch {
			continue // which Mentions leaves out
		}
		list = append(list, pattern{p.Kind, regexp.MustCompile(p.Pattern)})
	}
	return list
}

// byPatterns returns the matches of the regular expressions.
func byPatterns(list []pattern, text string) (found []mail.Mention) {
	for _, p := range list {
		for _, at := range p.re.FindAllStringSubmatchIndex(text, -1) {
			start, end := at[len(at)-2], at[len(at)-1]
			found = append(found, mail.Mention{Kind: p.kind, Offset: start, Length: end - start, Token: text[start:end]})
		}
	}
	return found
}

func order(list []mail.Mention) []mail.Mention {
	slices.SortFunc(list, func(a, b mail.Mention) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Length, b.Length), cmp.Compare(a.Kind, b.Kind))
	})
	return list
}

func compare(t *testing.T, list []pattern, text string) int {
	t.Helper()
	got := slices.Collect(mail.Mentions(text))
	if !slices.IsSortedFunc(got, func(a, b mail.Mention) int { return cmp.Compare(a.Offset, b.Offset) }) {
		t.Errorf("the mentions in %q are in no order: %v", text, got)
	}
	if diff := gocmp.Diff(order(byPatterns(list, text)), order(got)); diff != "" {
		t.Errorf("in %q (-patterns +finder): %s", text, diff)
	}
	return len(got)
}

// pieces are parts of mentions, and texts that break them.
var pieces = []string{
	"3a8e80c1cec9cb05", "3A8E80C1CEC9CB05", "6f1c1f6e-9a3b-4c0e-8a55-0d6d1c2b3a49", "T-2026-007", "T-2026-1234567890", "task_dispatch-", "escalation-T-2026-007-1",
	"msg_1795249958451_30328b7b", "msg-1-a", "[thread:", "]", "[", "2026-04-25-", "2026-04-25-dave.dev-go", "a", "x", "_", "-", ".", " ", "\n", "0", "1234", "f",
	"é", "\xff", "signalbox://thread/", "signalbox://message/x", "%20", ";", ",", "\u2028", "\x00", "K",
}

// TestMentions compares the finder with the patterns: on every piece alone, every two
// and three of them, and many at random.
func TestMentions(t *testing.T) {
	list := patterns()
	found := 0
	for _, a := range append(pieces, "") {
		for _, b := range append(pieces, "") {
			for _, c := range pieces {
				found += compare(t, list, a+b+c)
			}
		}
	}
	random := rand.New(rand.NewPCG(7, 7))
	for range 20_000 {
		var b strings.Builder
		for range random.IntN(12) {
			p := pieces[random.IntN(len(pieces))]
			if random.IntN(6) == 0 && p != "" {
				p = p[random.IntN(len(p)):]
			}
			b.WriteString(p)
		}
		found += compare(t, list, b.String())
		if t.Failed() {
			return
		}
	}
	if found < 10_000 {
		t.Errorf("only %d mentions: the texts test one side only", found)
	}
}

// TestMentionsOfHostileTexts checks that every text is read in one pass.
func TestMentionsOfHostileTexts(t *testing.T) {
	const size = 1 << 20
	for _, unit := range []string{"[thread:", "2026-01-01-", "2026-01-01-a-", "[thread:]", "msg_", "T-2026-", "6f1c1f6e-", "a", "0", "_", "-", "task_dispatch-T-2026-", "2026-01-01-a" + strings.Repeat("-", 1000)} {
		text := strings.Repeat(unit, size/len(unit))
		start := time.Now()
		for range mail.Mentions(text) {
			continue
		}
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%d bytes of %q took %v", len(text), unit, took)
		}
	}
	for range mail.Mentions("T-2026-001 T-2026-002 [thread:x] 2026-01-01-ab 3a8e80c1cec9cb05") {
		break // whoever has enough stops
	}
}

func FuzzMentions(f *testing.F) {
	for _, p := range pieces {
		f.Add(p)
	}
	f.Add("msg-1-msg-1-a")
	f.Add("re task_dispatch-T-2026-007-1772107200000: [thread:release 1.4] and 2026-04-25-dave.dev-go. (msg_1795249958451_30328b7b)")
	list := patterns()
	f.Fuzz(func(t *testing.T, text string) { compare(t, list, text) })
}

func BenchmarkMentions(b *testing.B) {
	text := strings.Repeat("The fix of T-2026-007 is in 3a8e80c1cec9cb05; see [thread:release 1.4] and the notes of yesterday, which say more.\n", 10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for range mail.Mentions(text) {
			continue
		}
	}
}
