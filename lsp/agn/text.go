package agn

import (
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/excerpt"
)

// A followed directory stays in memory for hours. maxTexts is how many bytes of one message's
// texts are kept: a little more than a page shows, so that the page knows that there is more.
// Texts up to shortText bytes are cut last.
const (
	maxTexts  = 68 << 10
	shortText = 256
)

// shorten cuts the texts of a message to about room bytes in all, longest first. Texts that
// rules compare are not cut unless they are absurdly long.
func shorten(m *agn.Message, room int) {
	list := texts(m)
	total := 0
	for _, s := range list {
		total += len(*s)
	}
	if d := m.Payload.Dispatch; d != nil {
		if total += len(d.Constraints); total > room && len(d.Constraints) > room/8 {
			total -= len(d.Constraints)
			d.Constraints = []byte(`{"…":"…"}`)
		}
	}
	if total <= room {
		return
	}
	most := max(cutLength(list, room), shortText)
	for _, s := range list {
		n := min(len(*s), most, room)
		room -= n
		*s = excerpt.ClipTo(*s, n)
	}
}

// cutLength returns the length to which texts must be cut to have room bytes in all.
func cutLength(list []*string, room int) int {
	sizes := make([]int, len(list))
	for i, s := range list {
		sizes[i] = len(*s)
	}
	slices.Sort(sizes)
	for i, n := range sizes {
		if share := room / (len(sizes) - i); n > share {
			return share
		}
		room -= n
	}
	return room
}

// texts lists the texts of a message that can be cut: free text, and other strings that are
// far too long.
func texts(m *agn.Message) []*string {
	free, names := m.Payload.Texts()
	names = append(names, &m.ID, &m.Version, &m.Type, &m.From, &m.To, &m.TaskID)
	for i := range m.ContextRef {
		names = append(names, &m.ContextRef[i])
	}
	return append(slices.DeleteFunc(names, func(s *string) bool { return len(*s) <= shortText }), free...)
}
