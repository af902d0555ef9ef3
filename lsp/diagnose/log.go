package diagnose

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

// logKind is a log of SAMP.
var logKind = kind{
	open: []DocumentKind{
		{Pattern: "**/" + samp.LogName("*"), MaxBytes: maxLogText, Marks: [][]string{logMarks}, Within: sniffBytes},
		{Pattern: "**/{" + strings.Join(messageDirs, ",") + "}/" + samp.LogName("*"), MaxBytes: maxLogText, Marks: [][]string{}},
	},
	known: isLog,
	check: checkLog,
	fixes: logFixes,
}

// logMarks are what stands in every log of SAMP, within its first bytes: others
// call files log-….jsonl too.
var logMarks = []string{`"from"`, `"thread"`, `"body"`}

// sniffBytes is how much of a log is looked at for its marks.
const sniffBytes = 64 << 10

// messageDirs are the names of the default message directories. A log in one is
// known whatever it holds.
var messageDirs = []string{".message", "agent-message"}

// isLog reports whether a document is a log: by its name, and by the directory that it
// lies in or by its text.
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
	dir  MessageDirectory // nil where it is not open
	// garbled are the lines on disk that are no UTF-8, as an editor shows them.
	garbled map[string]bool
}

// checkLog finds what "signalbox validate" reports of a log.
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
	g := gathered{text: doc.Text}
	var others []store.Log
	if o.dir != nil {
		for _, log := range o.dir.Logs() {
			if log.Stem < stem {
				others = append(others, log)
			}
		}
	}
	for _, p := range store.NameProblems(stem, others) {
		g.add(sampPage.finding(0, firstLine(doc.Text), weight(p.Violation), p.Rule, advised(p.Reason, p.Advice)))
	}
	g.lines(l)
	return &Checked{Found: g.done(l, pages+"diagnostics.md#large-files"), Outside: l.outside, lines: l}, nil
}

func weight(violation bool) Severity {
	if violation {
		return Error
	}
	return Information
}

// advised puts a reason and what can be done into one line.
func advised(reason, advice string) string {
	if advice != "" {
		reason += "; " + advice
	}
	return reason
}

// rules are those of one line.
func (o *openLog) rules(raw string) (found []Diagnostic, _ *turnLine, outside bool) {
	if strings.Trim(raw, " \t\r\n") == "" {
		return nil, nil, false
	}
	line := strings.TrimSuffix(raw, "\n")
	if len(o.garbled) > 0 && strings.Contains(line, shownForBytes) && o.garbled[garble(line)] {
		start := strings.Index(line, shownForBytes)
		reason := advised("the line on disk is not valid UTF-8, and is shown with U+FFFD instead", "readers skip the line; correct it, or leave it: nothing else is lost")
		return []Diagnostic{sampPage.finding(start, start+len(shownForBytes), Error, "R2", reason)}, nil, true
	}
	in := samp.Inspect([]byte(raw), o.stem)
	for _, f := range store.LineFindings(&in, len(line) == len(raw)) {
		if f.Rule == "L4" {
			outside = true
			o.misfiled(&f, &in.Record)
		}
		if f.Rule == "I1" {
			f.Reason += "; " + rightIDs(&in.Record)
		}
		start, end := logSpan(line, &f, in.Malformed)
		found = append(found, sampPage.finding(start, end, weight(f.Violation), f.Rule, advised(f.Reason, f.Advice)))
	}
	return found, nil, outside
}

// misfiled words what a record is that claims another sender than the log's.
func (o *openLog) misfiled(f *store.LineFinding, r *samp.Record) {
	switch {
	case o.dir == nil:
	case o.dir.HasOriginal(r):
		f.Rule, f.Violation = "S1", false
		f.Reason = "a replica of a record in " + samp.LogName(r.From)
		f.Advice = "it is shown once; nothing has to be done"
	default:
		f.Reason = store.MisfiledReason(r.From)
		f.Advice = fmt.Sprintf("it may be forged and is not mixed into the inbox: ask %+q before trusting it", r.From)
	}
}

// rightIDs names the ids that a record's content gives.
func rightIDs(r *samp.Record) string {
	return "it would be " + samp.ID(r, samp.V1) + " (" + samp.FormSpaced.String() + ") or " + samp.ID(r, samp.V1Compact) + " (" + samp.FormCompact.String() + ")"
}

// logSpan gives a finding its place in a line.
func logSpan(line string, f *store.LineFinding, malformed bool) (start, end int) {
	switch {
	case f.Rule == "W3":
		// What is torn is torn at its end.
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

// shownForBytes is what an editor shows for bytes that are no UTF-8.
const shownForBytes = "\ufffd"

// garbledLines gives the lines of a file that are no UTF-8, by what [garble] makes
// of them.
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

// garble makes a line the same whether an editor has shown it or not: they differ
// in how many characters stand for bytes that are none.
func garble(line string) string {
	line = strings.ToValidUTF8(line, shownForBytes)
	for strings.Contains(line, shownForBytes+shownForBytes) {
		line = strings.ReplaceAll(line, shownForBytes+shownForBytes, shownForBytes)
	}
	return line
}

// ownLog reports whether a log is the reader's own, so that it may be changed
// (rule L4): it lies in an open directory and has the reader's alias.
func (o *openLog) own() bool { return o.dir != nil && o.stem != "" && o.stem == o.dir.Alias() }

// idPlace gives where a record's id stands, or has to stand between before and
// after.
func idPlace(line string) (start, end int, before, after string) {
	brace := strings.IndexByte(line, '{') + 1
	start, end, before, after = brace, brace, `"id": `, ", "
	_ = canon.Object([]byte(line), func(key []byte, v canon.Value) error {
		if string(key) == "id" {
			start, end, before, after = v.Offset, v.Offset+len(v.Raw), "", ""
		}
		return nil
	})
	return start, end, before, after
}
