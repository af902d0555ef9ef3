package source

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	agnstore "github.com/signalbox-dev/signalbox/lsp/agn"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// malformed takes the place of the task in a ref.
const malformed = "malformed"

// malformedRows returns rows with the requested refused escalations of a directory added, and
// counts them. They cannot be answered: they are open until their file is repaired or removed.
func malformedRows(rows []escalationRow, s *agnstore.Snapshot, q *panel.EscalationParams, counts *panel.EscalationCounts) []escalationRow {
	for _, x := range s.Rejected {
		if x.MalformedEscalation == nil {
			continue
		}
		severity := x.MalformedEscalation.Payload.Escalation.ShownSeverity()
		tally(counts, severity, true)
		if (q.Severity == "" || string(q.Severity) == severity) && (q.Open == nil || *q.Open) && (q.Task == nil || *q.Task == taskRef(s, show.Line(x.MalformedEscalation.TaskID))) {
			rows = append(rows, escalationRow{taskRow: taskRow{s, s.Task(x.MalformedEscalation.TaskID)}, malformed: x, open: true})
		}
	}
	return rows
}

// malformedRef returns a ref that names a refused escalation by its file. Its id may be
// anything, even another message's id.
func malformedRef(s *agnstore.Snapshot, x *agnstore.Rejected) panel.Ref {
	sum := sha256.Sum256([]byte(x.Source))
	return mail.MessageRef(mail.AGN, s.ID, malformed, hex.EncodeToString(sum[:8]))
}

// malformedAt returns the escalation that a ref names by its file, or nil.
func malformedAt(s *agnstore.Snapshot, r panel.Ref) *agnstore.Rejected {
	if from, _, ok := r.Message(); !ok || from != malformed {
		return nil
	}
	for _, x := range s.Rejected {
		if x.MalformedEscalation != nil && malformedRef(s, x) == r {
			return x
		}
	}
	return nil
}

// malformedTime returns when a refused escalation was sent, or when it was found if it
// has no valid time.
func malformedTime(x *agnstore.Rejected) int64 {
	if x.MalformedEscalation.Time.OK {
		return x.MalformedEscalation.Time.Millis
	}
	return x.Millis
}

// malformedItem returns a refused escalation as the list shows it, with its file and
// faults.
func (r *escalationRow) malformedItem(now int64) panel.EscalationItem {
	x, m := r.malformed, r.malformed.MalformedEscalation
	e := m.Payload.Escalation
	i := described(e)
	i.Ref, i.ID, i.From = malformedRef(r.in, x), show.Line(m.ID), show.Line(m.From)
	i.Time, i.Open, i.Malformed = show.Time(malformedTime(x)), true, true
	i.Path = filepath.Join(r.in.Path, filepath.FromSlash(x.Source))
	i.Task = malformedTask(r.in, x, now)
	if i.Title == "" {
		i.Title = "its description cannot be read"
		i.HTML, i.Text = markup.HTML(i.Title, markup.Options{}), i.Title
	}
	if e.Suspended && slices.Contains([]string{agn.Coordinator, agn.Executor, agn.Reviewer}, m.From) {
		i.Suspended = []string{m.From}
	}
	addMentions(&i, r.in, e)
	i.Warnings = append(i.Warnings, panel.Warning{Rule: "E0", Message: malformedWords(x)})
	for _, f := range x.Faults {
		i.Warnings = append(i.Warnings, panel.Warning{Rule: show.Line(f.Rule), Message: show.Line(f.Reason)})
	}
	i.Warnings = panel.Some(i.Warnings, panel.Warning{Rule: "E0", Message: "and more: run signalbox task check"})
	return i
}

// malformedTask returns the task that a refused escalation names. The directory may have
// nothing else about it.
func malformedTask(s *agnstore.Snapshot, x *agnstore.Rejected, now int64) panel.TaskItem {
	if t := s.Task(x.MalformedEscalation.TaskID); t != nil {
		return taskItem(s, t, now)
	}
	id := show.Line(x.MalformedEscalation.TaskID)
	return panel.TaskItem{Ref: taskRef(s, id), ID: id, Title: id, RejectLimit: agn.MaxRejects, Suspended: []string{}}
}

// malformed returns the refused escalation that a ref names by its file, or nil.
func (v *view) malformed(r panel.Ref) (*agnstore.Snapshot, *agnstore.Rejected) {
	for _, s := range v.shown {
		if x := malformedAt(s, r); s.ID == r.Store && x != nil {
			return s, x
		}
	}
	return nil, nil
}

// malformedPage returns the page of the task that a refused escalation names. The escalation's
// own content is in the list of escalations.
func malformedPage(s *agnstore.Snapshot, x *agnstore.Rejected, q panel.TaskParams, now int64) (panel.TaskPage, error) {
	if t := s.Task(x.MalformedEscalation.TaskID); t != nil {
		return taskPageOf(s, t, q, now)
	}
	return panel.TaskPage{
		Task: malformedTask(s, x, now), Timeline: []panel.TaskEvent{}, Text: malformedWords(x) + "\n",
		Rejected: rejectedItems(s, []*agnstore.Rejected{x}, listedMost), Warnings: []panel.Warning{},
	}, nil
}

// malformedWords returns a line saying that a malformed escalation has no effect, and what to
// do.
func malformedWords(x *agnstore.Rejected) string {
	return "malformed: it counts for nothing and nobody can answer it, until " + show.Line(x.Source) + " is mended or removed"
}

// findMalformed returns the refused escalation that claims an id, or nil.
func findMalformed(s *agnstore.Snapshot, token string) *panel.Target {
	at := slices.IndexFunc(s.Rejected, func(x *agnstore.Rejected) bool {
		return x.MalformedEscalation != nil && x.MalformedEscalation.ID == token
	})
	if at < 0 {
		return nil
	}
	x := s.Rejected[at]
	e := x.MalformedEscalation.Payload.Escalation
	found := &panel.Target{Status: panel.LinkFound, Kind: panel.LinkMessage}
	if s.Task(x.MalformedEscalation.TaskID) != nil {
		ref := taskRef(s, x.MalformedEscalation.TaskID)
		found.Thread = &ref
	}
	found.Title, _ = render.Line("malformed "+e.ShownSeverity()+" escalation: "+e.Description, 80)
	found.Preview = func(int) string {
		text := taskHeadline(x.MalformedEscalation) + "\n\n**Malformed " + e.ShownSeverity() + " escalation: " + escalationLabel(e.Kind) + "** · " + markup.Escape(malformedWords(x)) + "\n\n"
		for _, f := range x.Faults {
			text += "- " + markup.Escape(show.Line(f.Rule+": "+f.Reason)) + "\n"
		}
		return text + "\n" + markup.Markdown(e.Description, markup.Options{MaxBytes: show.HoverBody, TopHeading: 4})
	}
	found.Places = func() []panel.Place {
		if !x.Here {
			return nil
		}
		return []panel.Place{{Path: place.Join(s.Path, x.Source)}}
	}
	return found
}
