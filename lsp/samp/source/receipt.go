package source

import (
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
	"github.com/signalbox-dev/signalbox/lsp/samp/receipt"
)

// receipts adds receipts to the user's own messages on a page. Answers after the page count only
// in the next message and in the thread's newest.
func (v *view) receipts(s opened, page *index.Page, list []index.Message, items []panel.MessageItem) {
	if !slices.ContainsFunc(list, func(m index.Message) bool { return v.sent(&m) }) {
		return
	}
	var answers receipt.Answers
	answers.Note(&page.Newest.Found)
	answers.Note(&page.Next.Found)
	track := v.tracker(s)
	for i := range slices.Backward(list) {
		m := &list[i]
		answers.Note(&m.Found)
		if v.sent(m) && m.Err == nil {
			r := track.Of(&m.Found, answers.To(&m.Found))
			items[i].Receipt = &r
		}
	}
}

func (v *view) tracker(s opened) *receipt.Tracker {
	o := v.source.host.Options
	t := &receipt.Tracker{Reach: v.source.host.Reach(s.path), Marks: s.live, Now: o.Now()}
	if o.Person != nil {
		t.Person = o.Person()
	}
	return t
}
