package main

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

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
)

// sourceFlags is what the error log calls a message that flags made.
const sourceFlags = "signalbox task send"

// shownSource is how faults name where a message came from.
func shownSource(source string) string {
	if source == sourceFlags {
		return "the message"
	}
	return threadName(source)
}

// deliver holds a message against its task and writes it, or shows it.
func (s *sending) deliver(ctx context.Context, dir string, snap *ssot.Snapshot, data []byte, source string) error {
	m, parsed := agn.ParseMessage(data)
	found := m.Findings
	if bad, ok := errors.AsType[*agn.Fault](parsed); ok {
		found.Faults = []agn.Fault{*bad}
	} else if len(found.Faults) == 0 {
		late := agn.Check(&m, besides(snap, &m))
		found.Faults, found.Notes = late.Faults, append(slices.Clip(found.Notes), late.Notes...)
	}
	if s.dry {
		if len(found.Faults) == 0 {
			found.Faults = taken(snap, &m)
		}
		return s.showDry(dir, &m, found, data, source)
	}
	open := ssot.Create
	if snap != nil {
		open = ssot.Open
	}
	d, err := open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	d.SkipRepo = elsewhere(&m)
	sent, err := d.Send(ctx, data, source, s.now())
	if refused, ok := errors.AsType[*ssot.RejectedError](err); ok {
		return s.refused(source, refused.MsgID, refused.Findings, data, true)
	}
	if err != nil {
		return err
	}
	s.noted(source, sent.Notes)
	if d.SkipRepo {
		s.warn("%s: D2: note: the repository %s is not on this machine", shownSource(source), m.Payload.Dispatch.Repo)
	}
	path := filepath.Join(dir, filepath.FromSlash(ssot.MessagePath(sent.TaskID, sent.ID)))
	w := s.writer()
	if s.json {
		out := object{w: w}
		out.text("id", sent.ID).text("task", sent.TaskID).text("path", path).end()
	} else {
		w.WriteString(threadName(sent.ID) + "\n")
	}
	return w.Flush()
}

// taken gives the faults that only the disk shows: another text under the id, and
// a repository that is none.
func taken(snap *ssot.Snapshot, m *agn.Message) (faults []agn.Fault) {
	if snap != nil {
		if there, ok := twin(snap, m.ID); ok {
			faults = slices.DeleteFunc(agn.Check(m, []agn.Message{there}).Faults, func(f agn.Fault) bool { return f.Rule != "E1" })
		}
	}
	if d := m.Payload.Dispatch; d != nil && !elsewhere(m) {
		if _, err := os.Stat(filepath.Join(d.Repo, ".git")); err != nil {
			faults = append(faults, agn.Fault{Rule: "D2", Field: "payload.repo", Reason: fmt.Sprintf("the repository %q has no .git", d.Repo)})
		}
	}
	return faults
}

// showDry shows the message and where it would be written.
func (s *sending) showDry(dir string, m *agn.Message, found agn.Findings, data []byte, source string) error {
	w := s.writer()
	w.WriteString(strings.TrimRight(string(shownJSON(data)), "\n") + "\n")
	if err := w.Flush(); err != nil {
		return err
	}
	if len(found.Faults) > 0 {
		return s.refused(source, m.ID, found, data, false)
	}
	s.noted(source, found.Notes)
	s.warn("would be written to %s", filepath.Join(dir, filepath.FromSlash(ssot.MessagePath(m.TaskID, m.ID))))
	return nil
}

// refused says why a message was not taken, and ends with 1.
func (s *sending) refused(source, id string, found agn.Findings, data []byte, logged bool) error {
	s.noted(source, found.Notes)
	if s.json && logged {
		w := s.writer()
		out := object{w: w}
		out.text("id", id).bool("refused", true)
		out.name("faults")
		w.WriteByte('[')
		for i := range found.Faults {
			if i > 0 {
				w.WriteByte(',')
			}
			writeFault(w, &found.Faults[i], data)
		}
		w.WriteByte(']')
		out.end()
		return cmp.Or(w.Flush(), silent(exitFailed))
	}
	for i := range found.Faults {
		fmt.Fprintf(s.stderr, "%s: %s: %s\n", shownSource(source), found.Faults[i].Rule, line(found.Faults[i].Reason))
	}
	end := "would be refused"
	if logged {
		end = "refused, and logged in errors.jsonl"
	}
	s.warn("the message breaks %s: %s", plural(len(found.Faults), "rule"), end)
	return silent(exitFailed)
}

// noted says what breaks no rule, for whoever sends it.
func (s *sending) noted(source string, notes []agn.Fault) {
	for i := range notes {
		s.warn("%s: %s: note: %s", shownSource(source), notes[i].Rule, notes[i].Reason)
	}
}

// elsewhere reports whether a dispatch's repository is not on this machine at
// all. An SSOT may be shared by several, so that only a folder which is there and
// no repository breaks rule D2.
func elsewhere(m *agn.Message) bool {
	if m.Payload.Dispatch == nil {
		return false
	}
	repo := m.Payload.Dispatch.Repo
	if !filepath.IsAbs(repo) || strings.HasPrefix(filepath.ToSlash(filepath.VolumeName(repo)), "//") {
		return true // another system's path, or one that would be asked for on the network
	}
	_, err := os.Stat(repo)
	return errors.Is(err, fs.ErrNotExist)
}
