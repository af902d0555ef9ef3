package agn

import (
	"errors"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// TestAnswers says of ACKs and answers that others wrote whether they count (AGN
// E12 X9 E7).
func TestAnswers(t *testing.T) {
	k := newWriteFixture(t)
	d := k.send(k.dispatch(task))
	open := k.send(k.escalation(task, agn.Critical))
	late := agn.Resume{MsgID: open.ID, Action: agn.Approve, Millis: open.Time.Millis - 3000}
	void := agn.Resume{MsgID: d.ID, Action: agn.Approve, Millis: k.now}
	nothing := agn.Resume{MsgID: "escalation-T-2026-007-1", Action: agn.Approve, Millis: k.now}
	for round := range 2 {
		s := k.scan()
		for name, c := range map[string]struct {
			fault *canon.Fault
			want  string
		}{
			"E12 the receiver's":           {s.CheckAck(agn.Ack{MsgID: d.ID, By: d.To, Millis: k.now}), ""},
			"E12 E7 by a clock behind":     {s.CheckAck(agn.Ack{MsgID: d.ID, By: d.To, Millis: d.Time.Millis - 1000}), ""},
			"E12 the sender's":             {s.CheckAck(agn.Ack{MsgID: d.ID, By: d.From, Millis: k.now}), "went to the executor"},
			"E12 of nothing":               {s.CheckAck(agn.Ack{MsgID: nothing.MsgID, By: agn.Admin, Millis: k.now}), "not there"},
			"X9 E7 by a clock behind":      {s.CheckResume(late, k.now), ""},
			"X9 of what waits for nothing": {s.CheckResume(void, k.now), "no escalation"},
			"X9 of nothing":                {s.CheckResume(nothing, k.now), "not there"},
		} {
			if (c.fault == nil) != (c.want == "") || c.fault != nil && !strings.Contains(c.fault.Reason, c.want) {
				t.Errorf("AGN %s, round %d: %v", name, round, c.fault)
			}
		}
		// And once they are written, by somebody who asks nobody.
		for _, r := range []agn.Resume{late, void} {
			k.put(ResumePath(r.MsgID), string(k.built(agn.BuildResume(r))))
		}
	}
	if s := k.scan().Task(task).State(k.now); len(s.Open) > 0 {
		t.Errorf("X9 E7: %+v", s)
	}
	void.Action = agn.Terminate
	err := k.d.Resume(t.Context(), void)
	if e, ok := errors.AsType[*ExistsError](err); !ok || e.Void == "" || e.Resume == nil {
		t.Errorf("X9: %v", err)
	}
}

// TestAnswerTime holds AGN E7: a clock that is a little ahead is followed, and one
// that is years ahead is not.
func TestAnswerTime(t *testing.T) {
	for ahead, want := range map[int64]int64{-5000: noon, 0: noon, 60_000: noon + 60_000, agn.FutureLimit: noon + agn.FutureLimit, agn.FutureLimit + 1: noon, 1 << 40: noon} {
		if got := AnswerTime(noon, &agn.Message{Time: agn.At(noon + ahead)}); got != want {
			t.Errorf("%d ahead: %d", ahead, got-noon)
		}
	}
	k := newWriteFixture(t)
	k.send(k.dispatch(task))
	now := k.now
	k.now += 1 << 40
	m := k.send(k.escalation(task, agn.Critical))
	k.now = now
	if err := k.d.Resume(t.Context(), agn.Resume{MsgID: m.ID, Action: agn.Redirect, Text: "x", Millis: now}); err != nil {
		t.Fatal(err)
	}
	k.ack(m)
	d := k.send(k.dispatch(task))
	k.ack(d)
	if s := k.scan().Task(task).State(k.now); s.Phase != agn.PhaseInWork || len(s.Open) > 0 {
		t.Errorf("X9: the task is stuck: %+v", s)
	}
}
