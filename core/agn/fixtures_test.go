package agn_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// fixtures reads the files of one folder of testdata/agn by name.
func fixtures(t testing.TB, folder string) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "agn", folder, "*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures in %s: %v", folder, err)
	}
	all := map[string][]byte{}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(p)] = data
	}
	return all
}

func parse(t testing.TB, data []byte) agn.Message {
	t.Helper()
	m, err := agn.ParseMessage(data)
	if err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return m
}

// rules lists findings as "rule field".
func rules(list []canon.Fault) []string {
	got := []string{}
	for _, f := range list {
		got = append(got, strings.TrimSpace(f.Rule+" "+f.Field))
	}
	return got
}

// chain reads the fixture's task, in order.
func chain(t testing.TB) []agn.Message {
	t.Helper()
	all := fixtures(t, "amp-chain")
	names := []string{}
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	list := []agn.Message{}
	for _, name := range names {
		list = append(list, parse(t, all[name]))
	}
	return list
}

// TestChain holds AGN E1 to E11, R1 and every required payload row on one task
// that another implementation wrote.
func TestChain(t *testing.T) {
	list := chain(t)
	if len(list) != 6 {
		t.Fatalf("%d messages", len(list))
	}
	for _, m := range list {
		if len(m.Faults)+len(m.Notes) > 0 {
			t.Errorf("%s: %+v", m.ID, m.Findings)
		}
	}
	if d := list[0].Payload.Dispatch; d.Branch != "feature/watch-breath-v2" || len(d.Subtasks) != 2 || d.Subtasks[1].EstimatedLines != 30 || len(d.Criteria) != 3 || d.Risk != "medium" {
		t.Errorf("AGN D1 to D8: %+v", d)
	}
	if r := list[1].Payload.Result; r.SubtaskID != "T-2026-044-S1" || !slices.Equal(r.CriteriaMet, []agn.Answer{agn.Yes, agn.Unknown, agn.Unknown}) || r.LinesAdded != 68 || len(r.Log) != 1 || !r.Log[0].Time.OK {
		t.Errorf("AGN T1 to T6: %+v", r)
	}
	if r := list[2].Payload.Request; r.ResultRef != list[1].ID || r.Status("xcode_cloud") != "passed" || len(r.CI) != 3 {
		t.Errorf("AGN Q1 to Q10: %+v", r)
	}
	if v := list[3].Payload.Verdict; v.Decision != agn.Rejected || v.Criteria[1].Passed != agn.Unknown || v.Issues[0].Line != 87 || !v.Issues[0].Blocking() || v.Confidence != 0.95 {
		t.Errorf("AGN V1 to V6: %+v", v)
	}
	if e := list[5].Payload.Escalation; e.Kind != agn.HallucinationLock || !e.Suspended || e.Snapshot.RejectCount != 4 || len(e.Suggested) != 3 {
		t.Errorf("AGN X1 to X8: %+v", e)
	}
}

// TestSpecExamples holds what the C rows ask to tolerate: the text's own
// examples are readable, and payloads break no rule.
func TestSpecExamples(t *testing.T) {
	want := map[string][]string{
		"task_dispatch.json": {}, "task_result.json": {}, "review_verdict.json": {},
		"review_request.json": {"C9 original_dispatch_ref", "C9 task_result_ref"},
		// "-001" has the form, however short a time it is (AGN C9).
		"escalation.json": {},
	}
	for name, data := range fixtures(t, "spec-examples") {
		if name == "envelope.json" {
			continue
		}
		t.Run("AGN C2 C3 C9 C10 C11 C12/"+name, func(t *testing.T) {
			p, found, err := agn.ParsePayload(strings.TrimSuffix(name, ".json"), data)
			if err != nil || len(found.Faults) > 0 || string(p.Raw) != string(data) {
				t.Fatalf("%v %+v", err, found)
			}
			if got := rules(found.Notes); !slices.Equal(got, want[name]) {
				t.Errorf("notes %q, want %q", got, want[name])
			}
		})
	}
	t.Run("AGN C9/envelope", func(t *testing.T) {
		m := parse(t, fixtures(t, "spec-examples")["envelope.json"])
		if got := rules(m.Notes); !slices.Equal(got, []string{"C9 context_ref[0]"}) {
			t.Errorf("notes %q", got)
		}
		// The example leaves its payload out, and nothing else is wrong with it:
		// a year between the id's time and the timestamp is not.
		for _, f := range m.Faults {
			if !strings.HasPrefix(f.Field, "payload.") {
				t.Errorf("%+v", f)
			}
		}
		if len(m.Faults) != 6 {
			t.Errorf("AGN E0: faults %q, want all six", rules(m.Faults))
		}
	})
}

// required names the rule of each member that a fixture leaves out.
var required = map[string]string{
	"from": "E4", "payload": "E11", "requires_ack": "E8", "timestamp": "E7", "type": "E3",
	"acceptance_criteria": "D5", "description": "D1", "risk_level": "D6",
	"original_dispatch_ref": "Q1", "review_scope": "Q3",
	"diff_summary": "T3", "subtask_id": "T1", "criteria_results": "V2",
	"auto_suspended": "X5", "escalation_type": "X1", "system_state_snapshot": "X7",
}

// ruleOf reads the rule that a one-fault fixture breaks from its name.
func ruleOf(name string) string {
	rule, rest, _ := strings.Cut(strings.TrimSuffix(name, ".json"), "-")
	if member, ok := strings.CutPrefix(rest, "required-"); ok {
		return required[member]
	}
	if rule == "R" {
		return "R1"
	}
	return rule
}

// TestOneFault holds every one-fault message of another implementation: it is
// refused with exactly the rule in its name.
func TestOneFault(t *testing.T) {
	// What these break is seen only beside the task's other messages.
	late := []string{"Q6-ref-unresolvable.json", "Q8-ci-failed.json", "T1-unknown-subtask.json"}
	all := chain(t)
	for name, data := range fixtures(t, "invalid") {
		t.Run("AGN "+ruleOf(name)+"/"+name, func(t *testing.T) {
			m := parse(t, data)
			found := m.Faults
			if slices.Contains(late, name) {
				if len(found) > 0 {
					t.Errorf("by itself: %+v", found)
				}
				before := slices.DeleteFunc(slices.Clone(all), func(h agn.Message) bool { return h.Time.Millis >= m.Time.Millis })
				found = agn.Check(&m, before).Faults
			}
			if only(found) != ruleOf(name) {
				t.Errorf("%+v, want %q", found, ruleOf(name))
			}
		})
	}
}
