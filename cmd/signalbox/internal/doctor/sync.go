package doctor

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/conflict"
	"github.com/signalbox-dev/signalbox/lsp/disk/ignorefile"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
	"github.com/signalbox-dev/signalbox/lsp/session/talk"
)

// ignores reports the ignore rules for sync tools that a directory lacks (rule S2), or
// writes them with --fix.
func (s *checkup) ignores(r ignorefile.Rules) {
	files, err := ignorefile.Look(r)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.Add(box.Problem{Rule: "S2", Reason: err.Error()})
		}
		return
	}
	for i := range files {
		f := &files[i]
		lines := "\n  " + strings.Join(f.Missing, "\n  ")
		err := f.Err
		if err == nil && s.fix {
			if err = f.Write(); err == nil {
				s.Fixed("S2", f.Path, "wrote "+cli.Plural(len(f.Missing), "rule"), strings.TrimPrefix(lines, "\n"))
				continue
			}
		}
		p := box.Problem{Rule: "S2", Reason: "a sync tool would carry what belongs to one machine: read state, locks, unfinished files, private keys", File: f.Path}
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

func (s *checkup) copied(rule, dir string, list []conflict.Copy, advice func(c conflict.Copy) string) {
	for _, c := range list {
		s.Add(box.Problem{Rule: rule, File: filepath.Join(dir, filepath.FromSlash(c.Path)), Reason: "is a sync tool's copy", Advice: advice(c)})
	}
}

func (s *checkup) tasks(ctx context.Context, path string, own bool) {
	s.ignores(ignorefile.Tasks(path, own))
	s.copied("E13", path, s.find(ctx, "E13", path), func(conflict.Copy) string {
		return "a message, ACK or answer is read wherever it lies; remove it if it says nothing new"
	})
}

func (s *checkup) mailboxes(ctx context.Context, path string) {
	s.ignores(ignorefile.Mailboxes(path))
	s.copied("STO-1", path, s.find(ctx, "STO-1", path), func(c conflict.Copy) string {
		if strings.Contains(c.Path, "messages/") {
			return "the message is shown once; remove the copy if nothing differs in what was sent"
		}
		return compare
	})
}

// compare is the advice for a copy that nobody reads.
const compare = "look which of the two you need"

func (s *checkup) threads(ctx context.Context, folder string) {
	s.ignores(ignorefile.Threads(folder))
	copies, err := talk.Copies(ctx, folder)
	if err != nil {
		s.Add(box.Problem{Rule: "L1", File: folder, Reason: err.Error()})
	}
	s.copied("L1", folder, copies, func(c conflict.Copy) string {
		if strings.HasSuffix(c.Original, "/messages.jsonl") {
			return "nobody reads the messages in it: append those that " + c.Original + " lacks, and remove it"
		}
		return compare
	})
}

func (s *checkup) find(ctx context.Context, rule, dir string) []conflict.Copy {
	root, err := disk.OpenRoot(dir)
	if err != nil {
		return nil // the scan reported it
	}
	defer root.Close()
	list, err := conflict.Find(ctx, root, ".")
	if err != nil {
		s.Add(box.Problem{Rule: rule, File: dir, Reason: err.Error()})
	}
	return list
}
