package task

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
)

// sourceFlags is the source in the error log for a message made from flags.
const sourceFlags = "signalbox task send"

// shownSource returns the name of a message's source for a fault.
func shownSource(source string) string {
	if source == sourceFlags {
		return "the message"
	}
	return cli.WholeLine(source)
}

// deliver checks a message against its task and writes it, or shows it. compose makes
// the message again when it is written.
func (s *sending) deliver(ctx context.Context, dir string, snap *ssot.Snapshot, data []byte, source string, compose func(*ssot.Snapshot) ([]byte, error)) error {
	m, parsed := agn.ParseMessage(data)
	if s.dry {
		found := ownFaults(&m, parsed)
		if len(found.Faults) == 0 {
			late := agn.Check(&m, otherMessages(snap, &m))
			found.Faults, found.Notes = late.Faults, append(slices.Clip(found.Notes), late.Notes...)
		}
		if len(found.Faults) == 0 {
			found.Faults = taken(snap, &m)
		}
		return s.showDry(dir, &m, found, data, source)
	}
	open := ssot.Create
	if snap != nil {
		open = ssot.Open
	}
	// failed reports the faults of the message, too, if nothing can be written.
	failed := func(err error) error {
		if own := ownFaults(&m, parsed); len(own.Faults) > 0 {
			return s.refused(source, data, &ssot.RejectedError{Findings: own, MsgID: m.ID, Log: err})
		}
		return err
	}
	d, err := open(dir)
	if err != nil {
		return failed(err)
	}
	defer d.Close()
	d.SkipRepo = elsewhere(&m)
	sent, err := d.Compose(ctx, source, s.Now(), compose)
	if sent.Raw != nil {
		data = sent.Raw
	}
	if refused, ok := errors.AsType[*ssot.RejectedError](err); ok {
		return s.refused(source, data, refused)
	}
	if err != nil {
		return failed(err)
	}
	s.noted(source, sent.Notes)
	if d.SkipRepo {
		s.Warn("%s: D2: note: the repository %s is not on this machine", shownSource(source), m.Payload.Dispatch.Repo)
	}
	path := filepath.Join(dir, filepath.FromSlash(ssot.MessagePath(sent.TaskID, sent.ID)))
	return s.Result(printed.SentTask{ID: sent.ID, Task: sent.TaskID, File: path}, "%s", cli.WholeLine(sent.ID))
}

// ownFaults returns the faults of a message by itself.
func ownFaults(m *agn.Message, parsed error) canon.Findings {
	found := m.Findings
	if bad, ok := errors.AsType[*canon.Fault](parsed); ok {
		found.Faults = []canon.Fault{*bad}
	}
	return found
}

// taken returns the faults that only the disk shows: another text under the same id,
// and a folder that is no repository.
func taken(snap *ssot.Snapshot, m *agn.Message) (faults []canon.Fault) {
	if snap != nil {
		if there, ok := storedMessage(snap, m.ID); ok {
			faults = slices.DeleteFunc(agn.Check(m, []agn.Message{there}).Faults, func(f canon.Fault) bool { return f.Rule != "E1" })
		}
	}
	if d := m.Payload.Dispatch; d != nil && !elsewhere(m) {
		faults = append(faults, ssot.CheckRepo(d.Repo)...)
	}
	return faults
}

// showDry shows the message and where it would be written.
func (s *sending) showDry(dir string, m *agn.Message, found canon.Findings, data []byte, source string) error {
	w := s.Writer()
	path := filepath.Join(dir, filepath.FromSlash(ssot.MessagePath(m.TaskID, m.ID)))
	switch {
	case !s.JSON:
		w.WriteString(strings.TrimRight(string(cli.ShownJSON(data)), "\n") + "\n")
	case len(found.Faults) > 0:
		_ = cli.Print(w, printed.RefusedTask{ID: m.ID, Refused: true, Faults: cli.Faults(found.Faults, data), DryRun: true}) // flushing tells
	default:
		_ = cli.Print(w, printed.SentTask{ID: m.ID, Task: m.TaskID, File: path, DryRun: true, Message: data})
	}
	if err := w.Flush(); err != nil {
		return err
	}
	s.noted(source, found.Notes)
	if len(found.Faults) > 0 {
		return s.unfit(source, found.Faults, "would be refused")
	}
	if !s.JSON {
		s.Warn("would be written to %s", path)
	}
	return nil
}

// refused says why a message was refused.
func (s *sending) refused(source string, data []byte, r *ssot.RejectedError) error {
	s.noted(source, r.Findings.Notes)
	if s.JSON {
		w := s.Writer()
		out := printed.RefusedTask{ID: r.MsgID, Refused: true, Faults: cli.Faults(r.Findings.Faults, data)}
		if r.Log != nil {
			out.NotLogged = r.Log.Error()
		}
		return cmp.Or(cli.Print(w, out), w.Flush(), cli.Silent(cli.ExitFailed))
	}
	end := "refused, and logged in " + ssot.ErrorsName
	if r.Log != nil {
		end = "refused, and NOT logged in " + ssot.ErrorsName + " (E0): " + r.Log.Error()
	}
	return s.unfit(source, r.Findings.Faults, end)
}

// unfit writes the rules that a message breaks, for people.
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

// noted warns about notes on a message.
func (s *sending) noted(source string, notes []canon.Fault) {
	for i := range notes {
		s.Warn("%s: %s: note: %s", shownSource(source), notes[i].Rule, notes[i].Reason)
	}
}

// elsewhere reports whether a dispatch's repository is not on this machine. Several
// machines may share a task directory, so only a folder that exists and is no
// repository breaks rule D2.
func elsewhere(m *agn.Message) bool {
	if m.Payload.Dispatch == nil {
		return false
	}
	repo := m.Payload.Dispatch.Repo
	if !filepath.IsAbs(repo) || strings.HasPrefix(filepath.ToSlash(filepath.VolumeName(repo)), "//") {
		return true // a path of another system or on the network
	}
	_, err := os.Stat(repo)
	return errors.Is(err, fs.ErrNotExist)
}
