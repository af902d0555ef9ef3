package ssot

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

// textList collects texts.
type textList []*string

// add takes free texts. odd takes other strings, if they are too long for what they
// are.
func (l *textList) add(texts ...*string) { *l = append(*l, texts...) }

func (l *textList) odd(names ...*string) {
	for _, s := range names {
		if len(*s) > shortText {
			*l = append(*l, s)
		}
	}
}

func (l *textList) all(texts []string) {
	for i := range texts {
		l.add(&texts[i])
	}
}

func (l *textList) allOdd(names []string) {
	for i := range names {
		l.odd(&names[i])
	}
}

// texts lists the texts of a message in the order in which they are shown.
func texts(m *agn.Message) []*string {
	var l textList
	l.odd(&m.ID, &m.Version, &m.Type, &m.From, &m.To, &m.TaskID)
	l.allOdd(m.ContextRef)
	switch p := &m.Payload; {
	case p.Dispatch != nil:
		l.dispatch(p.Dispatch)
	case p.Result != nil:
		l.result(p.Result)
	case p.Request != nil:
		l.request(p.Request)
	case p.Verdict != nil:
		l.verdict(p.Verdict)
	case p.Escalation != nil:
		l.escalation(p.Escalation)
	}
	return l
}

func (l *textList) dispatch(d *agn.Dispatch) {
	l.odd(&d.Repo, &d.Branch, &d.Risk)
	l.add(&d.Description)
	for i := range d.Subtasks {
		l.odd(&d.Subtasks[i].ID)
		l.add(&d.Subtasks[i].Description)
	}
	l.all(d.Criteria)
	l.all(d.Forbidden)
}

func (l *textList) result(r *agn.Result) {
	l.odd(&r.SubtaskID, &r.Status, &r.Commit)
	l.all(r.Blockers)
	l.all(r.Notes)
	l.all(r.Files)
	for i := range r.Log {
		l.add(&r.Log[i].Action, &r.Log[i].File, &r.Log[i].Detail)
	}
}

func (l *textList) request(r *agn.Request) {
	l.odd(&r.DispatchRef, &r.ResultRef, &r.Scope)
	for i := range r.CI {
		l.odd(&r.CI[i].Name, &r.CI[i].Status)
	}
	l.add(&r.Notes, &r.DiffURL)
}

func (l *textList) verdict(v *agn.Verdict) {
	l.odd(&v.Decision)
	for i := range v.Criteria {
		l.add(&v.Criteria[i].Text, &v.Criteria[i].Evidence)
	}
	for i := range v.Issues {
		l.odd(&v.Issues[i].Severity)
		l.add(&v.Issues[i].File, &v.Issues[i].Description, &v.Issues[i].SuggestedFix)
	}
	for i := range v.Fixes {
		l.add(&v.Fixes[i].File, &v.Fixes[i].Change)
	}
	l.add(&v.Architecture)
}

func (l *textList) escalation(e *agn.Escalation) {
	l.odd(&e.Kind, &e.Severity, &e.TriggeredBy, &e.Snapshot.TaskStatus, &e.Snapshot.LastSuccessful)
	l.allOdd(e.Affected)
	l.all(e.Suggested)
	l.add(&e.Description)
}
