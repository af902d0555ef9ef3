package diagnose

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// maxMark is the length in bytes of the longest .seen file that is checked, and
// maxMarkIDs the number of its ids that are looked up.
const (
	maxMark    = 1 << 20
	maxMarkIDs = 1000
)

// watermarkKind is a reader's .seen file.
var watermarkKind = kind{
	open: []DocumentKind{{Pattern: "**/" + samp.WatermarkName("*"), MaxBytes: maxMark, Marks: [][]string{}}},
	known: func(doc *Document, _ Stores) bool {
		alias, ok := strings.CutPrefix(path.Base(doc.File), samp.WatermarkName(""))
		return ok && samp.ValidAlias(alias)
	},
	check: checkMark,
}

// openMark is a reader's .seen file that is open in an editor.
type openMark struct {
	text  string
	dir   MessageDirectory
	now   int64 // in Unix seconds, 0 where it is not known
	mark  samp.Watermark
	ts    canon.Value
	ids   []canon.Value
	found []Diagnostic
}

// readMark reads a .seen file and what is wrong with it.
func readMark(doc *Document, stores Stores) *openMark {
	m := &openMark{text: doc.Text, now: stores.Now() / 1000, dir: stores.MessageDirectory(doc.Path)}
	if len(m.text) > maxMark {
		m.add(0, firstLine(m.text), Warning, "N2", fmt.Sprintf("the file is %d bytes long, and at most %d are looked at", len(m.text), maxMark))
		return m
	}
	var err error
	if m.mark, err = samp.ParseWatermark([]byte(m.text)); err != nil {
		if f, ok := errors.AsType[*canon.Fault](err); ok {
			start, end := lineSpan(m.text, f.Offset)
			if f.Field == "" && start == 0 {
				end = firstLine(m.text)
			}
			m.add(start, end, Error, f.Rule, advised(f.Reason, "until it is mended or removed, the reader is shown everything"))
		}
		return m
	}
	_ = canon.Object([]byte(m.text), func(key []byte, v canon.Value) error {
		switch string(key) {
		case "ts":
			m.ts = v
		case "ids":
			m.ids = m.ids[:0]
			return canon.Elements(v.Raw, func(e canon.Value) error {
				e.Offset += v.Offset
				m.ids = append(m.ids, e)
				return nil
			})
		}
		return nil
	})
	m.time()
	m.names()
	return m
}

func (m *openMark) add(start, end int, severity Severity, rule, message string) {
	m.found = append(m.found, sampPage.finding(start, end, severity, rule, message))
}

func (m *openMark) addAt(v canon.Value, severity Severity, rule, message string) {
	m.add(v.Offset, v.Offset+len(v.Raw), severity, rule, message)
}

func (m *openMark) time() {
	if m.now > 0 && m.mark.TS > m.now {
		m.addAt(m.ts, Warning, "N6", "the mark lies in the future, at "+when(m.mark.TS)+": until then it hides what honest senders write")
	}
}

// names looks at the ids: their form, and whether any log has them.
func (m *openMark) names() {
	senders := 0
	for _, id := range m.mark.IDs {
		if strings.Contains(id, ":") {
			senders++
		}
	}
	if senders > 0 && senders < len(m.mark.IDs) {
		i := slices.IndexFunc(m.mark.IDs, func(id string) bool { return strings.Contains(id, ":") })
		m.addAt(m.ids[i], Information, "N2", fmt.Sprintf("%d of %d ids have their sender before them: both forms are read, and the text of the format has the id alone", senders, len(m.mark.IDs)))
	}
	if m.dir == nil {
		return
	}
	for i, name := range m.mark.IDs[:min(len(m.mark.IDs), maxMarkIDs)] {
		if m.message(name) == nil {
			m.addAt(m.ids[i], Information, "N2", "no log here has a message "+quoteName(name))
		}
	}
}

// message gives the message that a name in the mark stands for, or nil. Of several
// with one id that of the mark's own second is meant.
func (m *openMark) message(name string) *samp.Found {
	sender, id := "", name
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		sender, id = name[:i], name[i+1:]
	}
	var one *samp.Found
	for _, f := range m.dir.Find(id) {
		if (sender == "" || f.From == sender) && (one == nil || f.TS == m.mark.TS) {
			one = &f
		}
	}
	return one
}

// checkMark finds what is wrong with a .seen file.
func checkMark(_ context.Context, doc *Document, stores Stores, _ *Checked) (*Checked, error) {
	m := readMark(doc, stores)
	g := gathered{text: m.text}
	for _, d := range m.found {
		g.add(d)
	}
	return &Checked{Found: g.done(&lineLog{}, pages+"diagnostics.md#large-files"), Outside: true}, nil
}

// when words a time in Unix seconds. It names the zone, because the server may run in
// another one than the reader.
func when(seconds int64) string {
	const latest = 8_640_000_000_000 // the last second that JavaScript can show
	return time.Unix(max(-latest, min(latest, seconds)), 0).Format("2006-01-02 15:04 MST")
}
