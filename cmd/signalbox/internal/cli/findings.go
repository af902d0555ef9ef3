package cli

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
)

// Findings writes problems to stdout as they are found.
type Findings struct {
	w          *bufio.Writer
	paint      Paint
	json       bool
	violations int
	// rules counts the problems of each rule. It may be nil.
	rules map[string]int
}

// Findings returns empty findings.
func (o *Options) Findings() *Findings {
	return &Findings{w: o.Writer(), paint: o.Paint(), json: o.JSON}
}

// CountFindings returns findings of which nothing is written, and counts the problems of each rule
// in rules.
func CountFindings(rules map[string]int) *Findings {
	return &Findings{w: bufio.NewWriter(io.Discard), rules: rules}
}

// Add writes one problem as file:line: RULE: reason, with the advice below.
func (f *Findings) Add(p box.Problem) {
	if p.Violation {
		f.violations++
	}
	if f.rules != nil {
		f.rules[p.Rule]++
	}
	if f.json {
		_ = Print(f.w, printed.Problem{Rule: p.Rule, File: p.File, Line: p.Line, Reason: p.Reason, Advice: p.Advice, Violation: p.Violation})
		return
	}
	if p.File != "" {
		f.w.WriteString(Line(p.File) + ":")
		if p.Line > 0 {
			fmt.Fprintf(f.w, "%d:", p.Line)
		}
		f.w.WriteByte(' ')
	}
	style, kind := Red, ""
	if !p.Violation {
		style, kind = Yellow, "note: "
	}
	f.w.WriteString(f.paint.In(style, p.Rule+":") + " " + kind + Line(p.Reason) + "\n")
	if p.Advice != "" {
		WriteText(f.w, p.Advice, "    ")
	}
}

// Fact writes a value that was chosen, and why.
func (f *Findings) Fact(name, value, why string) {
	if f.json {
		_ = Print(f.w, printed.Fact{Fact: name, Value: value, Origin: why})
		return
	}
	fmt.Fprintf(f.w, "%-11s %s  (%s)\n", name+":", Line(value), Line(why))
}

// Fixed writes a repair that was made, with the details below it.
func (f *Findings) Fixed(rule, file, reason, details string) {
	if f.json {
		_ = Print(f.w, printed.Fixed{Fixed: rule, File: file, Reason: reason, Advice: details})
		return
	}
	fmt.Fprintf(f.w, "%s: %s: fixed: %s\n", Line(file), rule, Line(reason))
	if details != "" {
		WriteText(f.w, details, "    ")
	}
}

// Summary writes how many records a directory has, by the form of their ids, and how many problems.
func (f *Findings) Summary(path string, r *box.Report) {
	if f.json {
		_ = Print(f.w, printed.Summary{
			Summary: path, Logs: r.Logs, Records: r.Records,
			Spaced: r.Forms[samp.FormSpaced], Compact: r.Forms[samp.FormCompact], ASCII: r.Forms[samp.FormASCII],
			Unnormalised: r.Forms[samp.FormUnnormalised], Wrong: r.Forms[samp.FormWrong], Missing: r.Forms[samp.FormMissing],
			Malformed: r.Malformed, Suspicious: r.Suspicious, Violations: r.Violations, Notes: r.Notes,
		})
		return
	}
	var forms []string
	for form, n := range r.Forms {
		if n > 0 {
			forms = append(forms, fmt.Sprint(n, " ", formName(samp.Form(form))))
		}
	}
	fmt.Fprintf(f.w, "%s: %s, %s", Line(path), Plural(r.Logs, "log"), Plural(r.Records, "record"))
	if len(forms) > 0 {
		fmt.Fprintf(f.w, " (ids: %s)", strings.Join(forms, ", "))
	}
	fmt.Fprintf(f.w, ", %s, %s, %s\n", Plural(r.Malformed, "malformed line"), Plural(r.Violations, "violation"), Plural(r.Notes, "note"))
}

func formName(f samp.Form) string {
	if p, ok := f.Profile(); ok {
		return f.String() + " (" + p.String() + ")"
	}
	return f.String()
}

// End flushes the output and returns err, or the error of flushing.
func (f *Findings) End(err error) error { return cmp.Or(f.w.Flush(), err) }

// Verdict returns an error that ends the command with 1 if a rule is broken.
func (f *Findings) Verdict() error {
	if f.violations > 0 {
		return Silent(ExitFailed)
	}
	return nil
}
