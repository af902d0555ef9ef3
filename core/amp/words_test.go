package amp_test

import (
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
