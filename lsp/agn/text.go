package agn

import (
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/excerpt"
)

// Who follows a directory keeps its messages in memory for hours. keepTexts is
// how many bytes of one message's texts are kept then: a little more than a page
// shows of one, so that the page knows that there was more. Texts of shortText
// bytes are cut last.
const (
	keepTexts = 68 << 10
	shortText = 256
)

// shorten cuts the texts of a message so that they have about room bytes in all,
// the longest first. What rules compare stays whole unless it is absurdly long.
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
	most := max(level(list, room), shortText)
	for _, s := range list {
		n := min(len(*s), most, room)
		room -= n
		*s = excerpt.ClipTo(*s, n)
	}
}

// level is the length at which texts have to be cut to have room bytes in all.
func level(list []*string, room int) int {
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

// texts lists the texts of a message that can be cut: those that are free, and other strings
// that are too long for what they are.
func texts(m *agn.Message) []*string {
	free, names := m.Payload.Texts()
	names = append(names, &m.ID, &m.Version, &m.Type, &m.From, &m.To, &m.TaskID)
	for i := range m.ContextRef {
		names = append(names, &m.ContextRef[i])
	}
	return append(slices.DeleteFunc(names, func(s *string) bool { return len(*s) <= shortText }), free...)
}
