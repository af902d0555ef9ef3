package amp_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// TestForms holds AMP SIG-7 on messages that were signed with the commands of real
// clients (jq, openssl, Python's json) and stored as their receivers' clients do:
// each verifies in the form that its file says, over the bytes that were signed. What
// no client makes of a signed message is refused.
func TestForms(t *testing.T) {
	k, err := amp.ParseKey(file(t, "forms", "dora.public.pem"))
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "amp", "forms", "*.json"))
	if err != nil || len(paths) < 30 {
		t.Fatalf("%d vectors %v", len(paths), err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		t.Run("AMP SIG-7 "+name, func(t *testing.T) {
			m := parse(t, file(t, "forms", name+".json"))
			got := amp.Judge(&m, amp.Known{Keys: []amp.Key{k}, Now: noon})
			if want := string(file(t, "forms", name+".want")); string(got.State)+": "+got.Reason+"\n" != want {
				t.Errorf("%s: %s, want %s", got.State, got.Reason, want)
			}
			v, err := amp.Verify(&m, k)
			if strings.HasPrefix(name, "refused-") {
				if err == nil || fault(t, err).Rule != "SIG-7" || got.State != amp.TrustUntrusted {
					t.Errorf("%+v %v", got, err)
				}
				return
			}
			if want := string(file(t, "forms", name+".txt")); err != nil || string(v.Signed) != want || v.Step != got.Step {
				t.Errorf("%v: signed %s, want %s", err, v.Signed, want)
			}
		})
	}
}

// TestSteps holds that each step has a name of its own, by which the module says it.
func TestSteps(t *testing.T) {
	names := map[string]amp.Step{}
	for step := amp.AsStored; step <= amp.LastStep; step++ {
		name := step.String()
		if name == amp.NotVerified.String() {
			continue
		}
		if other, twice := names[name]; twice {
			t.Errorf("%d and %d are both %q", other, step, name)
		}
		names[name] = step
	}
	if len(names) != 3*8*(amp.MaxLineEnds+1) {
		t.Errorf("%d steps", len(names))
	}
	for step, want := range map[amp.Step]string{
		amp.NoAttachments + amp.EscapedDelete + amp.TabSubject + amp.LineEnd: "without the empty attachments, with U+007F as an escape, with the subject as jq's @tsv, with a line end after the text",
		amp.NoWrapper + amp.EscapedASCII + 3*amp.LineEnd:                     "without the trust wrapper, with escapes for all but ASCII, with 3 line ends after the text",
		amp.EscapedDelete: "not verified",
	} {
		if got := step.String(); got != want {
			t.Errorf("%d: %q, want %q", step, got, want)
		}
	}
}
