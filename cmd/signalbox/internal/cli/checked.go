package cli

import (
	"bufio"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Checked writes what a check of files finds: a line for each fault and, with --notes,
// for each note.
type Checked struct {
	W      *bufio.Writer
	Failed bool

	options *Options
	paint   Paint
	notes   bool
	hidden  []string

	// With sum set, the first findings are held back and all are counted by rule.
	sum    bool
	found  int
	first  []string
	byRule []*ruleCount
}

type ruleCount struct {
	rule, style, place, reason string
	count                      int
}

// fewFindings is how many findings are still shown one by one in a summary.
const fewFindings = 20

// SumUp makes a terminal show counts by rule if there are many findings.
func (c *Checked) SumUp() { c.sum = c.options.OnScreen() }

// Checked returns the output of a check. With notes it shows notes too.
func (o *Options) Checked(notes bool) *Checked {
	return &Checked{W: o.Writer(), options: o, paint: o.Paint(), notes: notes}
}

// File writes what was found in one file. Notes whose rule important accepts are always shown.
func (c *Checked) File(name string, found canon.Findings, important func(rule string) bool) {
	if len(found.Faults) == 0 {
		c.W.WriteString(name + ": ok\n")
	}
	for i := range found.Faults {
		c.Fault(name, found.Faults[i].Rule, found.Faults[i].Reason)
	}
	for i := range found.Notes {
		n := &found.Notes[i]
		c.Note(name, n.Rule, n.Reason, important(n.Rule))
	}
}

// Fault writes a broken rule and marks the check as failed.
func (c *Checked) Fault(place, rule, reason string) {
	c.Failed = true
	c.finding(place, rule, Red, Line(reason))
}

// Note writes a note if notes were asked for or this one is important.
func (c *Checked) Note(place, rule, reason string, important bool) {
	if c.notes || important {
		c.finding(place, rule, Yellow, "note: "+Line(reason))
	} else {
		c.Hide(rule)
	}
}

// finding writes a finding, or only counts it for [Checked.summary] if sum is set.
func (c *Checked) finding(place, rule, style, reason string) {
	line := place + ": " + c.paint.In(style, rule+":") + " " + reason + "\n"
	if !c.sum {
		c.W.WriteString(line)
		return
	}
	if c.found++; c.found <= fewFindings {
		c.first = append(c.first, line)
	}
	at := slices.IndexFunc(c.byRule, func(k *ruleCount) bool { return k.rule == rule && k.style == style })
	if at < 0 {
		at = len(c.byRule)
		c.byRule = append(c.byRule, &ruleCount{rule: rule, style: style, place: place, reason: reason})
	}
	c.byRule[at].count++
}

// summary writes the findings that were held back: each of them if they are few,
// otherwise a count for each rule with its first finding.
func (c *Checked) summary() {
	if c.found <= fewFindings {
		for _, line := range c.first {
			c.W.WriteString(line)
		}
		return
	}
	slices.SortStableFunc(c.byRule, func(a, b *ruleCount) int { return b.count - a.count })
	t := c.options.Table(c.W, Column{Title: "COUNT"}, Column{Title: "RULE"}, Column{Title: "FIRST", Least: 20}, Column{Title: "PROBLEM", Least: 20})
	for _, k := range c.byRule {
		t.Row(Cell{Text: Number(k.count)}, Cell{Text: k.rule, Style: k.style}, Cell{Text: k.place}, Cell{Text: k.reason})
	}
	t.Write()
	c.W.WriteString("\n" + Plural(c.found, "problem") + "; --all lists each of them\n")
}

// Hide remembers the rule of a note that is not shown, for [Checked.End] to list.
func (c *Checked) Hide(rule string) {
	if !slices.Contains(c.hidden, rule) {
		c.hidden = append(c.hidden, rule)
	}
}

// End flushes the output and lists the rules of notes that were not shown. It returns
// an error if the check has failed.
func (c *Checked) End() error {
	c.summary()
	if err := c.W.Flush(); err != nil {
		return err
	}
	if len(c.hidden) > 0 {
		slices.Sort(c.hidden)
		c.options.Warn("there are notes about %s, which break no rule (--notes shows them)", strings.Join(c.hidden, ", "))
	}
	if c.Failed {
		return Silent(ExitFailed)
	}
	return nil
}
