package diagnose

import (
	"context"
	"path"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// maxLogFixes is the largest number of lines that get fixes in one call.
const maxLogFixes = 100

// logFixes returns fixes for lines of the user's own log. Only its writer may change a log
// (rule L4). A record that readers have seen keeps its fields and id, so fixes complete or
// remove lines that readers skip and add ids that readers compute anyway.
func logFixes(_ context.Context, doc *Document, stores Stores, from, to int) (list []Fix, err error) {
	stem, _ := samp.LogStem(path.Base(doc.File))
	o := openLog{stem: stem, dir: stores.MessageDirectory(doc.Path)}
	if !o.own() {
		return nil, nil
	}
	text := doc.Text
	from, to = min(from, len(text)), min(to, len(text))
	at := strings.LastIndexByte(text[:from], '\n') + 1
	for n := 0; at <= to && at < len(text) && n < maxLogFixes; {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		fixes := o.lineFixes(text[at:end], at, end == len(text))
		if len(fixes) > 0 {
			n++
		}
		list = append(list, fixes...)
		at = end
	}
	return list, nil
}

// lineFixes returns the fixes of one line, which begins at an offset of the text.
func (o *openLog) lineFixes(raw string, at int, last bool) (list []Fix) {
	line := strings.TrimSuffix(raw, "\n")
	found, _, _ := o.rules(raw)
	add := func(d Diagnostic, title string, preferred bool, edits ...Edit) {
		d.Start, d.End = d.Start+at, d.End+at
		for i := range edits {
			edits[i].Start, edits[i].End = edits[i].Start+at, edits[i].End+at
		}
		list = append(list, Fix{Title: title, Diagnostic: d, Preferred: preferred, Edits: edits})
	}
	rec, err := samp.Parse([]byte(line))
	for _, d := range found {
		switch {
		case d.Rule == "W3" && err == nil:
			add(d, "Add the missing line end", true, Edit{Start: len(raw), End: len(raw), New: "\n"})
		case d.Rule == "I3" && err == nil && rec.From == o.stem:
			id := samp.ID(&rec, o.dir.Profile())
			start, end, before, after := idPlace(line)
			add(d, "Set the id to "+id+", as readers compute it", true, Edit{Start: start, End: end, New: before + string(canon.AppendString(nil, id)) + after})
		case d.Rule[0] == 'R' && err != nil:
			rest := strings.TrimPrefix(line, byteOrderMark)
			if _, err := samp.Parse([]byte(rest)); rest != line && err == nil {
				add(d, "Remove the byte order mark", true, Edit{End: len(byteOrderMark)})
			}
			// "signalbox compact" keeps such lines, because a person may want to read them.
			title := "Remove the line, which readers skip"
			if last && len(line) == len(raw) {
				title = "Remove the unfinished line, which readers skip"
			}
			add(d, title, false, Edit{End: len(raw)})
		}
	}
	return list
}
