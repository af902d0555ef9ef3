package task

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/canon"
	agnsource "github.com/signalbox-dev/signalbox/lsp/agn/source"
)

// sourceFlags is the source that the error log has for a message made from flags.
const sourceFlags = "signalbox task send"

// shownSource returns the name of a message's source as faults show it.
func shownSource(source string) string {
	if source == sourceFlags {
		return "the message"
	}
	return cli.WholeLine(source)
}

// deliver checks a message against its task and writes it, or shows it.
func (s *sending) deliver(ctx context.Context, b *agnsource.Box, source string, compose func(*agnsource.Box) ([]byte, error)) error {
	data, err := compose(b)
	if err != nil {
		return err
	}
	if s.dry {
		return s.showDry(b, data, source)
	}
	sent, err := b.Send(ctx, data, source, s.Now, compose)
	if refused, ok := errors.AsType[*agnsource.RejectedError](err); ok {
		return s.refused(source, sent.Raw, refused)
	}
	if err != nil {
		return err
	}
	s.noted(source, sent.Notes)
	return s.Result(printed.SentTask{ID: sent.ID, Task: sent.TaskID, File: sent.Path}, "%s", cli.WholeLine(sent.ID))
}

// showDry shows the message and where it would be written.
func (s *sending) showDry(b *agnsource.Box, data []byte, source string) error {
	m, path := b.Check(data)
	w := s.Writer()
	switch {
	case !s.JSON:
		w.WriteString(strings.TrimRight(string(cli.ShownJSON(data)), "\n") + "\n")
	case len(m.Faults) > 0:
		_ = cli.Print(w, printed.RefusedTask{ID: m.ID, Refused: true, Faults: cli.Faults(m.Faults, data), DryRun: true}) // Flush returns the error
	default:
		_ = cli.Print(w, printed.SentTask{ID: m.ID, Task: m.TaskID, File: path, DryRun: true, Message: data})
	}
	if err := w.Flush(); err != nil {
		return err
	}
	s.noted(source, m.Notes)
	if len(m.Faults) > 0 {
		return s.unfit(source, m.Faults, "would be refused")
	}
	if !s.JSON {
		s.Warn("would be written to %s", path)
	}
	return nil
}

// refused writes why a message was refused, and returns the error to end with.
func (s *sending) refused(source string, data []byte, r *agnsource.RejectedError) error {
	s.noted(source, r.Findings.Notes)
	if s.JSON {
		w := s.Writer()
		out := printed.RefusedTask{ID: r.MsgID, Refused: true, Faults: cli.Faults(r.Findings.Faults, data)}
		if r.Log != nil {
			out.NotLogged = r.Log.Error()
		}
		return cmp.Or(cli.Print(w, out), w.Flush(), cli.Silent(cli.ExitFailed))
	}
	end := "refused, and logged in " + agnsource.ErrorsName
	if r.Log != nil {
		end = "refused, and NOT logged in " + agnsource.ErrorsName + " (E0): " + r.Log.Error()
	}
	return s.unfit(source, r.Findings.Faults, end)
}

// unfit writes the rules that a message breaks, unless the output is JSON, and returns
// the error to end with.
func (s *sending) unfit(source string, faults []canon.Fault, end string) error {
	if s.JSON {
		return cli.Silent(cli.ExitFailed)
	}
	for i := range faults {
		fmt.Fprintf(s.Stderr, "%s: %s: %s\n", shownSource(source), faults[i].Rule, cli.Line(faults[i].Reason))
	}
	s.Warn("the message breaks %s: %s", cli.Plural(len(faults), "rule"), end)
	return cli.Silent(cli.ExitFailed)
}

// noted writes the notes on a message as warnings.
func (s *sending) noted(source string, notes []canon.Fault) {
	for i := range notes {
		s.Warn("%s: %s: note: %s", shownSource(source), notes[i].Rule, notes[i].Reason)
	}
}
