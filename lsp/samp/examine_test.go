package samp

import (
	"testing"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// TestExamineCopied: a record in somebody else's log is a replica where the inbox says so,
// also if only a sync copy holds the original.
func TestExamineCopied(t *testing.T) {
	line := lineOf("a", "me", "one", 1)
	for want, files := range []map[string]string{
		{samp.LogName("mallory"): line, samp.LogName("a.sync-conflict-1"): line},
		{samp.LogName("mallory"): line, samp.LogName("a.sync-conflict-1"): lineOf("a", "me", "two", 1)},
	} {
		d := storeOf(t, files)
		report, err := d.Examine(t.Context(), func(Problem) {})
		mail, failed := d.Lines(t.Context(), "me", samp.V1, nil)
		if err != nil || failed != nil {
			t.Fatal(err, failed)
		}
		mail.Close()
		if report.Suspicious != want || len(mail.Suspicious) != want {
			t.Errorf("%d may be forged, %d in the inbox, want %d", report.Suspicious, len(mail.Suspicious), want)
		}
	}
}
