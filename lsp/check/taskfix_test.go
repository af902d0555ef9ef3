package check_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/check"
)

// fixes gives all fixes of a text.
func fixes(t testing.TB, text string, others check.Stores) []check.Fix {
	t.Helper()
	list, err := check.Fixes(t.Context(), message(text), others, 0, len(text))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// edited applies a fix as an editor does, and checks its edits.
func edited(t testing.TB, text string, f *check.Fix) string {
	t.Helper()
	var b strings.Builder
	at := 0
	for _, e := range f.Edits {
		if e.Start < at || e.End < e.Start || e.End > len(text) {
			t.Fatalf("%s: edits %+v", f.Title, f.Edits)
		}
		b.WriteString(text[at:e.Start] + e.New)
		at = e.End
	}
	return b.String() + text[at:]
}

// TestFixes: what is wrong with a message becomes what the sound one is.
func TestFixes(t *testing.T) {
	const (
		dispatch, result, request = "amp-chain/01-task_dispatch.json", "amp-chain/02-task_result.json", "amp-chain/03-review_request.json"
		verdict, escalation       = "amp-chain/04-review_verdict.json", "amp-chain/06-escalation.json"
	)
	type swap []string // old, new, old, new …
	tests := []struct {
		name, file string
		wrong      swap // makes the text that is opened
		right      swap // of the fixture, makes what it becomes
		before     int  // messages of the chain that are known
		title      string
	}{
		{"AGN E8 false", dispatch, swap{`"requires_ack": true`, `"requires_ack": false`}, nil, 0, "Set requires_ack to true: a task_dispatch needs an ACK"},
		{"AGN E8 in quotes", dispatch, swap{`"requires_ack": true`, `"requires_ack": "true"`}, nil, 0, "Set requires_ack to true: a task_dispatch needs an ACK"},
		{"AGN E8 missing", dispatch, swap{"  \"requires_ack\": true,\n", ""}, nil, 0, "Set requires_ack to true: a task_dispatch needs an ACK"},
		{"AGN X5 false", escalation, swap{`"auto_suspended": true`, `"auto_suspended": false`}, nil, 0, "Set auto_suspended to true, as severity critical requires"},
		{"AGN X5 missing", escalation, swap{",\n    \"auto_suspended\": true", ""}, nil, 0, "Set auto_suspended to true, as severity critical requires"},
		{"AGN E1 task", dispatch, swap{"dispatch-T-2026-044", "dispatch-T-2026-045"}, nil, 0, "Set msg_id to task_dispatch-T-2026-044-1772116327001"},
		{"AGN E1 task, the other way", dispatch, swap{"dispatch-T-2026-044", "dispatch-T-2026-045"}, swap{"T-2026-044\"", "T-2026-045\"", "dispatch-T-2026-044", "dispatch-T-2026-045"}, 0, "Set task_id to T-2026-045, as in msg_id"},
		{"AGN E1 type", dispatch, swap{`"task_dispatch-T`, `"task_result-T`}, nil, 0, "Set msg_id to task_dispatch-T-2026-044-1772116327001"},
		{"AGN E1 a counter", dispatch, swap{"-1772116327001", "-001"}, swap{"-1772116327001", "-1772116327000"}, 0, "Set msg_id to task_dispatch-T-2026-044-1772116327000"},
		{"AGN E1 a padded time", dispatch, swap{"-1772116327001", "-01772116327001"}, nil, 0, "Set msg_id to task_dispatch-T-2026-044-1772116327001"},
		{"AGN E3 wrong", dispatch, swap{`"task_dispatch",`, `"dispatch",`}, nil, 0, "Set type to task_dispatch, as in msg_id"},
		{"AGN E3 missing", dispatch, swap{"  \"type\": \"task_dispatch\",\n", ""}, nil, 0, "Set type to task_dispatch, as in msg_id"},
		{"AGN E6 wrong", dispatch, swap{`"T-2026-044",`, `"T-2026",`}, nil, 0, "Set task_id to T-2026-044, as in msg_id"},
		{"AGN E6 missing", dispatch, swap{"  \"task_id\": \"T-2026-044\",\n", ""}, nil, 0, "Set task_id to T-2026-044, as in msg_id"},
		{"AGN R1 to", result, swap{`"to": "coordinator"`, `"to": "reviewer"`}, nil, 0, "Send the task_result from executor to coordinator"},
		{"AGN R1 both", result, swap{`"to": "coordinator"`, `"to": "executor"`, `"from": "executor"`, `"from": "coordinator"`}, nil, 0, "Send the task_result from executor to coordinator"},
		{"AGN E4 E5 missing", result, swap{"  \"from\": \"executor\",\n  \"to\": \"coordinator\",\n", ""}, nil, 0, "Send the task_result from executor to coordinator"},
		{"AGN E5 null", result, swap{`"to": "coordinator"`, `"to": null`}, nil, 0, "Send the task_result from executor to coordinator"},
		{"AGN R1 beside another fault", result, swap{`"to": "coordinator"`, `"to": "reviewer"`, `"complete"`, `"done"`}, swap{`"complete"`, `"done"`}, 0, "Send the task_result from executor to coordinator"},
		{"AGN R1 escalation", escalation, swap{`"to": "admin"`, `"to": "reviewer"`}, nil, 0, "Send the escalation to admin"},
		{"AGN E9 zero", dispatch, swap{`_sec": 300`, `_sec": 0`}, swap{"  \"ack_timeout_sec\": 300,\n", ""}, 0, `Remove "ack_timeout_sec" to use the default`},
		{"AGN E9 in quotes", dispatch, swap{`_sec": 300`, `_sec": "300"`}, nil, 0, `Write 300 without quotes`},
		{"AGN E9 null", dispatch, swap{`_sec": 300`, `_sec": null`}, swap{"  \"ack_timeout_sec\": 300,\n", ""}, 0, `Remove "ack_timeout_sec", which is null`},
		{"AGN E9 without meaning", escalation, swap{`"requires_ack": false,`, `"requires_ack": false, "ack_timeout_sec": 9,`}, swap{`"requires_ack": false,`, `"requires_ack": false,`}, 0, `Remove "ack_timeout_sec" to use the default`},
		{"AGN E5 twice", dispatch, swap{`  "to": "executor",`, "  \"to\": \"executor\",\n  \"to\": \"executor\","}, nil, 0, `Remove the second "to"`},
		{"AGN E5 twice, two values", dispatch, swap{`  "to": "executor",`, "  \"to\": \"executor\",\n  \"to\": \"reviewer\","}, nil, 0, `Keep the first "to" and remove this one`},
		{"AGN V6 twice, at the end", verdict, swap{`"confidence": 0.95`, `"confidence": 0.95, "confidence": 0.95`}, nil, 0, `Remove the second "confidence"`},
		{"AGN Q10 twice", request, swap{`"codex_review"`, `"xcode_cloud"`}, swap{"\n      \"codex_review\": \"running\",", ""}, 0, `Keep the first "xcode_cloud" and remove this one`},
		{"AGN T6 null", result, swap{`"commit_hash": "a3f8d21"`, `"commit_hash": null`}, swap{",\n    \"commit_hash\": \"a3f8d21\"", ""}, 0, `Remove "commit_hash", which is null`},
		{"AGN V6 in quotes", verdict, swap{`0.95`, `"0.95"`}, nil, 0, "Write 0.95 without quotes"},
		{"AGN Q5", request, swap{`"reject_count": 0`, `"reject_count": 7`}, nil, 3, "Set reject_count to 0, the number of rejections so far"},
		{"AGN Q7 notes", request, swap{`"reject_count": 0`, `"reject_count": 2`}, swap{`"reject_count": 0`, `"reject_count": 2`, `notes": "P`, `notes": "Lock is approaching. P`}, 0, `Add "Lock is approaching" to coordinator_notes`},
		{"AGN Q7 blank notes", request, swap{`"reject_count": 0`, `"reject_count": 2`, "Please focus on checking the life cycle management of WKExtendedRuntimeSession in the background", " "}, swap{`"reject_count": 0`, `"reject_count": 2`, "Please focus on checking the life cycle management of WKExtendedRuntimeSession in the background", "Lock is approaching"}, 0, `Add "Lock is approaching" to coordinator_notes`},
		{"AGN Q7 no notes", request, swap{`"reject_count": 0`, `"reject_count": 2`, "    \"coordinator_notes\": \"Please focus on checking the life cycle management of WKExtendedRuntimeSession in the background\",\n", ""}, swap{`"reject_count": 0`, `"reject_count": 2`, "Please focus on checking the life cycle management of WKExtendedRuntimeSession in the background", "Lock is approaching"}, 0, `Add "Lock is approaching" to coordinator_notes`},

		// Where there is a choice, nobody takes it for the user.
		{"AGN E2", dispatch, swap{"AMP/1.0", "AMP/1.1"}, nil, 0, ""},
		{"AGN E1 no id", dispatch, swap{"task_dispatch-T-2026-044-1772116327001", "x"}, nil, 0, ""},
		{"AGN E1 and another", dispatch, swap{"dispatch-T-2026-044", "dispatch-T-2026-045", "medium", "huge"}, nil, 0, ""},
		{"AGN E7", dispatch, swap{"+00:00", ""}, nil, 0, ""},
		{"AGN R1 from the admin", escalation, swap{`"from": "coordinator"`, `"from": "admin"`}, nil, 0, ""},
		{"AGN R1 and another type in the id", result, swap{`"to": "coordinator"`, `"to": "reviewer"`, `"task_result-T-2026-044-1772117227001",
  "p`, `"escalation-T-2026-044-1772117227001",
  "p`}, nil, 0, ""},
		{"AGN E9 words", dispatch, swap{`_sec": 300`, `_sec": "5 min"`}, nil, 0, ""},
		{"AGN V6 above 1", verdict, swap{`0.95`, `95`}, nil, 0, ""},
		{"AGN V6 above 1, in quotes", verdict, swap{`0.95`, `"95"`}, nil, 0, ""},
		{"AGN T7 null", result, swap{`"complete"`, `"partial"`, `"commit_hash": "a3f8d21"`, `"blockers": null`}, nil, 0, ""},
		{"AGN D1 null", dispatch, swap{`"low"`, `null`}, nil, 0, ""},
		{"AGN C17", dispatch, swap{`"payload": {`, `"payload": {"mine": null,`}, nil, 0, ""},
		{"AGN X5 without a severity", escalation, swap{`"critical"`, `"fatal"`, `"auto_suspended": true`, `"auto_suspended": 1`}, nil, 0, ""},
		{"AGN E0", dispatch, swap{`"requires_ack": true,`, `"requires_ack": false`}, nil, 0, ""},
		{"sound", dispatch, nil, nil, 0, ""},
	}
	for _, tt := range tests {
		for _, w := range writings {
			if w.name == "minified" && tt.name == "AGN E0" {
				continue // it cannot be
			}
			t.Run(tt.name+"/"+w.name, func(t *testing.T) {
				plain := agnFile(t, tt.file)
				text := w.change(strings.NewReplacer(tt.wrong...).Replace(plain))
				want := w.change(strings.NewReplacer(tt.right...).Replace(plain))
				others := check.Stores(check.NoStores{})
				if tt.before > 0 {
					others = among(agnChain(t, tt.before))
				}
				var titles []string
				for _, f := range fixes(t, text, others) {
					titles = append(titles, f.Title)
					if f.Title == tt.title && layoutless(edited(t, text, &f)) != layoutless(want) {
						t.Error(cmp.Diff(want, edited(t, text, &f)))
					}
				}
				if w.name == "byte order mark" {
					titles = slices.DeleteFunc(titles, func(s string) bool { return s == "Remove the byte order mark" })
				}
				if tt.title == "" && len(titles) > 0 || tt.title != "" && !slices.Contains(titles, tt.title) {
					t.Errorf("%q", titles)
				}
			})
		}
	}
}

// layoutless leaves the spaces out that a fix copies from a neighbour.
func layoutless(s string) string { return strings.NewReplacer(" ", "", "\r\n", "\n").Replace(s) }

// TestFixesLayout: a member that is added looks like its neighbours, and one that
// goes leaves no trace.
func TestFixesLayout(t *testing.T) {
	before, after := "{\r\n\t\"protocol_version\" : \"AMP/1.0\",\r\n\t\"msg_id\" : \"escalation-T-2026-044-1\"", "\r\n}"
	list := fixes(t, before+after, check.NoStores{})
	i := slices.IndexFunc(list, func(f check.Fix) bool { return f.Title == "Set type to escalation, as in msg_id" })
	if i < 0 || edited(t, before+after, &list[i]) != before+",\r\n\t\"type\" : \"escalation\""+after {
		t.Errorf("%+v", list)
	}
	want := agnFile(t, "amp-chain/01-task_dispatch.json")
	for _, gone := range []string{"  \"requires_ack\": true,\n", "  \"type\": \"task_dispatch\",\n", "  \"to\": \"executor\",\n"} {
		text := strings.Replace(want, gone, "", 1)
		list := fixes(t, text, check.NoStores{})
		if len(list) != 1 || edited(t, text, &list[0]) != want || !list[0].Preferred {
			t.Errorf("%q: %+v", gone, list)
		}
	}
	twice := strings.Replace(want, "  \"to\": \"executor\",\n", "  \"to\": \"executor\",\n  \"to\": \"executor\",\n", 1)
	if list := fixes(t, twice, check.NoStores{}); len(list) != 1 || edited(t, twice, &list[0]) != want {
		t.Errorf("%+v", list)
	}
}

// TestFixesChoice: of two fixes neither is preferred.
func TestFixesChoice(t *testing.T) {
	list := fixes(t, agnFile(t, "invalid/E1-msg_id-task-mismatch.json"), check.NoStores{})
	if len(list) != 2 || list[0].Preferred || list[1].Preferred {
		t.Errorf("%+v", list)
	}
}

// TestFixesRange: only what lies in the range, or touches it, is mended.
func TestFixesRange(t *testing.T) {
	text := agnFile(t, "invalid/E8-requires_ack-false-on-dispatch.json")
	at := strings.Index(text, "false")
	for _, tt := range []struct{ start, end, want int }{
		{0, len(text), 1}, {at, at, 1}, {at + 5, at + 5, 1}, {at + 2, at + 3, 1}, {at + 6, at + 6, 0}, {at - 1, at - 1, 0}, {0, at - 1, 0},
	} {
		list, err := check.Fixes(t.Context(), message(text), check.NoStores{}, tt.start, tt.end)
		if err != nil || len(list) != tt.want {
			t.Errorf("from %d to %d: %+v, %v", tt.start, tt.end, list, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := check.Fixes(ctx, message(text), check.NoStores{}, 0, len(text)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestFixesHoldNothingBack: a fault of the history that another one hid is none
// that the fix made.
func TestFixesHoldNothingBack(t *testing.T) {
	text := strings.Replace(agnFile(t, "invalid/Q6-ref-unresolvable.json"), `"requires_ack": true`, `"requires_ack": false`, 1)
	list := fixes(t, text, among(agnChain(t, 3)))
	if len(list) != 1 || list[0].Diagnostic.Rule != "E8" {
		t.Errorf("%+v", list)
	}
}

// checkFix holds a fix against what each must be: the fault is gone, no other
// came, the text is JSON and the rest of it is what it was.
func checkFix(t testing.TB, text string, f *check.Fix, others check.Stores) {
	t.Helper()
	after := edited(t, text, f)
	if !json.Valid([]byte(strings.TrimPrefix(after, "\ufeff"))) {
		t.Fatalf("%s: no JSON: %s", f.Title, after)
	}
	count := func(text string) map[string]int {
		n := map[string]int{}
		found, known := diagnosed(t, message(text), others)
		if !known {
			t.Fatalf("%s: not known: %s", f.Title, text)
		}
		for _, d := range found {
			if d.Severity == check.Error {
				n[d.Rule]++
			}
		}
		return n
	}
	was, is := count(text), count(after)
	if f.Diagnostic.Severity == check.Error && is[f.Diagnostic.Rule] >= was[f.Diagnostic.Rule] {
		t.Errorf("%s: %s is still there: %v, %v", f.Title, f.Diagnostic.Rule, was, is)
	}
	m, err := agn.ParseMessage([]byte(strings.TrimPrefix(text, "\ufeff")))
	for rule, n := range is {
		hidden := err == nil && len(m.Faults) > 0 && slices.Contains([]string{"E1", "Q1", "Q2", "Q5", "Q6", "Q8", "T1", "T4"}, rule)
		if n > was[rule] && !hidden {
			t.Errorf("%s: %s is new: %v, %v", f.Title, rule, was, is)
		}
	}
	if strings.ContainsAny(f.Title, "\n\x1b") || len(f.Title) > 300 {
		t.Errorf("title %q", f.Title)
	}
}

// TestFixesOfFixtures holds checkFix for every fixture, written in every way,
// and with what is known of its task.
func TestFixesOfFixtures(t *testing.T) {
	files, err := filepath.Glob("../../testdata/agn/*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range files {
		name := filepath.ToSlash(strings.TrimPrefix(file, filepath.Join("..", "..", "testdata", "agn")+string(filepath.Separator)))
		for _, w := range writings {
			for _, others := range []check.Stores{check.NoStores{}, among([]agn.Message{}), among(agnChain(t, 7))} {
				text := w.change(agnFile(t, name))
				for _, f := range fixes(t, text, others) {
					n++
					checkFix(t, text, &f, others)
				}
			}
		}
	}
	if n < 200 {
		t.Errorf("only %d fixes", n)
	}
}

// TestFixesOfMutations holds checkFix for messages in which one value is another
// one, or has another name.
func TestFixesOfMutations(t *testing.T) {
	files, err := filepath.Glob("../../testdata/agn/amp-chain/*.json")
	if err != nil {
		t.Fatal(err)
	}
	all := among(agnChain(t, 7))
	n := 0
	for _, file := range files {
		text := agnFile(t, "amp-chain/"+filepath.Base(file))
		starts, ends := places(t, text)
		for start := range starts {
			for _, value := range []string{"null", "true", "false", "7", "0", "-1", "1.5", `"true"`, `"7"`, `""`, `"x"`, `"admin"`, `"task_id"`, `"payload"`, `[]`, `{}`} {
				changed := text[:start] + value + text[ends[start]:]
				if !json.Valid([]byte(changed)) {
					continue // an object or array without its end, or a name that is no string
				}
				if _, known := diagnosed(t, message(changed), all); !known {
					continue
				}
				for _, others := range []check.Stores{check.NoStores{}, all} {
					for _, f := range fixes(t, changed, others) {
						n++
						checkFix(t, changed, &f, others)
					}
				}
			}
		}
	}
	if n < 200 {
		t.Errorf("only %d fixes", n)
	}
}

// FuzzFixes holds checkFix, and that diagnostics lie in the text.
func FuzzFixes(f *testing.F) {
	files, err := filepath.Glob("../../testdata/agn/invalid/*.json")
	if err != nil || len(files) == 0 {
		f.Fatal(err)
	}
	for i, file := range files {
		f.Add(agnFile(f, "invalid/"+filepath.Base(file)), i%2 == 0)
	}
	for _, name := range []string{"01-task_dispatch", "02-task_result", "03-review_request", "04-review_verdict", "06-escalation"} {
		f.Add(agnFile(f, "amp-chain/"+name+".json"), true)
	}
	f.Add("\ufeff{\"protocol_version\":\"AMP/1.0\",\"requires_ack\":null,\"requires_ack\":null}", false)
	f.Add(`{"protocol_version":"AMP/`, false)
	chain := agnChain(f, 7)
	f.Fuzz(func(t *testing.T, text string, known bool) {
		others := check.Stores(check.NoStores{})
		if known {
			others = among(chain)
		}
		found, _ := diagnosed(t, message(text), others)
		for _, d := range found {
			if d.Start < 0 || d.Start > d.End || d.End > len(text) || strings.ContainsAny(d.Message, "\n\x1b") {
				t.Errorf("%+v in %q", d, text)
			}
		}
		for _, fix := range fixes(t, text, others) {
			checkFix(t, text, &fix, others)
		}
	})
}
