package check

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// logKind is a log of SAMP.
var logKind = kind{
	open: []DocumentKind{
		{Pattern: "**/" + samp.LogName("*"), MaxBytes: maxLogText, Marks: [][]string{logMarks}, Within: sniffBytes},
		{Pattern: "**/{" + strings.Join(messageDirs, ",") + "}/" + samp.LogName("*"), MaxBytes: maxLogText, Marks: [][]string{}},
	},
	known: isLog,
	check: checkLog,
}

// logMarks occur near the start of every log of SAMP. Other programs have files named
// log-….jsonl too.
var logMarks = []string{`"from"`, `"thread"`, `"body"`}

// sniffBytes is how much of a log is searched for its marks.
const sniffBytes = 64 << 10

// messageDirs are the names of the default message directories. Any file in them that has the
// name of a log counts as a log.
var messageDirs = []string{".message", "agent-message"}

// isLog reports whether a document has the name of a log, and either is in a message
// directory or looks like a log.
func isLog(doc *Document, stores Stores) bool {
	dir, name := path.Split(doc.File)
	if _, ok := samp.LogStem(name); !ok {
		return false
	}
	return slices.Contains(messageDirs, path.Base(dir)) || stores.MessageDirectory(doc.Path) != nil ||
		holds(doc.Text[:min(len(doc.Text), sniffBytes)], logMarks)
}

// openLog is a log of SAMP that is open in an editor.
type openLog struct {
	stem string
	dir  MessageDirectory // nil if no open directory holds the log
	// garbled holds the lines on disk that are not UTF-8, as [garble] returns them.
	garbled map[string]bool
}

// checkLog finds what "signalbox validate" reports about a log.
func checkLog(ctx context.Context, doc *Document, stores Stores, last *Checked) (*Checked, error) {
	var before *lineLog
	if last != nil {
		before = last.lines
	}
	stem, _ := samp.LogStem(path.Base(doc.File))
	o := openLog{stem: stem, dir: stores.MessageDirectory(doc.Path)}
	if strings.Contains(doc.Text, shownForBytes) {
		o.garbled = garbledLines(readDisk(doc.Path))
	}
	l, err := readLines(ctx, doc.Text, o.rules, before)
	if err != nil {
		return nil, err
	}
	g := collector{text: doc.Text}
	var others []string
	if o.dir != nil {
		for _, other := range o.dir.Stems() {
			if other < stem {
				others = append(others, other)
			}
		}
	}
	for _, f := range samp.NameFindings(stem, others) {
		g.add(sampPage.finding(0, firstLine(doc.Text), severityOf(f.Violation), f.Rule, advised(f.Reason, f.Advice)))
	}
	g.lines(l)
	return &Checked{Found: g.done(l.why, "signalbox validate"), Outside: l.outside, lines: l}, nil
}

// severityOf returns Error for a violation and Information for a note.
func severityOf(violation bool) Severity {
	if violation {
		return Error
	}
	return Information
}

// advised joins a reason and what to do about it.
func advised(reason, advice string) string {
	if advice != "" {
		reason += "; " + advice
	}
	return reason
}

// rules checks one line. It is a [lineRules].
func (o *openLog) rules(raw string) (found []Diagnostic, _ *turnLine, outside bool) {
	if strings.Trim(raw, " \t\r\n") == "" {
		return nil, nil, false
	}
	line := strings.TrimSuffix(raw, "\n")
	if len(o.garbled) > 0 && strings.Contains(line, shownForBytes) && o.garbled[garble(line)] {
		start := strings.Index(line, shownForBytes)
		reason := "the line on disk is not valid UTF-8, and the editor shows U+FFFD in it; correct it or leave it: readers skip only this line"
		return []Diagnostic{sampPage.finding(start, start+len(shownForBytes), Error, "R2", reason)}, nil, true
	}
	in := samp.Inspect([]byte(raw), o.stem)
	for _, f := range samp.LineFindings(&in, len(line) == len(raw)) {
		if f.Rule == "L4" {
			outside = true
			o.provenance(&f, &in.Record)
		}
		if f.Rule == "I1" {
			f.Reason += "; " + rightIDs(&in.Record)
		}
		start, end := logSpan(line, &f, in.Malformed)
		found = append(found, sampPage.finding(start, end, severityOf(f.Violation), f.Rule, advised(f.Reason, f.Advice)))
	}
	return found, nil, outside
}

// provenance corrects a finding about a record in another sender's log: the record is a copy
// or may be forged.
func (o *openLog) provenance(f *samp.Finding, r *samp.Record) {
	switch {
	case o.dir == nil:
	case o.dir.HasOriginal(r):
		f.Rule, f.Violation = "S1", false
		f.Reason = "a replica of a record in " + samp.LogName(r.From)
		f.Advice = "there is nothing to do: it is shown once"
	default:
		f.Reason = samp.ForgedReason(r.From)
		f.Advice = fmt.Sprintf("ask %+q before you trust it: it may be forged, and the inbox does not show it", r.From)
	}
}

// rightIDs names the ids that the content of a record may have.
func rightIDs(r *samp.Record) string {
	return "it should be " + samp.ID(r, samp.V1) + " (v1) or " + samp.ID(r, samp.V1Compact) + " (v1-compact)"
}

// logSpan returns where a problem in a line is underlined.
func logSpan(line string, f *samp.Finding, malformed bool) (start, end int) {
	switch {
	case f.Rule == "W3":
		// The line is incomplete: underline its last character.
		whole := strings.TrimRight(line, "\r")
		_, n := utf8.DecodeLastRuneInString(whole)
		return len(whole) - n, len(whole)
	case malformed && strings.HasPrefix(line, byteOrderMark):
		return 0, len(byteOrderMark)
	case malformed && f.Field != "" && strings.HasSuffix(f.Reason, "twice"):
		return nameSpan(line, f.Offset)
	case malformed && f.Offset > 0 || f.Field == "":
		return lineSpan(line, f.Offset)
	}
	return memberSpan(line, f.Field)
}

// shownForBytes is what an editor shows for bytes that are not UTF-8.
const shownForBytes = "\ufffd"

// garbledLines returns the lines of a file that are not UTF-8, each as [garble] returns it.
func garbledLines(data []byte) map[string]bool {
	set := map[string]bool{}
	for line := range bytes.Lines(data) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		if !utf8.Valid(line) && len(set) < maxLogFound {
			set[garble(string(line))] = true
		}
	}
	return set
}

// garble returns a line with one U+FFFD for each run of bytes that are not UTF-8. Editors
// show one or several, so that lines are compared in this form.
func garble(line string) string {
	line = strings.ToValidUTF8(line, shownForBytes)
	for strings.Contains(line, shownForBytes+shownForBytes) {
		line = strings.ReplaceAll(line, shownForBytes+shownForBytes, shownForBytes)
	}
	return line
}
