package limits_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/limits"
)

func TestParams(t *testing.T) {
	ref := panel.Ref{Protocol: "samp", Store: "s", ID: "m"}
	long := strings.Repeat("x", 5000)
	minus := int64(-1)
	for _, c := range []struct {
		prefix string
		params any
		want   string
	}{
		{"", panel.ThreadParams{Ref: ref, Limit: 200}, ""},
		{"", panel.ThreadParams{Ref: ref, Limit: 201}, "limit: 201 is not within 1 to 200"},
		{"", panel.ThreadParams{Ref: panel.Ref{Store: "s"}}, "ref: is not a ref (protocol, store, id)"},
		{"", panel.ThreadParams{Ref: panel.Ref{Protocol: "samp", Store: "s", ID: long}}, "ref: has 5005 bytes, more than 4096"},
		{"", panel.InboxParams{Filter: panel.InboxFilter{Text: long}}, "filter.text: has 5000 bytes, more than 4096"},
		{"", panel.ReadParams{Refs: []panel.Ref{ref, {}}}, "refs[1]: is not a ref (protocol, store, id)"},
		{"", panel.ReadParams{Refs: make([]panel.Ref, 1001)}, "refs: has 1001 elements, more than 1000"},
		{"", panel.SaveParams{AttachmentParams: panel.AttachmentParams{Ref: ref, Attachment: "a"}}, "path: is missing"},
		{"", panel.SendParams{ClientToken: "x", Draft: panel.Draft{To: "a", Body: long, ReplyTo: &panel.Ref{}}}, "draft.replyTo: is not a ref (protocol, store, id)"},
		{"arguments", panel.Draft{To: long}, "arguments.to: has 5000 bytes, more than 4096"},
		{"arguments", panel.Draft{Attachments: []string{"a", long}}, "arguments.attachments[1]: has 5000 bytes, more than 4096"},
		{"arguments.to", long, "arguments.to: has 5000 bytes, more than 4096"},
		{"", panel.UndoParams{}, "undo: is missing"},
		{"", panel.UndoParams{Undo: -1}, "undo: -1 is negative"},
		{"", panel.ShelveParams{SnoozeUntil: &minus}, ""}, // the panel has an answer
		{"", panel.DiffParams{Ref: ref, Tool: -1}, "tool: -1 is negative"},
		{"", panel.EscalationParams{Severity: "loud"}, "severity: is none of critical, warning, info"},
		{"", panel.EscalationParams{Task: &panel.Ref{}}, "task: is not a ref (protocol, store, id)"},
		{"", panel.SearchParams{Cursor: long, PartialResultToken: []byte(`"t"`)}, ""},
		{"", panel.SearchParams{Cursor: strings.Repeat(long, 14)}, "cursor: has 70000 bytes, more than 65536"},
		{"", panel.EditsParams{Text: long}, ""},
	} {
		got := "params: field " + c.want
		if c.want == "" {
			got = "<nil>"
		}
		if err := limits.Params(c.prefix, c.params); fmt.Sprint(err) != got {
			t.Errorf("%T: %v, want %s", c.params, err, got)
		}
	}
}
