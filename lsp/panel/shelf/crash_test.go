package shelf

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/crash"
)

func shelfPath(dir string) string { return Path(filepath.Join(dir, "state", "signalbox")) }

// shelfPlay puts threads away and takes one back.
func shelfPlay(on disk.Disk, dir string, seed uint64) *crash.Run {
	path := shelfPath(dir)
	var s *Shelf
	open := func() *Shelf {
		return Open(Config{Path: path, disk: on, Poll: time.Hour, Now: time.Now, Logger: slog.New(slog.DiscardHandler), Changed: func() {}})
	}
	entry := Entry{Archived: 1 + int64(seed%1000), Mail: 1}
	play := &crash.Run{
		Open:  func() error { s = open(); return nil },
		Close: func() { s.Close() },
	}
	for i := range 4 {
		play.Steps = append(play.Steps, crash.Step{Name: fmt.Sprint("put ", i), Names: "state", Do: func() error {
			return s.Put(context.Background(), map[Key]Entry{key(fmt.Sprint(i)): entry}, nil)
		}})
	}
	play.Steps = append(play.Steps, crash.Step{Name: "take back", Names: "state", Do: func() error {
		return s.Put(context.Background(), nil, []Key{key("old")})
	}})
	play.Check = func(marks []crash.Mark) error {
		fresh := open()
		defer fresh.Close()
		snap := fresh.Snapshot()
		if snap.Err != nil {
			return snap.Err
		}
		got := map[string]int{}
		for k := range snap.Entries {
			got[k.Ref.ID]++
		}
		old := key("old").Ref.ID
		switch back := marks[4]; {
		case back == crash.Done && got[old] != 0:
			return errors.New("what was taken back is away")
		case back == crash.Waiting && got[old] != 1:
			return errors.New("what was put away before is not away")
		}
		delete(got, old)
		return crash.Same("shelf", got, marks, func(i int) string {
			if i == 4 {
				return ""
			}
			return key(fmt.Sprint(i)).Ref.ID
		})
	}
	return play
}

// prepareShelf puts one thread away.
func prepareShelf(t *testing.T) func(dir string) error {
	return func(dir string) error {
		return open(t, shelfPath(dir), nil).Put(t.Context(), map[Key]Entry{key("old"): {Archived: 1}}, nil)
	}
}

// TestKilledBehind changes the file after a process that was killed had done so.
func TestKilledBehind(t *testing.T) {
	crash.Each(t, crash.Scenario{Prepare: prepareShelf(t), New: shelfPlay})
}

// TestCrash changes the file while the process is killed, the power fails and the
// disk is full.
func TestCrash(t *testing.T) {
	crash.Try(t, crash.Scenario{Prepare: prepareShelf(t), New: shelfPlay}, 200)
}
