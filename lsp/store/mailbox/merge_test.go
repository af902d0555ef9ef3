package mailbox

import (
	"os"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/store/conflict"
)

// TestMerge puts away a conflict copy that differs in the receiver's notes alone (rules
// STO-2, ENV-1), and leaves any other where it is read.
func TestMerge(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(text string) string
		away bool
	}{
		{"the same", func(s string) string { return s }, true},
		{"marked on the other machine", func(s string) string { return strings.ReplaceAll(s, `"status": "unread"`, `"status": "read"`) }, true},
		{"other words", func(s string) string { return strings.Replace(s, "Can you", "Could you", 1) }, false},
		{"another envelope", func(s string) string { return strings.Replace(s, `"priority"`, `"x": 1, "priority"`, 1) }, false},
		{"no message", func(string) string { return "{" }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t)
			key := d.received("states/01-inbox-unread.json")
			text := d.has(key)
			copied := strings.TrimSuffix(key, ext) + ".sync-conflict-20260101-120000-ABCDEFG" + ext
			other := c.edit(text)
			if other == text && c.name != "the same" {
				t.Fatalf("not edited: %s", text)
			}
			d.put(copied, other)
			where, err := d.box("bob").Merge(t.Context(), conflict.Copy{Path: copied, Original: key}, t.TempDir())
			if err != nil || (where != "") != c.away {
				t.Fatalf("put away to %q, %v", where, err)
			}
			if d.has(key) != text {
				t.Error("the original was changed")
			}
			if !c.away {
				d.has(copied)
				return
			}
			d.gone(copied)
			if got, err := os.ReadFile(where); err != nil || string(got) != other {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	d := newDesk(t)
	key := d.received("states/01-inbox-unread.json")
	for _, c := range []conflict.Copy{
		{Path: "agents/alice/messages/inbox/x.json", Original: key},
		{Path: key, Original: "agents/bob/config.json"},
	} {
		if _, err := d.box("bob").Merge(t.Context(), c, t.TempDir()); err == nil {
			t.Errorf("%+v was merged", c)
		}
	}
}
