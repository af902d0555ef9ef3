package mail_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/mail"
)

func TestRef(t *testing.T) {
	for _, name := range []string{"release-1.4", "a/b", "t/m/x", ""} {
		if got, ok := mail.ThreadRef(mail.SAMP, "s", name).Thread(); !ok || got != name {
			t.Errorf("thread %q came back as %q, %v", name, got, ok)
		}
		from, id, ok := mail.MessageRef(mail.SAMP, "s", "dave.dev", name).Message()
		if !ok || from != "dave.dev" || id != name {
			t.Errorf("message %q came back as %q of %q, %v", name, id, from, ok)
		}
	}
	long := strings.Repeat("x", mail.MaxName+1)
	r := mail.ThreadRef(mail.SAMP, "s", long)
	if digest, ok := r.ThreadDigest(); !ok || digest != mail.Digest(long) || len(r.ID) > 100 {
		t.Errorf("a long name gives %q", r.ID)
	}
	if name, ok := r.Thread(); ok {
		t.Errorf("a long name is taken for %q", name)
	}
	if _, _, ok := mail.ThreadRef(mail.SAMP, "s", "x").Message(); ok {
		t.Error("a thread is taken for a message")
	}
	if _, ok := (mail.Ref{ID: "m/a/b"}).Thread(); ok {
		t.Error("a message is taken for a thread")
	}
}

func TestLinkPatterns(t *testing.T) {
	text := "see 3a8e80c1cec9cb05, not x3a8e80c1cec9cb05 nor 3A8E80C1CEC9CB05; " +
		"[thread:release 1.4] and 2026-04-25-dave.dev-go."
	want := map[string][]string{
		"message": {"3a8e80c1cec9cb05"},
		"thread":  {"release 1.4", "2026-04-25-dave.dev-go"},
	}
	got := make(map[string][]string)
	for _, p := range mail.LinkPatterns() {
		for _, m := range regexp.MustCompile(p.Pattern).FindAllStringSubmatch(text, -1) {
			got[p.Kind] = append(got[p.Kind], m[len(m)-1])
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
