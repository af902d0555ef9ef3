package demo

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/thread"
	"github.com/signalbox-dev/signalbox/core/samp"
	agnsource "github.com/signalbox-dev/signalbox/lsp/agn/source"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

// sample holds the files of a demo as they were at sampleTime, with {DEMO} for the
// demo's directory.
//
//go:embed all:sample
var sample embed.FS

var sampleTime = time.Date(2026, 4, 25, 12, 0, 0, 0, time.UTC)

// times matches every time in a sample: days and times of day, in JSON and in the names of conflict
// copies, milliseconds in the ids of task messages, the years of tasks, and the seconds of SAMP.
var times = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?|\d{8}-\d{6}|\b\d{13}\b|\bT-\d{4}-|"ts": \d+`)
})

// moved returns a text of the sample with all times moved to the demo's.
func (d *demo) moved(text string) string {
	// Whole seconds, so that times still agree with the ids that contain them.
	by := d.now.Truncate(time.Second).Sub(sampleTime)
	shift := func(layout, s string) string {
		at, err := time.Parse(layout, s)
		if err != nil {
			return s
		}
		if layout == time.DateOnly {
			at = at.Add(12 * time.Hour)
		}
		return at.Add(by).Format(layout)
	}
	return times().ReplaceAllStringFunc(text, func(s string) string {
		switch seconds, isRecord := strings.CutPrefix(s, `"ts": `); {
		case isRecord:
			n, _ := strconv.ParseInt(seconds, 10, 64)
			return `"ts": ` + strconv.FormatInt(n+int64(by/time.Second), 10)
		case s[0] == 'T':
			return fmt.Sprintf("T-%04d-", d.now.UTC().Year())
		case len(s) == len("20060102-150405"):
			return shift("20060102-150405", s)
		case len(s) == len(time.DateOnly):
			return shift(time.DateOnly, s)
		case strings.Contains(s, "T"):
			return shift("2006-01-02T15:04:05", s)
		}
		n, _ := strconv.ParseInt(s, 10, 64)
		return strconv.FormatInt(n+by.Milliseconds(), 10)
	})
}

// read returns a file of the sample, with the demo's times and directory.
func (d *demo) read(name string) ([]byte, error) {
	data, err := sample.ReadFile(name)
	if err != nil || path.Ext(name) == ".png" {
		return data, err
	}
	dir, err := json.Marshal(d.dir)
	if err != nil {
		return nil, err
	}
	return []byte(strings.ReplaceAll(d.moved(string(data)), "{DEMO}", string(bytes.Trim(dir, `"`)))), nil
}

// copy copies a folder of the sample into one of the demo.
func (d *demo) copy(from, to string) error {
	return fs.WalkDir(sample, from, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := d.read(name)
		if err != nil {
			return err
		}
		file := filepath.Join(to, filepath.FromSlash(d.moved(strings.TrimPrefix(name, from))))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		return os.WriteFile(file, data, 0o600)
	})
}

// writeMessages writes the logs and the reader's watermark. The ids of records are
// computed again, since they depend on the time.
func (d *demo) writeMessages(messages *box.Dir) error {
	const folder = "sample/mail"
	files, err := sample.ReadDir(folder)
	if err != nil {
		return err
	}
	var mark samp.Watermark
	records := make(map[string]samp.Record) // by their ids in the sample
	for _, file := range files {
		data, err := sample.ReadFile(path.Join(folder, file.Name()))
		if err != nil {
			return err
		}
		if file.Name() == samp.WatermarkName(reader) {
			if mark, err = samp.ParseWatermark([]byte(d.moved(string(data)))); err != nil {
				return err
			}
			continue
		}
		var log []byte
		for line := range bytes.Lines(data) {
			log = append(log, d.record(line, records)...)
		}
		if err := os.WriteFile(d.in(d.moved(file.Name())), log, 0o600); err != nil {
			return err
		}
	}
	var read []box.Key
	for i, id := range mark.IDs {
		r := records[id]
		mark.IDs[i] = r.ID
		read = append(read, box.Key{From: r.From, ID: r.ID})
	}
	if err := os.WriteFile(d.in(samp.WatermarkName(reader)), mark.Append(nil), 0o600); err != nil {
		return err
	}
	return messages.MarkWithWatermark(reader, read, mark)
}

// record returns a line of a log with the demo's time. A line that cannot be read stays as it is.
func (d *demo) record(line []byte, records map[string]samp.Record) []byte {
	was, err := samp.Parse(bytes.TrimSuffix(line, []byte("\n")))
	if err != nil {
		return line
	}
	r, err := samp.Parse([]byte(d.moved(string(bytes.TrimSuffix(line, []byte("\n"))))))
	if err != nil {
		return line
	}
	profile, _ := samp.Identify(&was).Profile()
	r.ID = samp.ID(&r, profile)
	records[was.ID] = r
	return r.Append(nil)
}

// writeProject makes a small repository with two worktrees that hold agents' threads. It needs git.
func (d *demo) writeProject(ctx context.Context) error {
	main := d.in(projectFolder)
	if err := d.copy("sample/project", main); err != nil {
		return err
	}
	git := func(args ...string) error {
		cmd := exec.CommandContext(ctx, "git", append([]string{
			"-C", main, "-c", "user.name=demo", "-c", "user.email=demo@example.invalid", "-c", "core.hooksPath=" + os.DevNull, "-c", "commit.gpgSign=false",
		}, args...)...)
		// If a git hook runs the demo, it must not write into the hook's repository.
		cmd.Env = worktree.Environ(os.Environ())
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w\n%s", args[0], err, out)
		}
		return nil
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-q", "-m", "Begin the shop"}} {
		if err := git(args...); err != nil {
			return err
		}
	}
	for name, branch := range map[string]string{"main": "", "login": "fix/login", "1.4": "release/1.4"} {
		folder := main
		if branch != "" {
			folder = d.in("worktrees/" + name)
			if err := git("worktree", "add", "-q", "-b", branch, folder); err != nil {
				return err
			}
		}
		if err := errors.Join(thread.Project(d.Options, folder, true).Prepare(), d.copy("sample/threads/"+name, filepath.Join(folder, ".agent", "threads"))); err != nil {
			return err
		}
	}
	return nil
}

// writeTasks writes tasks of the sample project: one that is locked and waits for the admin, one
// whose dispatch was not acknowledged, and one in progress with a refused result.
func (d *demo) writeTasks(ctx context.Context) error {
	if err := d.copy("sample/tasks", d.in(tasksFolder)); err != nil {
		return err
	}
	data, err := d.read("sample/refused.json")
	if err != nil {
		return err
	}
	at := d.now.Add(-8 * time.Minute)
	b, err := agnsource.Read(ctx, d.in(tasksFolder), at)
	if err != nil {
		return err
	}
	_, err = b.Send(ctx, data, "signalbox demo", func() time.Time { return at }, func(*agnsource.Box) ([]byte, error) { return data, nil })
	if r, refused := errors.AsType[*agnsource.RejectedError](err); !refused || r.Log != nil {
		return fmt.Errorf("demo: the result without blockers was not refused: %w", err)
	}
	return nil
}
