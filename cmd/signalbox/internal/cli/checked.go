package cli

import (
	"bufio"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Checked writes what a check of files finds: a line for each fault, and for each
// note where --notes asks for them.
type Checked struct {
	W      *bufio.Writer
	Failed bool

	program *Program
	paint   Paint
	notes   bool
	hidden  []string
}

// Checked returns the output of a check. notes shows notes, too.
func (o *Options) Checked(notes bool) *Checked {
	return &Checked{W: o.Writer(), program: o.Program, paint: o.Paint(), notes: notes}
}

// File writes what was found in one file. Pressing notes are always shown.
func (c *Checked) File(name string, found canon.Findings, pressing func(rule string) bool) {
	if len(found.Faults) == 0 {
		c.W.WriteString(name + ": ok\n")
	}
	for i := range found.Faults {
		c.Fault(name, found.Faults[i].Rule, found.Faults[i].Reason)
	}
	for i := range found.Notes {
		n := &found.Notes[i]
		c.Note(name, n.Rule, n.Reason, pressing(n.Rule))
	}
}

// Fault writes a broken rule and marks the check as failed.
func (c *Checked) Fault(place, rule, reason string) {
	c.Failed = true
	c.W.WriteString(place + ": " + c.paint.In(Red, rule+":") + " " + Line(reason) + "\n")
}

// Note writes a note if notes were asked for or this one is pressing.
func (c *Checked) Note(place, rule, reason string, pressing bool) {
	if c.notes || pressing {
		c.W.WriteString(place + ": " + c.paint.In(Yellow, rule+":") + " note: " + Line(reason) + "\n")
	} else {
		c.Hide(rule)
	}
}

// Hide remembers the rule of a note that is not shown, for [Checked.End] to name.
func (c *Checked) Hide(rule string) {
	if !slices.Contains(c.hidden, rule) {
		c.hidden = append(c.hidden, rule)
	}
}

// End flushes the output, names the rules of notes that were not shown, and returns
// the error with which a check ends that has failed.
func (c *Checked) End() error {
	if err := c.W.Flush(); err != nil {
		return err
	}
	if len(c.hidden) > 0 {
		slices.Sort(c.hidden)
		c.program.Warn("there are notes about %s, which break no rule (--notes shows them)", strings.Join(c.hidden, ", "))
	}
	if c.Failed {
		return Silent(ExitFailed)
	}
	return nil
}
