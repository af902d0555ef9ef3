package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/conflict"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
	"github.com/signalbox-dev/signalbox/lsp/store/ignorefile"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

// ignores reports rules for sync tools that a directory lacks (rule S2), or writes
// them.
func (s *checkup) ignores(r ignorefile.Rules) {
	files, err := ignorefile.Look(r)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.Add(store.Problem{Rule: "S2", Reason: err.Error()})
		}
		return
	}
	for i := range files {
		f := &files[i]
		lines := "\n  " + strings.Join(f.Missing, "\n  ")
		err := f.Err
		if err == nil && s.fix {
			if err = f.Write(); err == nil {
				s.Done("S2", f.Path, "wrote "+cli.Plural(len(f.Missing), "rule"), strings.TrimPrefix(lines, "\n"))
				continue
			}
		}
		p := store.Problem{Rule: "S2", Reason: "a sync tool would carry what belongs to one machine: read state, locks, unfinished files, private keys", File: f.Path}
		switch {
		case err != nil:
			p.Reason = "the rules for what is not synced are missing: " + err.Error()
			if len(f.Missing) > 0 {
				p.Advice = "add to it:" + lines
			}
		case f.Found:
			p.Advice = "\"signalbox doctor --fix\" adds:" + lines
		default:
			p.Advice = "if Syncthing is to carry this directory, \"signalbox doctor --fix\" writes this file first:" + lines
		}
		s.Add(p)
	}
}

// copied reports a conflict copy: an error, the place that it was moved to, or advice
// if it stays.
func (s *checkup) copied(rule, file, where, what string, err error, advice string) {
	switch {
	case err != nil:
		s.Add(store.Problem{Rule: rule, File: file, Reason: "is a sync tool's copy and stays: " + err.Error()})
	case where != "":
		s.Done(rule, file, what, "the copy is "+where)
	default:
		s.Add(store.Problem{Rule: rule, File: file, Reason: "is a sync tool's copy", Advice: advice})
	}
}

const fixes = "\"signalbox doctor --fix\" "

// messages checks a SAMP message directory. A log has one writer, so only copies of
// the user's own log are brought back. [store.Dir.Examine] lists the others.
func (s *checkup) messages(ctx context.Context, d *store.Dir, me string) {
	s.ignores(ignorefile.Messages(d.Path()))
	if !s.fix {
		return
	}
	logs, _, err := d.Logs()
	if err != nil {
		return // said by who examines it
	}
	for _, log := range logs {
		if owner, ok := store.CopyOf(log); !ok || owner != me {
			continue
		}
		m, err := d.Merge(ctx, log, s.Env.StateDir())
		what := cli.Plural(m.Added, "record") + " brought to " + samp.LogName(me)
		if m.Left > 0 {
			what += fmt.Sprintf(", %s not, which %q did not write", cli.Plural(m.Left, "line"), me)
		}
		if err != nil || m.Where != "" {
			s.copied("S1", log.Name, m.Where, what, err, "")
		}
	}
}

// tasks checks a task directory.
func (s *checkup) tasks(ctx context.Context, snap *ssot.Snapshot) {
	s.ignores(ignorefile.Tasks(snap.Path, snap.Own))
	for _, c := range s.find(ctx, "E13", snap.Path, ".") {
		var where string
		var err error
		if s.fix {
			where, err = s.mergeTask(ctx, snap.Path, c)
		}
		s.copied("E13", filepath.Join(snap.Path, filepath.FromSlash(c.Path)), where, "it says nothing that is not elsewhere", err,
			"a message, ACK or answer is read wherever it lies; "+fixes+"puts away what says nothing new, and leaves the rest to you")
	}
}

func (s *checkup) mergeTask(ctx context.Context, path string, c conflict.Copy) (where string, err error) {
	d, err := ssot.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return d.Merge(ctx, c, s.Env.StateDir())
}

// mailboxes checks a directory of mailboxes. It writes to the user's own mailbox only.
func (s *checkup) mailboxes(ctx context.Context, snap *mailbox.Snapshot, own *mailbox.Mailbox) {
	s.ignores(ignorefile.Mailboxes(snap.Path))
	for _, c := range s.find(ctx, "STO-1", snap.Path, ".") {
		var where string
		var err error
		if s.fix && own != nil && mine(own, c) {
			where, err = s.mergeMail(ctx, snap.Path, own.Dir, c)
		}
		advice := "look which of the two you need"
		if strings.Contains(c.Path, "messages/") {
			advice = "the message is shown once; " + fixes + "as its receiver puts the copy away if nothing differs in what was sent"
		}
		s.copied("STO-1", filepath.Join(snap.Path, filepath.FromSlash(c.Path)), where, "nothing differs in what was sent", err, advice)
	}
}

// mine reports whether a conflict copy is of a message in the user's mailbox.
func mine(own *mailbox.Mailbox, c conflict.Copy) bool {
	prefix := "messages/"
	if own.Dir != "." {
		prefix = own.Dir + "/" + prefix
	}
	return strings.HasPrefix(c.Path, prefix) && strings.HasSuffix(c.Path, ".json")
}

func (s *checkup) mergeMail(ctx context.Context, root, dir string, c conflict.Copy) (where string, err error) {
	b, err := mailbox.Open(root, dir)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	return b.Merge(ctx, c, s.Env.StateDir())
}

// threads checks a project folder with threads.
func (s *checkup) threads(ctx context.Context, folder string) {
	s.ignores(ignorefile.Threads(folder))
	d, err := threads.Open(folder)
	if err != nil {
		return // the scan said so
	}
	defer d.Close()
	copies, err := d.Copies(ctx)
	if err != nil {
		s.Add(store.Problem{Rule: "L1", File: folder, Reason: err.Error()})
	}
	for _, c := range copies {
		var m threads.Merged
		var err error
		if s.fix {
			m, err = d.Merge(ctx, c, s.Env.StateDir())
		}
		what := cli.Plural(m.Added, "message") + " brought to " + c.Original
		if m.Differ > 0 {
			what += ", " + cli.Plural(m.Differ, "message") + " not, which it has in other words"
		}
		advice := "look which of the two you need"
		if strings.HasSuffix(c.Original, "/messages.jsonl") {
			advice = "nobody reads the messages in it; " + fixes + "brings them to " + c.Original
		}
		s.copied("L1", filepath.Join(folder, filepath.FromSlash(c.Path)), m.Where, what, err, advice)
	}
}

// find lists the conflict copies in a directory.
func (s *checkup) find(ctx context.Context, rule, dir string, under ...string) []conflict.Copy {
	root, err := disk.OpenRoot(dir)
	if err != nil {
		return nil // said by who scanned it
	}
	defer root.Close()
	list, err := conflict.Find(ctx, root, under...)
	if err != nil {
		s.Add(store.Problem{Rule: rule, File: dir, Reason: err.Error()})
	}
	return list
}
