package agn

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// long gives a message of nearly the longest size: texts of all types.
func long(t *testing.T, kind string) []byte {
	t.Helper()
	head := agn.Head{TaskID: "T-2026-001", Millis: day}
	text := strings.Repeat("é", 150_000)
	many := []string{}
	for i := range 3000 {
		many = append(many, fmt.Sprintf("%d %s", i, strings.Repeat("x", 200)))
	}
	switch kind {
	case agn.TypeDispatch:
		return must(agn.BuildDispatch(head, agn.Dispatch{
			Description: text, Repo: "/r", Branch: "b", Risk: "low", Criteria: []string{"short", text},
			Subtasks: []agn.Subtask{{ID: "S1", Description: "step"}}, Constraints: []byte(`{"a":"` + strings.Repeat("x", 100_000) + `"}`),
		}))
	case agn.TypeResult:
		return must(agn.BuildResult(head, agn.Result{SubtaskID: "S1", Status: "complete", Files: many, CriteriaMet: []agn.Answer{agn.Yes}, Notes: []string{"note"}}))
	case agn.TypeRequest:
		return must(agn.BuildRequest(head, agn.Request{
			DispatchRef: head.ID(agn.TypeDispatch), ResultRef: head.ID(agn.TypeResult), Scope: "full", DiffURL: text,
			Notes: "Lock is approaching", CI: []agn.Build{{Name: "xcode_cloud", Status: "failed"}},
		}))
	case agn.TypeVerdict:
		v := agn.Verdict{Decision: agn.Rejected, Confidence: 1, Criteria: []agn.Criterion{{Text: "c", Passed: agn.No, Evidence: text}}}
		for _, s := range many[:1500] {
			v.Issues = append(v.Issues, agn.Issue{Severity: "major", File: "f", Description: s})
		}
		return must(agn.BuildVerdict(head, v))
	}
	return must(agn.BuildEscalation(head, agn.Executor, agn.Escalation{
		Kind: agn.UnknownTrouble, Severity: agn.Critical, TriggeredBy: agn.Executor, Description: text, Suggested: []string{"Split it", text},
		Affected: []string{head.ID(agn.TypeDispatch)}, Suspended: true, Snapshot: agn.Snapshot{TaskStatus: "x"},
	}))
}

// TestShorten keeps of a message what its state, its checks and a page need, and
// no megabyte for hours (AGN Q7 Q8 E10 X6 D4).
func TestShorten(t *testing.T) {
	b := newReadFixture(t)
	whole := map[string]agn.Message{}
	for _, kind := range []string{agn.TypeDispatch, agn.TypeResult, agn.TypeRequest, agn.TypeVerdict, agn.TypeEscalation} {
		data := long(t, kind)
		m, err := agn.ParseMessage(data)
		if err != nil || len(m.Faults) > 0 || len(data) < 4*maxTexts {
			t.Fatalf("%s: %v %v, %d bytes", kind, err, m.Faults, len(data))
		}
		whole[kind] = m
		b.Put(MessagePath(m.TaskID, m.ID), data)
	}
	l := b.followWith(Config{Poll: time.Hour}, outsideWorld())
	task := l.sync().Task("T-2026-001")
	if len(task.History.Messages) != len(whole) {
		t.Fatalf("%v", brief(l.sync()))
	}
	for i := range task.History.Messages {
		m := &task.History.Messages[i]
		size, cut := 0, false
		for _, s := range texts(m) {
			size += len(*s)
			cut = cut || strings.HasSuffix(*s, "…")
			if !utf8.ValidString(*s) {
				t.Errorf("%s: a character was cut", m.Type)
			}
		}
		if marks := len("…") * len(texts(m)); !cut || size < maxTexts/2 || size > maxTexts+marks {
			t.Errorf("%s: %d bytes are kept, cut %t", m.Type, size, cut)
		}
		w := whole[m.Type]
		rules := func(m *agn.Message) []canon.Fault {
			f := agn.Check(m, task.History.Messages)
			for i := range f.Faults {
				f.Faults[i].Offset = 0
			}
			return f.Faults
		}
		c := w
		c.Raw = nil
		if diff := cmp.Diff(rules(&c), rules(m)); diff != "" {
			t.Errorf("%s: %s", m.Type, diff)
		}
	}
	d, e := task.History.Messages[0].Payload.Dispatch, task.History.Messages[4].Payload.Escalation
	if d.Criteria[0] != "short" || d.Subtasks[0].Description != "step" || len(d.Constraints) > 100 || e.Suggested[0] != "Split it" {
		t.Errorf("short texts were cut: %q %q %s", d.Criteria[0], e.Suggested[0], d.Constraints)
	}
	// Who looks once has it all.
	for i, m := range b.scan().Task("T-2026-001").History.Messages {
		c := whole[m.Type]
		detach(&c)
		if diff := cmp.Diff(c.Payload, m.Payload); diff != "" {
			t.Errorf("%d: something was cut", i)
		}
	}
}
