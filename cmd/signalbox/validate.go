package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/spf13/cobra"
)

func (o *options) validateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "validate [DIR]",
		Short: "Check every line of every log, and say what to do about each fault",
		Long: `Check every line of every log against the rules of the format, and say what to
do about each fault. Exit code 1 if a rule is broken; notes break none.`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: action(func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.dir = args[0]
			}
			return o.validate(cmd.Context())
		}),
	}
}

func (o *options) validate(ctx context.Context) error {
	d, err := o.openExisting()
	if err != nil {
		return err
	}
	defer d.Close()
	f := o.findings()
	report, err := d.Examine(ctx, f.add)
	if err != nil {
		return cmp.Or(f.w.Flush(), err)
	}
	f.summary(d.Path(), &report)
	return cmp.Or(f.w.Flush(), f.verdict())
}

// findings writes problems as they are found.
type findings struct {
	w          *bufio.Writer
	paint      paint
	json       bool
	violations int
}

func (o *options) findings() *findings {
	return &findings{w: o.writer(), paint: o.paint(), json: o.json}
}

// add writes one problem as file:line: RULE: reason, with the advice below.
func (f *findings) add(p store.Problem) {
	if p.Violation {
		f.violations++
	}
	if f.json {
		out := object{w: f.w}
		out.text("rule", p.Rule).text("file", p.File).number("line", int64(p.Line))
		out.text("reason", p.Reason).text("advice", p.Advice).bool("violation", p.Violation).end()
		return
	}
	if p.File != "" {
		f.w.WriteString(line(p.File) + ":")
		if p.Line > 0 {
			fmt.Fprintf(f.w, "%d:", p.Line)
		}
		f.w.WriteByte(' ')
	}
	style, kind := red, ""
	if !p.Violation {
		style, kind = yellow, "note: "
	}
	f.w.WriteString(f.paint.in(style, p.Rule+":") + " " + kind + line(p.Reason) + "\n")
	if p.Advice != "" {
		writeText(f.w, p.Advice, "    ")
	}
}

// summary says how many records follow which form of id.
func (f *findings) summary(path string, r *store.Report) {
	if f.json {
		out := object{w: f.w}
		out.text("summary", path).number("logs", int64(r.Logs)).number("records", int64(r.Records))
		for form, n := range r.Forms {
			out.number(samp.Form(form).String(), int64(n))
		}
		out.number("malformed", int64(r.Malformed)).number("suspicious", int64(r.Suspicious))
		out.number("violations", int64(r.Violations)).number("notes", int64(r.Notes)).end()
		return
	}
	var forms []string
	for form, n := range r.Forms {
		if n > 0 {
			forms = append(forms, fmt.Sprint(n, " ", formName(samp.Form(form))))
		}
	}
	fmt.Fprintf(f.w, "%s: %s, %s", line(path), plural(r.Logs, "log"), plural(r.Records, "record"))
	if len(forms) > 0 {
		fmt.Fprintf(f.w, " (ids: %s)", strings.Join(forms, ", "))
	}
	fmt.Fprintf(f.w, ", %s, %s, %s\n", plural(r.Malformed, "malformed line"), plural(r.Violations, "violation"), plural(r.Notes, "note"))
}

// formName names a form with the profile it belongs to.
func formName(f samp.Form) string {
	if p, ok := f.Profile(); ok {
		return f.String() + " (" + p.String() + ")"
	}
	return f.String()
}

// verdict ends the command with 1 if a rule is broken.
func (f *findings) verdict() error {
	if f.violations > 0 {
		return silent(exitFailed)
	}
	return nil
}
