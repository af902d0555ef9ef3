package check

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
)

// turnsKind is a thread's messages.jsonl.
var turnsKind = kind{
	open: []DocumentKind{{
		Pattern:  "**/" + atsf.DirName + "/" + atsf.ThreadsName + "/*/" + atsf.MessagesName,
		MaxBytes: maxLogText, Marks: [][]string{},
	}},
	known: func(doc *Document, _ Stores) bool {
		return path.Base(doc.File) == atsf.MessagesName && inThread(path.Dir(doc.File))
	},
	check: checkTurns,
}

// turnLine holds the values by which the messages of a thread are compared.
type turnLine struct {
	id   string
	time atsf.Time
	// The spans of the id and the time in the line.
	idStart, idEnd, timeStart, timeEnd int
}

// checkTurns checks messages.jsonl against the rules of ATSF: first each line alone, then
// the ids and times of all lines.
func checkTurns(ctx context.Context, doc *Document, _ Stores, last *Checked) (*Checked, error) {
	var before *lineLog
	if last != nil {
		before = last.lines
	}
	l, err := readLines(ctx, doc.Text, turnRules, before)
	if err != nil {
		return nil, err
	}
	g := collector{text: doc.Text}
	ids := make(map[string]int)
	var newest atsf.Time
	for i := range l.lines {
		line := &l.lines[i]
		for _, d := range line.found {
			d.Start, d.End = d.Start+line.start, d.End+line.start
			g.add(d)
		}
		t := line.turn
		if t == nil {
			continue
		}
		at := func(start, end int, severity Severity, rule, message string) {
			g.add(atsfPage.finding(line.start+start, line.start+end, severity, rule, message))
		}
		if first, twice := ids[t.id]; twice {
			at(t.idStart, t.idEnd, Error, "M2", fmt.Sprintf("line %d already uses the id %.80q", first, t.id))
		} else if t.id != "" {
			ids[t.id] = i + 1
		}
		if t.time.OK {
			if newest.OK && t.time.Millis < newest.Millis {
				at(t.timeStart, t.timeEnd, Information, "M1", "the message is older than the one before it")
			}
			newest = t.time
		}
	}
	return &Checked{Found: g.done(l.why, "signalbox threads check"), lines: l}, nil
}

// turnRules checks one line. It is a [lineRules].
func turnRules(raw string) (found []Diagnostic, turn *turnLine, outside bool) {
	add := func(start, end int, severity Severity, rule, reason string) {
		found = append(found, atsfPage.finding(start, end, severity, rule, reason))
	}
	if raw == "" || raw[len(raw)-1] != '\n' {
		start, end := lineSpan(raw, len(raw))
		add(start, end, Information, "M5", "the last line has no line end and is not read yet: a program is writing it, or was interrupted")
		return found, nil, false
	}
	line := raw[:len(raw)-1]
	if strings.Trim(line, " \t\r") == "" {
		return nil, nil, false
	}
	if len(line) > jsonl.MaxLine {
		start, end := lineSpan(line, 0)
		add(start, end, Error, "M1", fmt.Sprintf("the line is %d bytes long; at most %d are read", len(line), jsonl.MaxLine))
		return found, nil, false
	}
	m, err := atsf.ParseMessage([]byte(line))
	if err != nil {
		if f := asFault(err); f != nil {
			start, end := lineSpan(line, f.Offset)
			add(start, end, Error, f.Rule, f.Reason)
		}
		return found, nil, false
	}
	for severity, list := range [][]canon.Fault{Error: m.Faults, Information: m.Notes} {
		for i := range list {
			found = append(found, agentDiagnostic(line, &list[i], Severity(severity)))
		}
	}
	for i := range m.Content {
		b := &m.Content[i]
		if !b.Known || b.AssetRef == "" {
			continue
		}
		if _, err := atsf.ParseAssetName(b.AssetRef); err != nil {
			f := asFault(err)
			start, end := memberSpan(line[b.Offset:b.Offset+len(b.Raw)], "assetRef")
			add(b.Offset+start, b.Offset+end, Error, f.Rule, f.Reason)
		}
	}
	turn = &turnLine{id: m.ID, time: m.Time}
	turn.idStart, turn.idEnd = memberSpan(line, "id")
	turn.timeStart, turn.timeEnd = memberSpan(line, "timestamp")
	return found, turn, false
}
