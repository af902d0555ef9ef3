package samp

import (
	"bytes"
	"context"
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
)

// Report sums up what [Dir.Examine] found.
type Report struct {
	// Logs and Records count what was read. Malformed counts the lines that aren't records.
	Logs, Records, Malformed int
	// Forms counts records by the form of their id.
	Forms [samp.FormWrong + 1]int
	// Violations counts the problems that break a rule, Notes the others.
	Violations, Notes int
	// Suspicious counts records in somebody else's log that have no original.
	Suspicious int
}

// Examine reads every line of every log and looks at every file (rule C3). It passes
// each problem to emit as soon as it finds it, so that a log full of garbage takes no
// more memory than a good one. Records in somebody else's log come last, once it is
// known whether they have an original.
func (d *Dir) Examine(ctx context.Context, emit func(Problem)) (Report, error) {
	logs, problems, err := d.Logs()
	if err != nil {
		return Report{}, err
	}
	names, err := d.names()
	if err != nil {
		return Report{}, err
	}
	x := examiner{dir: d, emit: emit, seed: maphash.MakeSeed(), buf: lineread.New()}
	x.report.Logs = len(logs)
	for _, p := range problems {
		x.add(p)
	}
	x.files(logs, names)
	for _, log := range logs {
		if err := x.log(ctx, log); err != nil {
			return x.report, err
		}
	}
	err = x.reportForeign(ctx, logs)
	return x.report, err
}

type examiner struct {
	dir     *Dir
	emit    func(Problem)
	seed    maphash.Seed
	buf     *lineread.Reader
	report  Report
	foreign []foreignRecord
	// hasOwn is set if the present log contains a record of its writer. copiedFrom is the
	// sender of another record in it, if the log may be a copy of that sender's log.
	hasOwn     bool
	copiedFrom string
}

// foreignRecord is a record in somebody else's log, without its text: a whole log may
// consist of such records.
type foreignRecord struct {
	file    string
	line    int
	from    string
	content uint64
}

func (x *examiner) add(p Problem) {
	if p.Violation {
		x.report.Violations++
	} else {
		x.report.Notes++
	}
	x.emit(p)
}

// files checks the names of files, and the readers' watermarks.
func (x *examiner) files(logs []Log, names []string) {
	stems := make([]string, 0, len(logs))
	for i, l := range logs {
		for _, f := range samp.NameFindings(l.Stem, stems[:i]) {
			x.add(problem(l.Name, 0, f))
		}
		stems = append(stems, l.Stem)
	}
	for _, name := range names {
		if p := x.dir.stray(name); p != nil {
			x.add(*p)
		}
		if me, ok := strings.CutPrefix(name, samp.WatermarkName("")); ok && samp.ValidAlias(me) {
			if _, _, err := x.dir.Watermark(me); err != nil {
				x.add(Problem{
					Rule: "N2", File: name, Violation: true, Reason: disk.Cause(err).Error(),
					Advice: "remove it: the reader is then shown everything once more",
				})
			}
		}
	}
}

func (x *examiner) log(ctx context.Context, log Log) error {
	f, err := x.dir.OpenRegular(log.Name)
	if err != nil {
		x.add(unreadable(log, err))
		return nil
	}
	defer f.Close()
	line := 0
	x.hasOwn, x.copiedFrom = false, ""
	err = x.buf.Read(ctx, f, 0, 1<<62, lineread.Visitor{Line: func(_ int64, raw []byte, _ bool) {
		line++
		x.line(log, line, raw)
	}, Skipped: func(p lineread.Skipped) {
		line++
		if p.Fault != nil {
			x.found(log, line, &samp.Inspection{Malformed: true, Findings: canon.Findings{Faults: []canon.Fault{*p.Fault}}}, !p.Whole)
		}
	}})
	if err != nil && ctx.Err() == nil {
		x.add(unreadable(log, err))
		return nil
	}
	if _, named := samp.CopyOf(log.Stem); !named && !x.hasOwn && x.copiedFrom != "" {
		// OneDrive names a copy after the computer: "log-alice-DESKTOP-1.jsonl".
		x.add(Problem{
			Rule: "S1", File: log.Name, Reason: fmt.Sprintf("holds %s's records and none of its own: a sync tool may have made it of %s", x.copiedFrom, samp.LogName(x.copiedFrom)),
			Advice: "its records are shown once and marked; if you know that it is a copy and " + samp.LogName(x.copiedFrom) + " holds all of it, remove it",
		})
	}
	return ctx.Err()
}

// line checks one line. It overwrites raw.
func (x *examiner) line(log Log, line int, raw []byte) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return
	}
	torn := raw[len(raw)-1] != '\n'
	in := samp.Inspect(raw, log.Stem)
	x.found(log, line, &in, torn)
}

// found counts a line and reports its problems.
func (x *examiner) found(log Log, line int, in *samp.Inspection, torn bool) {
	if in.Malformed {
		x.report.Malformed++
	} else {
		x.report.Records++
		switch samp.ProvenanceOf(log.Stem, in.Record.From) {
		case samp.Own:
			x.hasOwn = true
		case samp.Copied:
			x.copiedFrom = strings.Clone(in.Record.From)
		}
		x.report.Forms[in.Form]++
	}
	for _, f := range samp.LineFindings(in, torn) {
		if f.Rule == "L4" {
			x.foreign = append(x.foreign, foreignRecord{log.Name, line, strings.Clone(in.Record.From), ContentHash(x.seed, &in.Record)})
			continue
		}
		x.add(problem(log.Name, line, f))
	}
}

// problem returns the problem for a finding about a line, or about the whole file if line is 0.
func problem(file string, line int, f samp.Finding) Problem {
	return Problem{Rule: f.Rule, File: file, Line: line, Reason: f.Reason, Advice: f.Advice, Violation: f.Violation}
}

// reportForeign reports each record in somebody else's log as a replica or as possibly forged,
// by the same rules as an inbox.
func (x *examiner) reportForeign(ctx context.Context, logs []Log) error {
	contents, senders := make(map[uint64]bool), make(map[string]bool)
	for _, m := range x.foreign {
		contents[m.content], senders[m.from] = true, true
	}
	all := Lines{dir: x.dir, logs: logs, seed: x.seed, wants: func(f *samp.Found) bool {
		return senders[f.From] && contents[ContentHash(x.seed, &f.Record)]
	}}
	if len(contents) > 0 {
		if err := all.find(ctx); err != nil {
			return err
		}
	}
	forged := make(map[uint64]bool)
	for _, s := range all.deduplicate() {
		forged[s.text] = true
	}
	for _, m := range x.foreign {
		if !forged[m.content] {
			x.add(Problem{
				Rule: "S1", File: m.file, Line: m.line, Reason: fmt.Sprintf("a replica of a record in %s", samp.LogName(m.from)),
				Advice: "it is shown once; nothing has to be done",
			})
			continue
		}
		x.report.Suspicious++
		x.add(Problem{
			Rule: "L4", File: m.file, Line: m.line, Violation: true,
			Reason: samp.ForgedReason(m.from),
			Advice: fmt.Sprintf("it may be forged and is not mixed into the inbox: ask %+q before trusting it", m.from),
		})
	}
	return nil
}

// ContentHash returns a hash of a record's content. It is valid only within one run.
func ContentHash(seed maphash.Seed, r *samp.Record) uint64 {
	return maphash.Comparable(seed, r.Content())
}
