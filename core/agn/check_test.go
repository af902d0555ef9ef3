package agn_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// TestCheckChain holds that the fixture's whole task passes, each message beside
// those before it and beside all of them.
func TestCheckChain(t *testing.T) {
	list := chain(t)
	notes := map[int][]string{
		3: {"C10 payload.criteria_results"},
		// It counts four rejections, and the fixture has one.
		5: {"X7 payload.system_state_snapshot.reject_count"},
	}
	for i := range list {
		for _, history := range [][]agn.Message{list[:i], list} {
			got := agn.Check(&list[i], history)
			if len(got.Faults) > 0 {
				t.Errorf("%s: %+v", list[i].ID, got.Faults)
			}
			if want := append([]string{}, notes[i]...); !slices.Equal(rules(got.Notes), want) {
				t.Errorf("AGN C10 X7: %s: notes %q, want %q", list[i].ID, rules(got.Notes), want)
			}
		}
	}
}

// verdicts appends n verdicts to the task, a second apart after its request.
func verdicts(t testing.TB, list []agn.Message, n int, decision string) []agn.Message {
	t.Helper()
	list = slices.Clone(list)
	for range n {
		last := list[len(list)-1]
		v := agn.Verdict{Decision: decision, Confidence: 0.9, Issues: []agn.Issue{{Severity: "major", Description: "x"}}}
		if decision != agn.Rejected {
			v.Issues = nil
		}
		data, err := agn.BuildVerdict(agn.Head{TaskID: last.TaskID, Millis: last.Time.Millis + 1000}, v)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, parse(t, data))
	}
	return list
}

// TestCheck changes one message of the fixture's task and asks for exactly what
// its history shows.
func TestCheck(t *testing.T) {
	list := chain(t)
	const dispatch, result, request, rejected, escalation = 0, 1, 2, 3, 5
	partial := parse(t, []byte(strings.Replace(string(list[result].Raw), `"complete",`, `"partial", "blockers": ["x"],`, 1)))
	early := verdicts(t, list[:2], 2, agn.Rejected) // before the request
	for _, c := range []struct {
		name          string
		of            int
		old, new      string
		history       []agn.Message
		faults, notes string
	}{
		{"E1 conflict", result, `"a3f8d21"`, `"b3f8d21"`, list, "E1", ""},
		{"E1 the same again", result, ``, ``, list, "", ""},
		{"E10 another task's", request, `"context_ref": [`, `"context_ref": ["task_result-T-2026-043-1",`, list[:2], "", ""},
		{"E10 not there", request, `"context_ref": [`, `"context_ref": ["task_result-T-2026-044-1",`, list[:2], "", "E10"},
		{"T1 no dispatch", result, ``, ``, nil, "T1", "E10"},
		{"T1 other subtask", result, `044-S1`, `044-S3`, list[:1], "T1", ""},
		{"T4 too few", result, "[\n        true,", "[", list[:1], "T4", ""},
		{"T4 too many", result, "[\n        true,", "[true, false,", list[:1], "T4", ""},
		{"Q1 of another type", request, `"original_dispatch_ref": "task_dispatch-T-2026-044-1772116327001"`, `"original_dispatch_ref": "task_result-T-2026-044-1772117227001"`, list[:2], "Q1", ""},
		{"Q2 of another type", request, `"task_result_ref": "task_result-T-2026-044-1772117227001"`, `"task_result_ref": "task_dispatch-T-2026-044-1772116327001"`, list[:2], "Q2", ""},
		{"Q2 only a complete result", request, ``, ``, []agn.Message{list[dispatch], partial}, "Q2", ""},
		{"Q3 nothing to start from", request, `"full"`, `"incremental"`, list[:2], "", "Q3"},
		{"Q3 since a verdict", request, `"full"`, `"incremental"`, verdicts(t, list[:2], 1, agn.Approved), "", ""},
		{"Q5 too high", request, `"reject_count": 0`, `"reject_count": 1`, list[:2], "Q5", ""},
		{"Q5 too low", request, ``, ``, early, "Q5", ""},
		{"Q6 dispatch", request, ``, ``, list[1:2], "Q6", "E10"},
		{"Q6 result", request, ``, ``, list[:1], "Q6", "E10"},
		{"Q7 no warning", request, `"reject_count": 0`, `"reject_count": 2`, early, "", "Q7"},
		{"Q7 a warning", request, `"reject_count": 0, "coordinator_notes": "`, `"reject_count": 2, "coordinator_notes": "The lock is approaching. `, early, "", ""},
		{"Q8 failed", request, `"passed"`, `"failed"`, list[:2], "Q8", ""},
		{"Q8 C12 running", request, `"passed"`, `"running"`, list[:2], "", ""},
		{"C12 another build failed", request, `"running"`, `"failed"`, list[:2], "", "C12"},
		{"V1 unasked", rejected, ``, ``, list[:2], "", "E10 V1 C10"},
		{"V7 low", rejected, `0.95`, `0.79`, list[:3], "", "C10 V7"},
		{"V7 enough", rejected, `0.95`, `0.8`, list[:3], "", "C10"},
		{"X6 not there", escalation, `"affected_msgs": [`, `"affected_msgs": ["task_result-T-2026-044-1",`, list[:5], "", "X6 X7"},
	} {
		t.Run("AGN "+c.name, func(t *testing.T) {
			// Members stand on lines of their own in the fixture.
			old := strings.ReplaceAll(c.old, `, "`, ",\n    \"")
			data := strings.Replace(string(list[c.of].Raw), old, c.new, 1)
			if c.old != "" && data == string(list[c.of].Raw) {
				t.Fatal("nothing was changed")
			}
			m := parse(t, []byte(data))
			if len(m.Faults) > 0 {
				t.Fatalf("%+v", m.Faults)
			}
			got := agn.Check(&m, c.history)
			if only(got.Faults) != c.faults || only(got.Notes) != c.notes {
				t.Errorf("faults %q, want %q; notes %q, want %q: %+v", only(got.Faults), c.faults, only(got.Notes), c.notes, got)
			}
			for _, f := range append(got.Faults, got.Notes...) {
				name := f.Field[strings.LastIndexByte(f.Field, '.')+1:]
				if !strings.HasSuffix(strings.TrimRight(data[:f.Offset], " \n"), `"`+name+`":`) {
					t.Errorf("%s is not at %d", f.Field, f.Offset)
				}
			}
		})
	}
}

// TestCheckManyRefs holds AGN E10 and X6 for many references: those that are there
// are found, and no more is said of the others than anybody reads.
func TestCheckManyRefs(t *testing.T) {
	list := chain(t)
	last := list[5]
	for _, m := range list[:5] {
		last.ContextRef = append(last.ContextRef, m.ID, m.ID, m.ID)
	}
	// Of two messages of one id the first one counts.
	second := list[0]
	second.Type = agn.TypeResult
	if got := agn.Check(&last, append(list[:5:5], second)); only(got.Notes) != "X7" {
		t.Errorf("%+v", got)
	}
	last.ContextRef = append(last.ContextRef, "task_result-T-2026-044-1")
	if got := agn.Check(&last, list); only(got.Notes) != "E10 X7" {
		t.Errorf("%+v", got)
	}
	for i := range 2 * canon.MaxFindings {
		last.ContextRef = append(last.ContextRef, agn.ID{Type: agn.TypeResult, TaskID: last.TaskID, Millis: int64(i)}.String())
	}
	if got := agn.Check(&last, list); len(got.Notes) != canon.MaxFindings {
		t.Errorf("%d notes", len(got.Notes))
	}
}

// TestCheckDispatch holds AGN T4 where a task was dispatched again: a result is
// held against the dispatch that it can answer.
func TestCheckDispatch(t *testing.T) {
	list := chain(t)
	h := agn.Head{TaskID: list[0].TaskID, Millis: list[1].Time.Millis + 1}
	d := *list[0].Payload.Dispatch
	d.Criteria = d.Criteria[:1]
	data, err := agn.BuildDispatch(h, d)
	if err != nil {
		t.Fatal(err)
	}
	later := parse(t, data)
	for _, history := range [][]agn.Message{{list[0], later}, {later, list[0]}} {
		if got := agn.Check(&list[1], history); len(got.Faults) > 0 {
			t.Errorf("%+v", got)
		}
	}
	h.Millis = list[1].Time.Millis
	if data, err = agn.BuildDispatch(h, d); err != nil {
		t.Fatal(err)
	}
	if got := agn.Check(&list[1], []agn.Message{parse(t, data), list[0]}); only(got.Faults) != "T4" {
		t.Errorf("the latest one before it: %+v", got)
	}
}

// TestCheckIgnoresInvalid holds AGN E0: what breaks a rule is no history.
func TestCheckIgnoresInvalid(t *testing.T) {
	list := chain(t)
	bad := parse(t, []byte(strings.Replace(string(list[0].Raw), `feature/watch-breath-v2`, `main`, 1)))
	if got := agn.Check(&list[1], []agn.Message{bad}); only(got.Faults) != "T1" {
		t.Errorf("%+v", got)
	}
}

// TestLock holds AGN X11 and C2, the two rules of the lock.
func TestLock(t *testing.T) {
	for _, c := range []struct {
		rejects, consecutive int
		want                 agn.LockRule
	}{
		{0, 0, agn.LockNone},
		{2, 2, agn.LockNone},
		{3, 2, agn.LockNone},
		{3, 0, agn.LockNone},
		{3, 3, agn.LockConsecutive},
		{4, 4, agn.LockConsecutive},
		{4, 1, agn.LockCount},
		{9, 0, agn.LockCount},
	} {
		if got := agn.Lock(c.rejects, c.consecutive); got != c.want {
			t.Errorf("AGN X11 C2: %d rejections, %d in a row: %q, want %q", c.rejects, c.consecutive, got, c.want)
		}
	}
}
