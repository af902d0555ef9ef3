package amp_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// TestWords holds that each word of the text's lists is read, and written where a
// message may have it, and that another spelling of it is not:
// AMP ENV-5, PAY-1, ATT-5, ATT-6 and ATT-7.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		rule, quoted string
		words        []string
		write        func(d *amp.Draft, word string)
	}{
		{"AMP ENV-5", `"high"`, []string{"urgent", "high", "normal", "low"}, func(d *amp.Draft, word string) { d.Priority = word }},
		{
			"AMP PAY-1", `"request"`,
			[]string{"request", "response", "notification", "alert", "task", "status", "handoff", "ack", "update", "system"},
			func(d *amp.Draft, word string) { d.Type = word },
		},
		{
			"AMP ATT-5", `"clean"`,
			[]string{"clean", "basic_clean", "unscanned", "suspicious"},
			func(d *amp.Draft, word string) { d.Attachments[0].ScanStatus = word },
		},
	} {
		rule := strings.Fields(c.rule)[1]
		for _, word := range c.words {
			t.Run(c.rule+" "+word, func(t *testing.T) {
				if m := parse(t, change(t, c.quoted, `"`+word+`"`)); len(m.Faults)+len(m.Notes) > 0 {
					t.Errorf("%+v", m.Findings)
				}
				if m := parse(t, change(t, c.quoted, `"`+strings.ToUpper(word)+`"`)); len(m.Faults) != 1 || m.Faults[0].Rule != rule {
					t.Errorf("in capitals: %+v", m.Faults)
				}
				d := draft()
				d.Attachments = []amp.Attachment{attachment()}
				c.write(&d, word)
				if written := finish(t, d); !strings.Contains(written, `"`+word+`"`) {
					t.Errorf("%s", written)
				}
			})
		}
	}
	if diff := cmp.Diff([]string{"urgent", "high", "normal", "low"}, amp.Priorities()); diff != "" {
		t.Error(diff)
	}
	if got := len(amp.Types()); got != 10 {
		t.Errorf("%d types", got)
	}
	// The two that a message cannot have are known words all the same.
	for word, rule := range map[string]string{amp.Pending: "ATT-6", amp.Rejected: "ATT-7"} {
		if m := parse(t, change(t, `"clean"`, `"`+word+`"`)); rules(m.Faults) != rule+" payload.attachments[0].scan_status" {
			t.Errorf("AMP %s: %+v", rule, m.Faults)
		}
	}
}

// TestSecurityWords holds AMP STO-4 for each word that somebody else's judgement may
// have, and at the ends of the score.
func TestSecurityWords(t *testing.T) {
	for quoted, words := range map[string][]string{
		`"external"`: {"verified", "external", "untrusted"},
		`"flagged"`:  {"flagged", "quarantined", "blocked"},
		`"medium"`:   {"low", "medium", "high", "critical"},
		`15`:         {"0", "100"},
	} {
		for _, word := range words {
			with := `"` + word + `"`
			if quoted == `15` {
				with = word
			}
			at := strings.LastIndex(sound, quoted)
			m := parse(t, []byte(sound[:at]+with+sound[at+len(quoted):]))
			s := m.Security
			if got := []string{s.TrustLevel, s.WindowScan, s.RiskLevel, strconv.FormatInt(s.RiskScore, 10)}; len(m.Notes) > 0 || !slices.Contains(got, word) {
				t.Errorf("AMP STO-4 %s: %+v %+v", word, s, m.Notes)
			}
		}
	}
}

// TestDevices holds AMP ATT-12 for every name that Windows keeps for itself.
func TestDevices(t *testing.T) {
	names := []string{"CON", "PRN", "AUX", "NUL"}
	for _, port := range []string{"COM", "LPT"} {
		for n := 1; n <= 9; n++ {
			names = append(names, port+strconv.Itoa(n))
		}
	}
	for _, name := range names {
		for _, s := range []string{name, strings.ToLower(name), name + ".txt", name + ".tar.gz", name + " "} {
			if safe, err := amp.SafeFilename(s); err == nil || fault(t, err).Rule != "ATT-12" {
				t.Errorf("AMP ATT-12: %q is taken as %q: %v", s, safe, err)
			}
		}
		if _, err := amp.SafeFilename(name + "0"); err != nil {
			t.Errorf("AMP ATT-12: %q is refused: %v", name+"0", err)
		}
	}
}

// TestLeftOut holds AMP JSN-2 and IDK-2: what a message need not have is left out and
// never null, and an idempotency key is always there.
func TestLeftOut(t *testing.T) {
	d := draft()
	d.Expires = 0
	written := finish(t, d)
	for _, name := range []string{"expires_at", "in_reply_to", "context", "attachments", "null"} {
		if strings.Contains(written, name) {
			t.Errorf("AMP JSN-2: %q is written: %s", name, written)
		}
	}
	if !strings.Contains(written, `"idempotency_key": "`+d.IdempotencyKey+`"`) {
		t.Errorf("AMP IDK-2: %s", written)
	}
}

// TestIntegers holds AMP JSN-5: a size is written as an integer, the largest too.
func TestIntegers(t *testing.T) {
	d := draft()
	d.Attachments = []amp.Attachment{attachment()}
	d.Attachments[0].Size = amp.MaxAttachment
	if written := finish(t, d); !strings.Contains(written, `"size":26214400,`) && !strings.Contains(written, `"size":26214400}`) {
		t.Error(written)
	}
}
