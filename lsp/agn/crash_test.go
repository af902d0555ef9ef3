package agn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/crash"
)

// writerRun sends an escalation, has it acknowledged and answered, sends what is
// refused, and begins another task.
func writerRun(on disk.Disk, dir string, seed uint64) *crash.Run {
	path := filepath.Join(dir, "work", "ssot")
	var d *Dir
	head := func(i int) agn.Head {
		return agn.Head{TaskID: fmt.Sprintf("T-2026-%03d", 1+seed%5), Millis: noon + int64(i)*1000 + int64(seed%900)}
	}
	escalation := func(at int, severity string) ([]byte, string) {
		data, err := agn.BuildEscalation(head(at), agn.Executor, agn.Escalation{
			Kind: agn.UnknownTrouble, Severity: severity, TriggeredBy: agn.Executor, Description: fmt.Sprint("number ", at),
			Suspended: severity != agn.Info, Snapshot: agn.Snapshot{TaskStatus: "x"},
		})
		if err != nil {
			panic(err)
		}
		m, err := agn.ParseMessage(data)
		if err != nil {
			panic(err)
		}
		return data, m.ID
	}
	dispatch, err := agn.BuildDispatch(head(1), agn.Dispatch{
		Description: "Do it", Repo: "/repo", Branch: "b", Subtasks: []agn.Subtask{{ID: "S1"}}, Criteria: []string{"c"}, Risk: "low",
	})
	if err != nil {
		panic(err)
	}
	begun, err := agn.ParseMessage(dispatch)
	if err != nil {
		panic(err)
	}
	urgent, urgentID := escalation(2, agn.Critical)
	late, lateID := escalation(3, agn.Info)
	bad := []byte(`{"msg_id":"nonsense"}`)
	now := time.UnixMilli(noon + 60_000)
	ctx := context.Background()
	send := func(data []byte) func() error {
		return func() error { _, err := d.Send(ctx, data, "test", now); return err }
	}
	// done takes for done what is there already.
	done := func(err error) error {
		if e, ok := errors.AsType[*ExistsError](err); ok && e.Void == "" {
			return nil
		}
		return err
	}
	run := &crash.Run{
		Open: func() (err error) {
			d, err = createOn(on, path)
			return err
		},
		Close: func() { _ = d.Close() },
		Steps: []crash.Step{
			{Name: "dispatch", Names: begun.ID, Do: send(dispatch)},
			{Name: "ack", Names: begun.ID, Do: func() error { _, err := d.Ack(ctx, begun.ID, agn.Executor, now); return done(err) }},
			{Name: "escalate", Names: urgentID, Do: send(urgent)},
			{Name: "refused", Names: ErrorsName, Do: func() error {
				_, err := d.Send(ctx, bad, "somebody", now)
				r, ok := errors.AsType[*RejectedError](err)
				if !ok {
					return fmt.Errorf("it was not refused: %w", err)
				}
				return r.Log
			}},
			{Name: "answer", Names: urgentID, Do: func() error {
				return done(d.Resume(ctx, agn.Resume{MsgID: urgentID, Action: agn.Approve, Millis: now.UnixMilli(), Text: "go on"}))
			}},
			{Name: "escalate again", Names: lateID, Do: send(late)},
		},
	}
	run.Check = func(marks []crash.Mark) error {
		s, err := Scan(ctx, path)
		if err == nil {
			err = s.Err
		}
		if err != nil {
			return err
		}
		got := map[string]int{}
		for _, t := range s.Tasks {
			for i := range t.History.Messages {
				got[t.History.Messages[i].ID]++
			}
			for _, a := range t.History.Acks {
				got["ack "+a.MsgID]++
			}
			for _, a := range t.History.Resumes {
				got["answer "+a.MsgID]++
			}
		}
		for _, p := range s.Problems {
			// A torn line is reported, and loses nothing else.
			if p.Path != ErrorsName {
				return fmt.Errorf("a file that is not whole: %+v", p)
			}
		}
		log, err := os.ReadFile(filepath.Join(path, ErrorsName))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		for line := range bytes.Lines(log) {
			if r, err := agn.ParseRejection(line); err == nil {
				got["refused "+r.Source]++
			}
		}
		names := []string{begun.ID, "ack " + begun.ID, urgentID, "refused somebody", "answer " + urgentID, lateID}
		return crash.Same("directory", got, marks, func(i int) string { return names[i] })
	}
	return run
}

func prepareWriter(dir string) error { return os.Mkdir(filepath.Join(dir, "work"), 0o700) }

// TestKilledBehind writes each kind of fact after a process that was killed had done so.
func TestKilledBehind(t *testing.T) {
	crash.Each(t, crash.Scenario{Prepare: prepareWriter, New: writerRun})
}

// TestCrash writes each kind of fact while the process is killed, the power fails
// and the disk is full: what was acknowledged is there once and whole.
func TestCrash(t *testing.T) {
	crash.Try(t, crash.Scenario{
		Prepare: prepareWriter,
		New:     writerRun,
	}, 120)
}
