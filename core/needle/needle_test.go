package needle_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/signalbox-dev/signalbox/core/needle"
)

// slow is the obvious way: fold everything, then compare at each character.
func slow(text, want string) bool {
	fold := func(s string) (out []rune) {
		for _, r := range s {
			if unicode.IsSpace(r) {
				if len(out) == 0 || out[len(out)-1] != ' ' {
					out = append(out, ' ')
				}
				continue
			}
			least := r
			for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
				least = min(least, o)
			}
			out = append(out, least)
		}
		return out
	}
	return slices.ContainsFunc([]string{want, norm.NFC.String(want), norm.NFD.String(want)}, func(want string) bool {
		n := strings.TrimSpace(string(fold(want)))
		return n != "" && strings.Contains(string(fold(text)), n)
	})
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		start, end       int
	}{
		{"a word", "the build is red", "build", 4, 9},
		{"in any case", "the BuIlD is red", "bUiLd", 4, 9},
		{"at the end", "is red", "RED", 3, 6},
		{"not there", "the build is red", "green", -1, -1},
		{"almost", "buil build", "build", 5, 10},
		{"an empty needle", "text", "", -1, -1},
		{"a blank needle", "text", " \t", -1, -1},
		{"an empty text", "", "a", -1, -1},
		{"white space of another kind", "one \n\t two", "one two", 0, 10},
		{"white space that is missing", "onetwo", "one two", -1, -1},
		{"white space at the needle's ends", "a b", " b ", 2, 3},
		{"an umlaut", "GRÜSSE", "grü", 0, 4},
		{"the Kelvin sign", "5 \u212a", "5 k", 0, 5},
		{"a long s", "mi\u017fs", "SS", 2, 5},
		{"sigmas", "ΟΔΟΣ οδος", "οδος", 0, 8},
		{"another script", "会议在三点", "三点", 9, 15},
		{"what JSON escapes", `say "hi" \ a/b`, `"HI" \ A/`, 4, 13},
		{"only what JSON escapes", `a/b "`, `/`, 1, 2},
		{"bytes that are no UTF-8", "a\xffb", "b", 2, 3},
		{"decomposed, typed composed", "in Zu\u0308rich", "ZÜR", 3, 8},
		{"composed, typed decomposed", "in Zürich", "zu\u0308r", 3, 7},
		{"the first of both", "u\u0308 ü", "ü", 0, 3},
		{"Hangul of parts", "\u1112\u1161\u11ab글", "한", 0, 9},
		{"a letter without its accent", "cafe\u0301", "caf\u00e8", -1, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := needle.New(c.want)
			start, end := n.Find(c.text, 0)
			if start != c.start || end != c.end {
				t.Errorf("Find(%q, %q) = %d, %d; want %d, %d", c.text, c.want, start, end, c.start, c.end)
			}
		})
	}
}

// TestSpellings checks that a name is found however it is composed, in texts and in raw lines.
func TestSpellings(t *testing.T) {
	composed, decomposed := "Zürich Café", "Zu\u0308rich Cafe\u0301"
	for _, want := range []string{composed, decomposed} {
		n := needle.New(want)
		for _, text := range []string{composed, decomposed} {
			if !n.Is(text) || !n.In("in "+text+" now") || !n.MayBeIn([]byte(`"`+text+`"`)) || len(n.Words()) != 2 || !n.Words()[0].Is(text[:strings.IndexByte(text, ' ')]) {
				t.Errorf("%q is not found in %q", want, text)
			}
		}
		if n.MayBeIn([]byte(`"Zurich Cafe"`)) {
			t.Errorf("%q may be in another text", want)
		}
	}
	if got := needle.Spellings("abc"); len(got) != 1 {
		t.Errorf("a plain text has the spellings %q", got)
	}
}

// TestFinderOfTwo finds lines of both spellings in their order.
func TestFinderOfTwo(t *testing.T) {
	lines := []string{"\"Zu\u0308rich\"", `"Zurich"`, `"zürich"`, `"x"`, "\"ZU\u0308RICH\"", "\"Zu\u0308\""}
	n := needle.New("zürich")
	f, ok := needle.NewFinder(&n)
	if got := walk(f, []byte(strings.Join(lines, "\n")+"\n")); !ok || !slices.Equal(got, []int{0, 2, 4}) {
		t.Errorf("lines %d were met", got)
	}
}

func TestFindGoesOn(t *testing.T) {
	n := needle.New("aa")
	if start, end := n.Find("aaaa", 1); start != 1 || end != 3 {
		t.Errorf("got %d, %d; want 1, 3", start, end)
	}
	if start, _ := n.Find("aabaa", 1); start != 3 {
		t.Errorf("got %d, want 3: what begins before from does not count", start)
	}
}

func TestIs(t *testing.T) {
	n := needle.New("Agent One")
	for text, want := range map[string]bool{"agent one": true, " AGENT  one ": true, "agent one2": false, "agent": false, "": false} {
		if n.Is(text) != want {
			t.Errorf("Is(%q) = %v", text, !want)
		}
	}
}

func TestMayBeIn(t *testing.T) {
	for _, c := range []struct {
		name, json, want string
		may              bool
	}{
		{"a word", `{"body": "the build"}`, "BUILD", true},
		{"another word", `{"body": "the build"}`, "red", false},
		{"a number of a character", `{"body": "\u0072ed"}`, "red", true},
		{"numbers of other characters", `{"body": "\u0041\u005f"}`, "red", false},
		{"all by their numbers", `{"body": "\u0072\u0065\u0064"}`, "RED", true},
		{"a number in the middle", `{"body": "r\u0065d"}`, "red", true},
		{"almost the word by numbers", `{"body": "\u0072\u0065\u0065"}`, "red", false},
		{"half a number", `{"body": "\u00"}`, "red", false},
		{"digits of either case", `{"body": "caf\u00E9 caf\u00e9"}`, "café", true},
		{"half of a surrogate pair", `{"body": "a\ud83d"}`, "a\U0001f600", false},
		{"a surrogate pair", `{"body": "party\ud83c\uDF89now"}`, "Y\U0001f389N", true},
		{"JSON text in JSON text", `{"arguments": "{\"path\": \"caf\\u00e9\"}"}`, "café", true},
		{"JSON text in that", `{"arguments": "{\"a\": \"{\\\"b\\\": \\\"caf\\\\u00e9\\\"}\"}"}`, "café", true},
		{"a long s by its number", `{"body": "mi\u017fs"}`, "miss", true},
		{"the Kelvin sign by its number", `{"body": "\u212aelvin"}`, "kelvin", true},
		{"decomposed, by a number", `{"body": "cafe\u0301"}`, "café", true},
		{"what looks like a number", `{"body": "\\u0039"}`, "u0039", true},
		{"digits beside a number of one", `{"body": "9\u00399"}`, "999", true},
		{"digits of a number", `{"body": "\u00399x"}`, "99x", true},
		{"a neighbour by its number", `{"body": "a\u003cb"}`, "a<b", true},
		{"twice the same, the second by its number", `{"body": "e\u0065"}`, "ee", true},
		{"a line break", `{"body": "one\ntwo"}`, "one two", true},
		{"a quote", `{"body": "\"one\""}`, `"one"`, true},
		{"a slash", `{"body": "a\/bc"}`, "a/bc", true},
		{"nothing to look for", `{"body": "a"}`, "/", true},
		{"the Kelvin sign", "{\"body\": \"\u212aelvin\"}", "kelvin", true},
		{"capital umlauts", `{"body": "ÄRGER"}`, "ärger", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := needle.New(c.want)
			if n.MayBeIn([]byte(c.json)) != c.may {
				t.Errorf("MayBeIn(%s, %q) = %v", c.json, c.want, !c.may)
			}
		})
	}
}

// TestFinderWalks checks that each line with the needle is found, whatever is
// between them.
func TestFinderWalks(t *testing.T) {
	lines := []string{`{"a":"xx"}`, `{"a":"red"}`, `{"a":"Red red"}`, `{"a":"r\u0045d"}`, `{"a":"\u0041"}`, `{"a":"RED"}`}
	buf := []byte(strings.Join(lines, "\n") + "\n")
	n := needle.New("red")
	f, ok := needle.NewFinder(&n)
	if !ok {
		t.Fatal("the needle has nothing to look for")
	}
	if got, want := walk(f, buf), []int{1, 2, 3, 5}; !slices.Equal(got, want) {
		t.Errorf("lines %d were met, want %d", got, want)
	}
}

// walk returns the numbers of the lines that a finder meets.
func walk(f *needle.Finder, buf []byte) (met []int) {
	f.Reset(buf)
	line, end := -1, 0
	for at := f.Next(0); at >= 0; at = f.Next(end) {
		for end <= at {
			line, end = line+1, end+bytes.IndexByte(buf[end:], '\n')+1
		}
		met = append(met, line)
	}
	return met
}

// TestFinderLooksOnce checks that a finder does not search the same bytes again for each \u
// escape, since the time would grow with the square of the bytes. The test breaks the rule that
// bytes must not change: a finder that reads them only once does not see the change.
func TestFinderLooksOnce(t *testing.T) {
	for _, word := range []string{"reastone", "quetzal", "stra\u00dfe"} {
		t.Run(word, func(t *testing.T) {
			n := needle.New(word)
			f, _ := needle.NewFinder(&n)
			buf := append(bytes.Repeat([]byte(`{"body":"`+escapes(word)+`"}`+"\n"), 3), `{"body":"            "}`...)
			f.Reset(buf)
			first := f.Next(0)
			copy(buf[len(buf)-len(word)-3:], word)
			second := f.Next(first + 1)
			if third := f.Next(second + 1); first < 0 || second <= first || third <= second || f.Next(third+1) >= 0 {
				t.Errorf("it met %d, %d, %d and what was put there behind its back", first, second, third)
			}
		})
	}
}

// TestFinderAnywhere checks that a word is found anywhere in a long text, plain or with a
// letter escaped by its number, after backslashes or none, and that nothing else is found.
func TestFinderAnywhere(t *testing.T) {
	n := needle.New("reastone")
	f, _ := needle.NewFinder(&n)
	for _, word := range []string{"REAstone", `r\u0065astone`, `r\u0041stone`} {
		for _, fill := range []string{"x", `\n`, "su", `\\`, "r"} {
			for at := range 4200 {
				if at > 70 && (at < 2030 || at > 2070) && at < 4080 {
					continue
				}
				buf := []byte(strings.Repeat(fill, at/len(fill)) + " " + word)
				f.Reset(buf)
				if got, met := f.Next(0), n.In(strings.ReplaceAll(word, `\u0065`, "e")); got >= 0 != met || met && got < len(buf)-len(word) {
					t.Fatalf("%q behind %d bytes of %q is met at %d", word, at, fill, got)
				}
			}
		}
	}
}

// FuzzFind compares with the slow way, on texts and on the JSON that holds them.
func FuzzFind(f *testing.F) {
	for _, s := range [][2]string{
		{"the build is red", "RED"},
		{"mi\u017fs \u212a", "ss k"},
		{"ΟΔΟΣ", "ς"},
		{"a \n b", "a b"},
		{`"x\y/z"`, `X\Y/Z`},
		{"\u2028会议", "会"},
		{"\xff\xfe", "\ufffd"},
		{"ǅ ẞ İ ı", "ǆ ß i"},
		{"ſſſ", "s"},
		{"aab", "ab"},
		{"\U00010400", "\U00010428"},
		{"Das Cafe\u0301 in Zu\u0308rich", "ZÜRICH"},
		{"Das Café in Zürich", "cafe\u0301 in zu\u0308rich"},
		{"\u1112\u1161\u11ab", "한"},
		{"が か\u3099", "か\u3099 が"},
		{"\u212b \u00c5 A\u030a", "\u212b"},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, text, want string) {
		n := needle.New(want)
		found := slow(text, want)
		start, end := n.Find(text, 0)
		if (start >= 0) != found {
			t.Fatalf("Find(%q, %q) = %d, and it is %v", text, want, start, found)
		}
		if found && !n.Is(text[start:end]) {
			t.Fatalf("%q was found for %q", text[start:end], want)
		}
		if !found || !utf8.ValidString(text) {
			return
		}
		raw, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(text); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(ascii(text)) // text in text
		if err != nil {
			t.Fatal(err)
		}
		lines := [][]byte{raw, bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), []byte(ascii(text)), []byte(`"` + escapes(text) + `"`), again}
		for _, line := range lines {
			if !n.MayBeIn(line) {
				t.Fatalf("%q is in %q and was not seen in %s", want, text, line)
			}
		}
		walked(t, &n, lines)
	})
}

// walked checks that a finder finds, among others, exactly the lines that may contain the
// needle by themselves.
func walked(t *testing.T, n *needle.Needle, lines [][]byte) {
	t.Helper()
	f, ok := needle.NewFinder(n)
	if !ok {
		return
	}
	var buf []byte
	var want []int
	for i, line := range slices.Concat(lines, [][]byte{[]byte(`"\u0041"`), []byte(`"a b"`), []byte(`"\\u"`)}, lines) {
		buf = append(append(buf, line...), '\n')
		if n.MayBeIn(line) {
			want = append(want, i)
		}
	}
	if got := walk(f, buf); !slices.Equal(got, want) {
		t.Fatalf("of %q the lines %d were met, want %d", buf, got, want)
	}
}

// ascii returns a text as JSON with \u escapes for all characters beyond ASCII.
func ascii(text string) string {
	raw, _ := json.Marshal(text) //nolint:errchkjson // a string has a JSON form
	var b strings.Builder
	for _, r := range string(raw) {
		if r < utf8.RuneSelf {
			b.WriteByte(byte(r))
		} else {
			b.WriteString(escapes(string(r)))
		}
	}
	return b.String()
}

// escapes writes every character as a \u escape, every other digit in capitals.
func escapes(text string) string {
	var b strings.Builder
	for i, unit := range utf16.Encode([]rune(text)) {
		fmt.Fprintf(&b, []string{`\u%04x`, `\u%04X`}[i%2], unit)
	}
	return b.String()
}
