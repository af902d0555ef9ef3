package agn

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// history makes a task of dispatches, ACKs and answers at random, some of them
// in the future.
func history(rng *rand.Rand, task string) agn.History {
	var h agn.History
	for i := range rng.Int64N(6) {
		n := i*100_000 + rng.Int64N(90_000)
		if rng.IntN(6) == 0 {
			n += 3_600_000
		}
		m, err := agn.ParseMessage(dispatch(task, n, "x"))
		if err != nil {
			panic(err)
		}
		detach(&m)
		h.Messages = append(h.Messages, m)
		if rng.IntN(2) == 0 {
			h.Acks = append(h.Acks, agn.Ack{MsgID: m.ID, By: agn.Executor, Millis: day + n + rng.Int64N(400_000)})
		}
		if rng.IntN(4) == 0 {
			h.Resumes = append(h.Resumes, agn.Resume{MsgID: m.ID, Action: agn.Approve, Millis: day + n})
		}
	}
	return h
}

// TestStateRemembered asks for a state at moments in any order, many around the
// times at which something becomes true: what is remembered is what is computed
// (AGN E7, E12, X11).
func TestStateRemembered(t *testing.T) {
	const task = "T-2026-001"
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 3))
		h := history(rng, task)
		k := &Task{ID: task, History: h}
		now := day
		for range 300 {
			switch rng.IntN(4) {
			case 0:
				now += rng.Int64N(400_000)
			case 1:
				now += rng.Int64N(3) - 1
			case 2:
				if s := k.State(now); len(s.Waits) > 0 {
					now = s.Waits[rng.IntN(len(s.Waits))].Deadline + rng.Int64N(3) - 1
				}
			case 3:
				if s := k.State(now); s.LastWrite > 0 {
					now = s.LastWrite + agn.HeartbeatLimit + rng.Int64N(3) - 1
				}
			}
			state, alarms := agn.Alarms(task, h, nil, now)
			if diff := cmp.Diff(state, k.State(now)); diff != "" {
				t.Fatalf("seed %d at %d: %s", seed, now-day, diff)
			}
			if diff := cmp.Diff(alarms, k.Alarms(now)); diff != "" {
				t.Fatalf("seed %d at %d, alarms: %s", seed, now-day, diff)
			}
		}
	}
}

// TestStateShared asks from everywhere at once.
func TestStateShared(t *testing.T) {
	k := &Task{ID: "T-2026-001", History: history(rand.New(rand.NewPCG(1, 3)), "T-2026-001")}
	var all sync.WaitGroup
	for i := range int64(8) {
		all.Go(func() {
			for j := range int64(200) {
				now := day + (i*200+j)*3000
				if s := k.State(now); s.TaskID != k.ID || s.LastWrite > 0 && s.LastWrite <= now && s.Age != now-s.LastWrite {
					t.Errorf("%+v", s)
				}
				k.Alarms(now)
			}
		})
	}
	all.Wait()
}

// TestAlarmsRefused reports a dispatch that was refused for its branch (AGN D3).
func TestAlarmsRefused(t *testing.T) {
	b := newReadFixture(t)
	b.Put("messages/T-2026-044/a.json", fixture(t, "invalid/D3-branch-master.json"))
	s := b.scan()
	if len(s.Tasks) != 1 {
		t.Fatalf("%v", brief(s))
	}
	list := s.Tasks[0].Alarms(s.Tasks[0].Last)
	if len(list) != 1 || list[0].Kind != agn.BranchViolation {
		t.Errorf("%+v", list)
	}
}

// TestStateOnce computes a long history once for many questions.
func TestStateOnce(t *testing.T) {
	k := &Task{ID: "T-2026-001", History: history(rand.New(rand.NewPCG(7, 3)), "T-2026-001")}
	far := day + 1e9
	k.State(far)
	if n := testing.AllocsPerRun(100, func() { far++; k.State(far) }); n > 0 {
		t.Errorf("%v allocations: %s", n, fmt.Sprint(k.State(far)))
	}
}
