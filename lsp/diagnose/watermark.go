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

const (
	// maxWatermark is the length in bytes of the longest .seen file that is checked.
	maxWatermark = 1 << 20
	// maxLookups is how many of its ids are looked up in the logs.
	maxLookups = 1000
)

// watermarkKind is a reader's .seen file.
var watermarkKind = kind{
	open: []DocumentKind{{Pattern: "**/" + samp.WatermarkName("*"), MaxBytes: maxWatermark, Marks: [][]string{}}},
	known: func(doc *Document, _ Stores) bool {
		alias, ok := strings.CutPrefix(path.Base(doc.File), samp.WatermarkName(""))
		return ok && samp.ValidAlias(alias)
	},
	check: checkWatermark,
}

// openWatermark is a reader's .seen file that is open in an editor.
type openWatermark struct {
	text  string
	dir   MessageDirectory // nil if no open directory holds the file
	now   int64            // in Unix seconds, or 0
	mark  samp.Watermark
	ts    canon.Value   // of "ts"
	ids   []canon.Value // of "ids"
	found []Diagnostic
}

// readWatermark reads and checks a .seen file.
func readWatermark(doc *Document, stores Stores) *openWatermark {
	m := &openWatermark{text: doc.Text, now: stores.Now() / 1000, dir: stores.MessageDirectory(doc.Path)}
	if len(m.text) > maxWatermark {
		m.add(0, firstLine(m.text), Warning, "N2", fmt.Sprintf("the file is %d bytes long; at most %d are checked", len(m.text), maxWatermark))
		return m
	}
	var err error
	if m.mark, err = samp.ParseWatermark([]byte(m.text)); err != nil {
		if f, ok := errors.AsType[*canon.Fault](err); ok {
			start, end := lineSpan(m.text, f.Offset)
			if f.Field == "" && start == 0 {
				end = firstLine(m.text)
			}
			m.add(start, end, Error, f.Rule, advised(f.Reason, "correct or remove the file: until then its reader is shown all mail"))
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

// add adds a diagnostic.
func (m *openWatermark) add(start, end int, severity Severity, rule, message string) {
	m.found = append(m.found, sampPage.finding(start, end, severity, rule, message))
}

// addAt adds a diagnostic at a value.
func (m *openWatermark) addAt(v canon.Value, severity Severity, rule, message string) {
	m.add(v.Offset, v.Offset+len(v.Raw), severity, rule, message)
}

// time checks whether the watermark lies in the future.
func (m *openWatermark) time() {
	if m.now > 0 && m.mark.TS > m.now {
		m.addAt(m.ts, Warning, "N6", `"ts" lies in the future, at `+when(m.mark.TS)+": until then some programs do not show new mail")
	}
}

// names checks how the ids are written, and whether any log has them.
func (m *openWatermark) names() {
	senders := 0
	for _, id := range m.mark.IDs {
		if strings.Contains(id, ":") {
			senders++
		}
	}
	if senders > 0 && senders < len(m.mark.IDs) {
		i := slices.IndexFunc(m.mark.IDs, func(id string) bool { return strings.Contains(id, ":") })
		m.addAt(m.ids[i], Information, "N2", fmt.Sprintf("%d of %d ids are written as sender:id; both forms are read, but SAMP has the id alone", senders, len(m.mark.IDs)))
	}
	if m.dir == nil {
		return
	}
	for i, name := range m.mark.IDs[:min(len(m.mark.IDs), maxLookups)] {
		if !m.logged(name) {
			m.addAt(m.ids[i], Information, "N2", "no log in this directory has a message "+quoteName(name))
		}
	}
}

// logged reports whether a log has the message that a name in the watermark stands for.
func (m *openWatermark) logged(name string) bool {
	sender, id := "", name
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		sender, id = name[:i], name[i+1:]
	}
	return slices.ContainsFunc(m.dir.Find(id), func(f samp.Found) bool { return sender == "" || f.From == sender })
}

// checkWatermark checks a .seen file.
func checkWatermark(_ context.Context, doc *Document, stores Stores, _ *Checked) (*Checked, error) {
	m := readWatermark(doc, stores)
	g := gathered{text: m.text}
	for _, d := range m.found {
		g.add(d)
	}
	return &Checked{Found: g.done("", "signalbox validate"), Outside: true}, nil
}

// when returns the text of a time in Unix seconds. It names the zone, because the server
// may run in another one than the reader.
func when(seconds int64) string {
	const latest = 8_640_000_000_000 // the last second that JavaScript can show
	return time.Unix(max(-latest, min(latest, seconds)), 0).Format("2006-01-02 15:04 MST")
}
