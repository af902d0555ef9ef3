package samp

import (
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/index"
)

// receiversMost is how many receivers' watermarks are read for one page.
const receiversMost = 16

// receipts adds to the user's own messages on a page who read them, as the receivers'
// watermarks in the message directory say. Each is read once.
func (v *view) receipts(live *index.Live, list []index.Message, items []panel.MessageItem) {
	by := make(map[string]*store.Receipts)
	for i := range list {
		m := &list[i]
		if !v.sent(m) || m.Err != nil {
			continue
		}
		r, known := by[m.To]
		if !known && len(by) < receiversMost {
			r = live.Receipts(m.To, v.source.host.Options.Now())
			by[m.To] = r
		}
		if when, read := r.Read(&m.Found); read {
			items[i].ReadBy = &panel.Receipt{Alias: show.Line(m.To)}
			if !when.IsZero() {
				items[i].ReadBy.Time = show.Time(when.UnixMilli())
			}
		}
	}
}
