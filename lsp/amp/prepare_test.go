package amp

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// TestSameBytes prepares the same message from the same letter, stamp and files, and signs
// nothing that was not shown.
func TestSameBytes(t *testing.T) {
	d := newWriteFixture(t)
	file := d.put("../a.txt", "a")
	b := d.box("alice")
	st := NewStamp(d.now)
	make := func(st Stamp, l Letter) *Prepared {
		t.Helper()
		p, err := b.Prepare(t.Context(), d.snap(), l, st)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	first := make(st, letter("x", file))
	again, err := ParseStamp(first.Stamp.String())
	if err != nil {
		t.Fatal(err)
	}
	one, err := b.Sign(first)
	if err != nil {
		t.Fatal(err)
	}
	if two, err := b.Sign(make(again, letter("x", file))); err != nil || !bytes.Equal(one, two) {
		t.Errorf("%v: %s and %s", err, one, two)
	}
	refused := func(what string, p *Prepared) {
		t.Helper()
		if _, err := b.Sign(p); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: signed: %v", what, err)
		}
		if _, err := b.Send(t.Context(), p, d.now); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: sent: %v", what, err)
		}
	}
	other := letter("x", file)
	other.Expires = time.Hour // not signed, but shown
	refused("the text", make(again, letter("y", file)))
	refused("the expiry", make(again, other))
	if err := os.WriteFile(file, []byte("b"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused("a file", make(again, letter("x", file)))
	// It is as long as before, so only its digest differs.
	_, err = b.Send(t.Context(), first, d.now)
	if e, ok := errors.AsType[*FileError](err); !ok || !errors.Is(err, ErrChanged) || e.Rule != "ATT-18" || e.Path != file {
		t.Errorf("a file between: %v", err)
	}
	if err := os.WriteFile(file, []byte("longer"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err = b.Send(t.Context(), first, d.now); !errors.Is(err, ErrChanged) {
		t.Errorf("a longer file: %v", err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, err = b.Send(t.Context(), first, d.now); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	d.tidy("refused")
	if n := d.snap().Messages; n != 0 {
		t.Errorf("%d messages", n)
	}
	if left, _ := filepath.Glob(d.file("agents/*/attachments/*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestReply sends an answer to the sender of a message, and to the receiver of one's own
// message.
func TestReply(t *testing.T) {
	d := newWriteFixture(t)
	first := d.message(d.send("alice", letter("x")).SentKey)
	for _, from := range []string{"bob", "alice"} {
		_, p := d.prepare(from, Letter{Reply: &first, Text: "y"})
		to := map[string]string{"bob": "alice", "alice": "bob"}[from]
		if p.Draft.From != address(from) || p.Draft.To != address(to) || p.Draft.InReplyTo != first.ID || p.Draft.ThreadID != first.ID || p.Draft.Subject != "Re: Grüße" || p.Draft.Type != "response" {
			t.Errorf("%+v", p.Draft)
		}
	}
	d.init(InitConfig{Name: "carol"})
	_, p := d.prepare("carol", Letter{Reply: &first, Subject: "s", Type: "x:y", Priority: amp.High})
	if p.Draft.From != address("carol") || p.Draft.To != address("alice") || p.Draft.Subject != "s" || p.Draft.Type != "x:y" || p.Draft.Priority != amp.High {
		t.Errorf("%+v", p.Draft)
	}
	if q := d.send("bob", Letter{Reply: &first, Text: "z"}); d.message(q.InboxKey).InReplyTo != first.ID {
		t.Error("no reply")
	}
}

// TestPrepareRefused reports what is wrong, and writes nothing: AMP ATT-9 ATT-14.
func TestPrepareRefused(t *testing.T) {
	d := newWriteFixture(t)
	big := d.put("../big.bin", "")
	if err := os.Truncate(big, amp.MaxAttachment+1); err != nil {
		t.Fatal(err)
	}
	most := d.put("../most.bin", "")
	if err := os.Truncate(most, amp.MaxAttachment); err != nil {
		t.Fatal(err)
	}
	small := d.put("../small.txt", "x")
	before := d.filesLeft()
	for name, c := range map[string]struct {
		change func(l *Letter)
		rule   string
	}{
		"no address":          {func(l *Letter) { l.To = "bob" }, "ENV-3"},
		"a bad address":       {func(l *Letter) { l.To = "bob|x@a.b" }, "ENV-3"},
		"a long subject":      {func(l *Letter) { l.Subject = strings.Repeat("x", 257) }, "ENV-4"},
		"a priority":          {func(l *Letter) { l.Priority = "soon" }, "ENV-5"},
		"a type":              {func(l *Letter) { l.Type = "shout" }, "PAY-1"},
		"a long text":         {func(l *Letter) { l.Text = strings.Repeat("x", amp.MaxText+1) }, "PAY-3"},
		"no object":           {func(l *Letter) { l.Context = []byte(`[]`) }, "PAY-4"},
		"a null in a list":    {func(l *Letter) { l.Context = []byte(`{"a":[null]}`) }, "JSN-1"},
		"a file too large":    {func(l *Letter) { l.Files = []string{big} }, "ATT-9"},
		"too much together":   {func(l *Letter) { l.Files = []string{most, most, most, most, small} }, "ATT-9"},
		"too many":            {func(l *Letter) { l.Files = slices.Repeat([]string{small}, 11) }, "ATT-9"},
		"a folder":            {func(l *Letter) { l.Files = []string{d.root} }, ""},
		"no file":             {func(l *Letter) { l.Files = []string{small + "x"} }, ""},
		"an encoded path":     {func(l *Letter) { l.Files = []string{d.put("../a%2fb.txt", "")} }, "ATT-14"},
		"nobody's, unscanned": {func(l *Letter) { l.To, l.Files = "eve@elsewhere.example", []string{small} }, "ATT-6"},
	} {
		l := letter("x")
		c.change(&l)
		b := d.box("alice")
		p, err := b.Prepare(t.Context(), d.snap(), l, NewStamp(d.now))
		if err == nil || ruleOf(err) != c.rule {
			t.Errorf("%s: %v %v", name, p, err)
		}
		if _, isFile := errors.AsType[*FileError](err); c.rule == "" && !isFile {
			t.Errorf("%s: %v", name, err)
		}
	}
	if diff := cmp.Diff(before, d.filesLeft()); diff != "" {
		t.Error(diff)
	}
}

// TestContentType takes a file's type from its name or else its beginning, the same on every
// machine.
func TestContentType(t *testing.T) {
	for _, c := range []struct{ name, head, want string }{
		{"a.json", "x", "application/json"},
		{"A.JSON", "", "application/json"},
		{"a.md", "", "text/markdown"},
		{"main.go", "package main\n", "text/plain"},
		{"a.ts", "let a = 1\n", "text/plain"},
		{"Makefile", "all:\n\tx\n", "text/plain"},
		{"empty", "", "text/plain"},
		{"log", "\x1b[31mred\x1b[0m\r\n", "text/plain"},
		{"cut", "gr\u00fc\xc3", "text/plain"},
		{"latin", "gr\xfcn und gut", "application/octet-stream"},
		{"zero", "a\x00b", "application/octet-stream"},
		{"a.png", "\x89PNG\r\n\x1a\nxxxx", "image/png"},
		{"photo", "\xff\xd8\xff\xe0", "image/jpeg"},
		{"a.gif", "GIF89a", "image/gif"},
		{"a.pdf", "%PDF-1.7", "application/pdf"},
		{"a.zip", "PK\x03\x04", "application/zip"},
		{"a.gz", "\x1f\x8b\x08", "application/gzip"},
		{"a.svg", "<svg/>", "image/svg+xml"},
	} {
		if got := contentType(c.name, []byte(c.head)); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.name, c.head, got, c.want)
		}
	}
}

// TestStamp reads what it writes, and nothing else.
func TestStamp(t *testing.T) {
	now := time.UnixMilli(1_795_249_958_999)
	a, b := NewStamp(now), NewStamp(now)
	if a.ID() == b.ID() || a.key() == b.key() || a.attachment(0) == a.attachment(1) || a.millis != 1_795_249_958_000 {
		t.Errorf("%v %v", a, b)
	}
	if id, ok := amp.ParseID(a.ID()); !ok || id.Dashes || id.Millis || !amp.ValidIdempotencyKey(a.key()) {
		t.Errorf("%s %s", a.ID(), a.key())
	}
	if id, ok := amp.ParseAttachmentID(a.attachment(1)); !ok || id.Dashes || id.Millis {
		t.Error(a.attachment(1))
	}
	a.digest = strings.Repeat("0a", 32)
	for _, s := range []Stamp{a, b} {
		if got, err := ParseStamp(s.String()); err != nil || got != s {
			t.Errorf("%v %v", err, got)
		}
	}
	for name, text := range map[string]string{
		"empty":           "",
		"no seed":         "1795249958000",
		"a short seed":    "1795249958000.00.",
		"a short digest":  b.String() + "00",
		"capitals":        "1795249958000." + strings.Repeat("AB", 16) + ".",
		"no time":         strings.Replace(b.String(), "1795249958000", "x", 1),
		"a time before":   "-" + b.String(),
		"a time too late": strings.Replace(b.String(), "1795249958000", "253402300800000", 1),
		"a part more":     b.String() + ".",
		"far too long":    b.String() + strings.Repeat(".x", 4096),
	} {
		if s, err := ParseStamp(text); err == nil {
			t.Errorf("%s: %v", name, s)
		}
	}
	if s := a.ForToken("x"); !MadeFor(s.ID(), "x") || MadeFor(s.ID(), "y") || MadeFor("", "x") || s.ID() == a.ID() {
		t.Errorf("%v", s)
	}
}

// FuzzParseStamp accepts nothing that it would not write.
func FuzzParseStamp(f *testing.F) {
	f.Add("1795249958000.00112233445566778899aabbccddeeff.")
	f.Add("1795249958000.00112233445566778899aabbccddeeff." + strings.Repeat("0f", 32))
	f.Add("1.00112233445566778899AABBCCDDEEFF.0")
	f.Add("../x...")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseStamp(text)
		if err != nil {
			return
		}
		if s.String() != text || strings.ContainsAny(text, "/\\ \n") {
			t.Errorf("%q became %q", text, s)
		}
	})
}
