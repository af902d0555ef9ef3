package mail_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/mail"
)

func TestLink(t *testing.T) {
	for token, want := range map[string]string{
		"release-1.4":       "signalbox://thread/release-1.4",
		"a/b c":             "signalbox://thread/a%2Fb%20c",
		"fix (it)!":         "signalbox://thread/fix%20%28it%29%21",
		"ends.":             "signalbox://thread/ends%2E",
		"_x_":               "signalbox://thread/_x%5F",
		"feature/audio":     "signalbox://thread/feature%2Faudio",
		"é+%?#":             "signalbox://thread/%C3%A9%2B%25%3F%23",
		"0123456789abcdef":  "signalbox://thread/0123456789abcdef",
		"a:b=c@d~e*f$g&h,;": "signalbox://thread/a%3Ab%3Dc%40d%7Ee%2Af%24g%26h%2C%3B",
	} {
		link := mail.FormatLink(mail.LinkThread, token)
		if link != want {
			t.Errorf("%q gives %q, want %q", token, link, want)
		}
		kind, back, ok := mail.ParseLink(link)
		if !ok || kind != mail.LinkThread || back != token {
			t.Errorf("%q is read as %q %q, %v", link, kind, back, ok)
		}
		found := false
		for _, p := range mail.LinkPatterns() {
			found = found || regexp.MustCompile(p.Pattern).FindString("see ("+link+").") == link
		}
		if !found {
			t.Errorf("no pattern finds %q in a sentence", link)
		}
	}
	if _, token, ok := mail.ParseLink("Signalbox://message/x"); !ok || token != "x" {
		t.Error("the scheme's case matters")
	}
}

func TestNoLink(t *testing.T) {
	for _, s := range []string{
		"", "signalbox", "signalbox:", "signalbox://", "signalbox://thread", "signalbox://thread/", "signalbox://log/x", "signalbox://thread/a/b",
		"signalbox://thread/%", "signalbox://thread/%zz", "signalbox://thread/a?b", "signalbox://thread/a#b", "signalbox://thread/%00", "file:///x",
		"signalbox://thread/" + strings.Repeat("x", mail.MaxLink),
	} {
		if kind, token, ok := mail.ParseLink(s); ok {
			t.Errorf("%.60q is read as %q %.60q", s, kind, token)
		}
	}
}

// FuzzLink checks that a link that was read and written again is read as the same.
func FuzzLink(f *testing.F) {
	for _, s := range []string{"signalbox://thread/a%2Fb", "signalbox://message/", "signalbox://thread/%"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		kind, token, ok := mail.ParseLink(s)
		if !ok || len(token) > mail.MaxName {
			return
		}
		if k, again, ok := mail.ParseLink(mail.FormatLink(kind, token)); !ok || k != kind || again != token {
			t.Errorf("%q became %q %q", s, k, again)
		}
	})
}
