package atsf

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/crash"
)

// image is the smallest that is one.
const image = "\x89PNG\r\n\x1a\n0000"

// threadRun makes threads and appends to them.
func threadRun(on disk.Disk, dir string, seed uint64) *crash.Run {
	ctx := context.Background()
	var d *Dir
	folder := filepath.Join(dir, "project")
	const name = "11111111-1111-4111-8111-111111111111"
	text := func(i int) string { return fmt.Sprintf("message-%d%s", i, strings.Repeat("x", int(seed)%500)) }
	said := func(err error) error {
		if _, stale := errors.AsType[*StaleError](err); errors.Is(err, ErrExists) || stale {
			return nil // it is in the log
		}
		return err
	}
	run := &crash.Run{
		Open:  func() (err error) { d, err = createOn(on, folder, ours); return err },
		Close: func() { _ = d.Close() },
	}
	run.Steps = append(run.Steps, crash.Step{Name: "create", Names: name, Do: func() error {
		_, err := d.Create(NewThread{ID: name, Title: "t", Created: begun, Agent: atsf.Agent{ID: "a", Name: "A"}, Context: atsf.Context{WorkingDir: "/w"}})
		return said(err)
	}})
	for i := 1; i < 5; i++ {
		run.Steps = append(run.Steps, crash.Step{Name: fmt.Sprint("append ", i), Names: name, Do: func() error {
			return said(d.Append(ctx, name, words(fmt.Sprintf("22222222-2222-4222-8222-%012d", i), atsf.RoleUser, text(i), i)))
		}})
	}
	run.Steps = append(run.Steps, crash.Step{Name: "attach", Names: name, Do: func() error {
		return said(d.Append(ctx, name, picture("22222222-2222-4222-8222-000000000005", image)))
	}})
	run.Check = func(marks []crash.Mark) error {
		got := map[string]int{}
		items, problems, err := d.List(ctx)
		if err != nil || len(problems) > 0 {
			return errors.Join(err, fmt.Errorf("problems: %v", problems))
		}
		for _, item := range items {
			if item.Name == name && item.Fault == nil {
				got["thread"]++
			}
		}
		log, err := os.ReadFile(filepath.Join(folder, atsf.DirName, atsf.ThreadsName, name, atsf.MessagesName))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		atsf.Lines(log, func(_ int, raw []byte) {
			if m, err := atsf.ParseMessage(raw); err == nil && len(m.Content) == 1 && m.Content[0].Text != "" && m.Content[0].Text != "next" {
				got[m.Content[0].Text]++
			}
		})
		if a := atsf.NameAsset([]byte(image), "png"); marks[5] != crash.Waiting {
			if data, err := os.ReadFile(filepath.Join(folder, atsf.DirName, atsf.ThreadsName, name, atsf.AssetsName, a.String())); err == nil {
				if string(data) != image {
					return fmt.Errorf("the asset holds %q", data)
				}
				got["asset"]++
			}
		}
		if err := crash.Same("threads", got, marks, func(i int) string {
			switch i {
			case 0:
				return "thread"
			case 5:
				return "asset"
			}
			return text(i)
		}); err != nil {
			return err
		}
		if marks[0] != crash.Done {
			return nil
		}
		// Converged: after the next message the figures are those of the log.
		if err := said(d.Append(ctx, name, words("", atsf.RoleUser, "next", 9))); err != nil {
			return err
		}
		place := filepath.Join(folder, atsf.DirName, atsf.ThreadsName, name)
		log, err = os.ReadFile(filepath.Join(place, atsf.MessagesName))
		meta, err2 := os.ReadFile(filepath.Join(place, atsf.ThreadName))
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		t, err := atsf.ParseThread(meta)
		tally, _ := atsf.Count(log)
		if wrong := atsf.Compare(&t, tally); err != nil || len(wrong) > 0 {
			return errors.Join(err, fmt.Errorf("the figures are not those of the log: %v", wrong))
		}
		return nil
	}
	return run
}

func prepareProject(dir string) error { return os.Mkdir(filepath.Join(dir, "project"), 0o700) }

// TestKilledBehind makes a thread and appends to it after a process that was killed had
// done so.
func TestKilledBehind(t *testing.T) {
	crash.Each(t, crash.Scenario{Prepare: prepareProject, New: threadRun})
}

// TestNewLog appends to a thread that has no log yet, after a process that was killed had
// made one.
func TestNewLog(t *testing.T) {
	const name = "11111111-1111-4111-8111-111111111111"
	log := func(dir string) string {
		return filepath.Join(dir, "project", atsf.DirName, atsf.ThreadsName, name, atsf.MessagesName)
	}
	begin := func(dir string) error {
		run := threadRun(disk.Disk{}, dir, 1)
		if err := errors.Join(prepareProject(dir), run.Open()); err != nil {
			return err
		}
		defer run.Close()
		return errors.Join(run.Steps[0].Do(), os.Remove(log(dir)))
	}
	crash.Each(t, crash.Scenario{Prepare: begin, New: func(on disk.Disk, dir string, seed uint64) *crash.Run {
		run := threadRun(on, dir, seed)
		run.Steps = run.Steps[1:2]
		run.Check = func(marks []crash.Mark) error {
			if marks[0] != crash.Done {
				return nil
			}
			data, err := os.ReadFile(log(dir))
			if n := strings.Count(string(data), "message-1"); n != 1 {
				return fmt.Errorf("the message is there %d times: %w", n, err)
			}
			return err
		}
		return run
	}})
}

// TestCrash makes a thread and appends to it while the process is killed, the power
// fails and the disk is full.
func TestCrash(t *testing.T) {
	crash.Try(t, crash.Scenario{
		Prepare: prepareProject,
		New:     threadRun,
	}, 150)
}
