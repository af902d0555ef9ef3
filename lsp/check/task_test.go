package check_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/check"
)

// agnFile reads a fixture of AMP/1.0.
func agnFile(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "agn", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// agnChain gives the messages of the fixture's task before the given number.
func agnChain(t testing.TB, before int) []agn.Message {
	t.Helper()
	list := []agn.Message{}
	for _, name := range []string{"01-task_dispatch", "02-task_result", "03-review_request", "04-review_verdict", "05-review_verdict", "06-escalation"}[:before-1] {
		m, err := agn.ParseMessage([]byte(agnFile(t, "amp-chain/"+name+".json")))
		if err != nil || len(m.Faults) > 0 {
			t.Fatal(err, m.Faults)
		}
		m.Raw, m.Payload.Raw = nil, nil // as a store keeps it
		list = append(list, m)
	}
	return list
}

// message is a document that is not on disk.
func message(text string) check.Document { return check.Document{File: "/p/x.json", Text: text} }

// places reads JSON with another reader than the panels do and gives, for each
// offset at which something begins, its path; of a name with "(name)" behind it.
// ends gives where it ends; of an object or array, behind its bracket.
func places(t testing.TB, text string) (starts map[int]string, ends map[int]int) {
	t.Helper()
	starts, ends = map[int]string{}, map[int]int{}
	mark := len(text) - len(strings.TrimPrefix(text, "\ufeff"))
	in := json.NewDecoder(strings.NewReader(text[mark:]))
	in.UseNumber()
	take := func(path string) json.Token {
		at := mark + int(in.InputOffset())
		at += len(text[at:]) - len(strings.TrimLeft(text[at:], ",: \t\r\n"))
		token, err := in.Token()
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		starts[at], ends[at] = path, mark+int(in.InputOffset())
		return token
	}
	var value func(path string)
	value = func(path string) {
		switch take(path) {
		case json.Delim('{'):
			for in.More() {
				at := mark + int(in.InputOffset())
				at += len(text[at:]) - len(strings.TrimLeft(text[at:], ",: \t\r\n"))
				name := take("").(string)
				inner := strings.TrimPrefix(path+"."+name, ".")
				starts[at] = inner + " (name)"
				value(inner)
			}
			_, _ = in.Token()
		case json.Delim('['):
			for i := 0; in.More(); i++ {
				value(fmt.Sprintf("%s[%d]", path, i))
			}
			_, _ = in.Token()
		}
	}
	value("")
	return starts, ends
}

// seen lists diagnostics as rule and place, and checks that each is the whole of
// what stands there.
func seen(t testing.TB, text string, list []check.Diagnostic) []string {
	t.Helper()
	starts, ends := places(t, text)
	got := []string{}
	for _, d := range list {
		path, ok := starts[d.Start]
		if !ok || ends[d.Start] != d.End {
			t.Errorf("%s is at %d to %d, %q, which is nothing whole", d.Rule, d.Start, d.End, text[d.Start:d.End])
		}
		line := strings.TrimSpace(d.Rule + " " + path)
		if d.Severity == check.Information {
			line += " *"
		}
		got = append(got, line)
	}
	return got
}

// writings are the ways in which one message may be written.
var writings = []struct {
	name   string
	change func(text string) string
}{
	{"as it is", func(s string) string { return s }},
	{"minified", func(s string) string {
		var b bytes.Buffer
		if json.Compact(&b, []byte(s)) != nil {
			panic("no JSON")
		}
		return b.String()
	}},
	{"CRLF", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }},
	{"tabs", func(s string) string { return strings.ReplaceAll(s, "  ", "\t") }},
	{"wide characters before it", func(s string) string {
		return strings.Replace(s, "{", "{ \"\u00e9\U0001d11e\\\"\": \"\U0001f600 {\\\\\",", 1)
	}},
	{"space before it", func(s string) string { return " \r\n\t" + s }},
	{"byte order mark", func(s string) string { return "\ufeff" + s }},
	{"space around colons", func(s string) string { return strings.ReplaceAll(s, "\": ", "\"\t:\r\n ") }},
}

// TestDiagnoseMessages: each one-fault message has its fault, with the rule in
// its name, at the value that is wrong, however it is written. What is missing is
// told at the object that it is missing from.
func TestDiagnoseMessages(t *testing.T) {
	tests := []struct {
		file   string
		before int // messages of the chain that are known; 0: nothing is
		want   []string
	}{
		{"D-required-acceptance_criteria", 0, []string{"D5 payload (name)"}},
		{"D-required-description", 0, []string{"D1 payload (name)"}},
		{"D-required-risk_level", 0, []string{"D6 payload (name)"}},
		{"D2-repo-relative", 0, []string{"D2 payload.repo"}},
		{"D3-branch-master", 0, []string{"D3 payload.branch"}},
		{"D5-criteria-empty", 0, []string{"D5 payload.acceptance_criteria"}},
		{"E-required-from", 0, []string{"E4"}},
		{"E-required-payload", 0, []string{"E11"}},
		{"E-required-requires_ack", 0, []string{"E8"}},
		{"E-required-timestamp", 0, []string{"E7"}},
		{"E-required-type", 0, []string{"E3"}},
		{"E1-msg_id-task-mismatch", 0, []string{"E1 msg_id"}},
		{"E2-version", 0, []string{"E2 protocol_version"}},
		{"E4-from", 0, []string{"E4 from"}},
		{"E6-task_id", 0, []string{"E6 task_id"}},
		{"E8-requires_ack-false-on-dispatch", 0, []string{"E8 requires_ack"}},
		{"E9-ack_timeout-float", 0, []string{"E9 ack_timeout_sec"}},
		{"E9-ack_timeout-zero", 0, []string{"E9 ack_timeout_sec"}},
		{"Q-required-original_dispatch_ref", 0, []string{"Q1 payload (name)"}},
		{"Q-required-review_scope", 0, []string{"Q3 payload (name)"}},
		{"Q3-scope", 0, []string{"Q3 payload.review_scope"}},
		{"Q6-ref-unresolvable", 3, []string{"Q6 payload.original_dispatch_ref"}},
		{"Q6-ref-unresolvable", 0, []string{}},
		{"Q8-ci-failed", 3, []string{"Q8 payload.ci_status.xcode_cloud"}},
		{"Q8-ci-failed", 0, []string{"Q8 payload.ci_status.xcode_cloud"}},
		{"R-route-escalation-to-coordinator", 0, []string{"R1 to"}},
		{"T-required-diff_summary", 0, []string{"T3 payload (name)"}},
		{"T-required-subtask_id", 0, []string{"T1 payload (name)"}},
		{"T1-unknown-subtask", 2, []string{"T1 payload.subtask_id"}},
		{"T1-unknown-subtask", 0, []string{}},
		{"T3-lines-negative", 0, []string{"T3 payload.diff_summary.lines_added"}},
		{"T4-notes-null", 0, []string{"T4 payload.self_assessment.notes[0]"}},
		{"T7-failed-no-blockers", 0, []string{"T7 payload (name)"}},
		{"T7-partial-no-blockers", 0, []string{"T7 payload (name)"}},
		{"V-required-criteria_results", 0, []string{"V2 payload (name)"}},
		{"V1-decision", 0, []string{"V1 payload.decision"}},
		{"V3-issue-severity", 0, []string{"V3 payload.issues[0].severity", "C16 payload *"}},
		{"V4-change_type-logic", 0, []string{"V4 payload.direct_fixes[0].change_type"}},
		{"V4-fix-without-direct_fixes", 0, []string{"V4 payload (name)"}},
		{"V6-confidence-string", 0, []string{"V6 payload.confidence"}},
		{"X-required-auto_suspended", 0, []string{"X5 payload (name)"}},
		{"X-required-escalation_type", 0, []string{"X1 payload (name)"}},
		{"X-required-system_state_snapshot", 0, []string{"X7 payload (name)"}},
		{"X1-type", 0, []string{"X1 payload.escalation_type"}},
		{"X3-triggered_by-admin", 0, []string{"X3 payload.triggered_by"}},
		{"X5-warning-not-suspended", 0, []string{"X5 payload.auto_suspended"}},
	}
	files, err := filepath.Glob("../../testdata/agn/invalid/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, tt := range tests {
		named[tt.file+".json"] = true
		for _, w := range writings {
			t.Run("AGN "+tt.file+"/"+w.name, func(t *testing.T) {
				others := check.Stores(check.NoStores{})
				if tt.before > 0 {
					others = among(agnChain(t, tt.before))
				}
				text, want := w.change(agnFile(t, "invalid/"+tt.file+".json")), slices.Clone(tt.want)
				found, known := diagnosed(t, message(text), others)
				if !known {
					t.Fatal("it is not known")
				}
				switch w.name {
				case "byte order mark":
					if len(found) == 0 || found[0].Rule != "E0" || text[found[0].Start:found[0].End] != "\ufeff" {
						t.Fatalf("%+v", found)
					}
					found = found[1:]
				case "wide characters before it":
					found = slices.DeleteFunc(found, func(d check.Diagnostic) bool { return d.Rule == "C17" })
				}
				if diff := cmp.Diff(want, seen(t, text, found)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
	for _, f := range files {
		if !named[filepath.Base(f)] {
			t.Errorf("%s has no row", f)
		}
	}
}

// listening notes which tasks it is asked for.
type listening struct {
	check.NoStores
	asked []string
}

func (l *listening) TaskMessages(path string, m *agn.Message) []agn.Message {
	l.asked = append(l.asked, path+" "+m.TaskID)
	return nil
}

// TestDiagnoseOthers holds what is seen only where the task is known.
func TestDiagnoseOthers(t *testing.T) {
	request := agnFile(t, "amp-chain/03-review_request.json")
	all := agnChain(t, 7)
	for _, tt := range []struct {
		name, text string
		others     check.Stores
		want       []string
	}{
		{"AGN Q5", strings.Replace(request, `"reject_count": 0`, `"reject_count": 1`, 1), among(all[:2]), []string{"Q5 payload.reject_count"}},
		{"AGN Q7", strings.Replace(request, `"reject_count": 0`, `"reject_count": 2`, 1), check.NoStores{}, []string{"Q7 payload.coordinator_notes *"}},
		{"AGN Q7 without notes", strings.Replace(strings.Replace(request, `"reject_count": 0`, `"reject_count": 2`, 1), "coordinator_notes", "x", 1), check.NoStores{}, []string{"C17 payload.x (name) *", "Q7 payload (name) *"}},
		{"AGN Q6 both", request, among([]agn.Message{}), []string{"Q6 payload.original_dispatch_ref", "Q6 payload.task_result_ref", "E10 context_ref *", "E10 context_ref *"}},
		{"AGN V7", strings.Replace(agnFile(t, "amp-chain/04-review_verdict.json"), `"confidence": 0.95`, `"confidence": 0.5`, 1), check.NoStores{}, []string{"V7 payload.confidence *"}},
		{"AGN T4", strings.Replace(agnFile(t, "amp-chain/02-task_result.json"), "    true,", "", 1), among(all[:1]), []string{"T4 payload.self_assessment.criteria_met"}},
		{"AGN E1 itself is in the store", request, among(all), []string{}},
		{"AGN E1 another of the same id", strings.Replace(request, "Please focus", "Focus", 1), among(all), []string{"E1 msg_id"}},
		{"AGN X7", strings.Replace(agnFile(t, "amp-chain/06-escalation.json"), `"reject_count": 4`, `"reject_count": 9`, 1), among(all[:5]), []string{"X7 payload.system_state_snapshot.reject_count *"}},
		{"faults of its own come first", strings.Replace(request, `"full"`, `7`, 1), among([]agn.Message{}), []string{"Q3 payload.review_scope"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found, _ := diagnosed(t, message(tt.text), tt.others)
			if diff := cmp.Diff(tt.want, seen(t, tt.text, found)); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("what the lookup is asked", func(t *testing.T) {
		doc, stores := check.Document{File: "/p/x.json", Path: `C:\p\x.json`, Text: request}, &listening{}
		diagnosed(t, doc, stores)
		if !slices.Equal(stores.asked, []string{`C:\p\x.json T-2026-044`}) {
			t.Errorf("%q", stores.asked)
		}
	})
}

// TestDiagnoseKnown: what a document is goes by what it says, also while it is
// being typed and is no JSON.
func TestDiagnoseKnown(t *testing.T) {
	dispatch := agnFile(t, "amp-chain/01-task_dispatch.json")
	ack, err := agn.BuildAck(agn.Ack{MsgID: "task_dispatch-T-2026-044-1", By: agn.Executor, Millis: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		doc   check.Document
		known bool
		want  []string // rule and what is marked
	}{
		{"sound", message(dispatch), true, nil},
		{"never saved", check.Document{Language: "json", Text: dispatch}, true, nil},
		{"with comments", check.Document{Language: "jsonc", Text: strings.Replace(dispatch, "{", "{ // x", 1)}, true, []string{`E0 //`}},
		{"of another name", check.Document{File: "/p/x.md", Text: dispatch}, false, nil},
		{"upper case", check.Document{File: "/p/X.JSON", Text: dispatch}, true, nil},
		{"other JSON", message(`{"name":"x"}`), false, nil},
		{"empty", message(""), false, nil},
		{"not an object", message(`[` + dispatch + `]`), false, nil},
		{"a message within another object", message(`{"a":` + dispatch + `}`), false, nil},
		{"a message as text", message(`{"a":"\"protocol_version\": \"AMP/1.0\""}`), false, nil},
		{"the other AMP", message(`{"envelope":{"version":"amp/0.1"}}`), false, nil},
		{"version of a number", message(`{"protocol_version": 1, "x": "AMP/1.0"}`), false, nil},
		{"two versions, the first counts", message(`{"protocol_version": "1", "protocol_version": "AMP/1.0"}`), false, nil},
		{"AGN E2 another version", message(`{"protocol_version": "AMP/1.1", "x": 1}`), true, []string{`E2 "AMP/1.1"`}},
		{"missing comma", message("{\n \"protocol_version\": \"AMP/1.0\"\n \"type\": 1}"), true, []string{`E0 "type"`}},
		{"half a string", message("{\"protocol_version\": \"AMP/1"), true, []string{`E0 1`}},
		{"string without its end before it", message("{\"description\": \"fix {it,\n\"protocol_version\": \"AMP/1.0\"}"), true, []string{"E0 \n"}},
		{"more behind it", message(dispatch + "x"), true, []string{`E0 x`}},
		{"no end", message(strings.TrimSuffix(dispatch, "}\n")), true, []string{`E0 }`}},
		{"version gone", message(strings.Replace(dispatch, "AMP/1.0", "", 1)), false, nil},
		{"broken with the version inside", message(`{"a": {"protocol_version": "AMP/1.0"`), false, nil},
		{"AGN E0 too long", message(dispatch + strings.Repeat(" ", agn.MaxMessage)), true, []string{`E0 {`}},
		{"ACK", message(string(ack)), true, nil},
		{"AGN E12 ACK of nobody", message(strings.Replace(string(ack), "executor", "x", 1)), true, []string{`E12 "x"`}},
		{"AGN C4 ACK of a later version", message(`{"format":"signalbox-ack/2"}`), true, []string{`C4 "signalbox-ack/2"`}},
		{"AGN X9 answer without an action", message(`{"format":"signalbox-resume/1","msg_id":"escalation-T-2026-044-1","by":"admin","timestamp":"2026-02-26T14:48:07Z"}`), true, []string{"X9 {"}},
		{"AGN E6 task", message(`{"format":"signalbox-task/1","task_id":"x"}`), true, []string{`E6 "x"`}},
		{"another format", message(`{"format":"signalbox-other/1"}`), false, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found, known := diagnosed(t, tt.doc, check.NoStores{})
			var got []string
			for _, d := range found {
				got = append(got, d.Rule+" "+tt.doc.Text[d.Start:d.End])
				if d.Severity != check.Error || d.Message == "" {
					t.Errorf("%+v", d)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || known != tt.known {
				t.Errorf("known %v; %s", known, diff)
			}
		})
	}
}

// TestDiagnosePages: a diagnostic leads to a heading that exists.
func TestDiagnosePages(t *testing.T) {
	texts := []string{
		agnFile(t, "invalid/D3-branch-master.json"), agnFile(t, "invalid/Q8-ci-failed.json"), agnFile(t, "spec-examples/envelope.json"),
	}
	anchors := map[string]bool{}
	for _, text := range texts {
		found, _ := diagnosed(t, message(text), check.NoStores{})
		for _, d := range found {
			page, anchor, _ := strings.Cut(strings.TrimPrefix(d.About, "https://github.com/signalbox-dev/signalbox/blob/main/docs/"), "#")
			data, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
			if err != nil {
				t.Fatal(err)
			}
			heading := false
			for line := range strings.Lines(strings.ToLower(string(data))) {
				line = strings.TrimSpace(strings.ReplaceAll(line, ",", ""))
				heading = heading || line == "## "+strings.ReplaceAll(anchor, "-", " ")
			}
			if !heading {
				t.Errorf("%s leads to %s, which has no %q", d.Rule, page, anchor)
			}
			anchors[anchor] = true
		}
	}
	if len(anchors) != 3 {
		t.Errorf("%v", anchors)
	}
}

// BenchmarkDiagnoseMessage is a message of a megabyte as it is typed in, with as
// many findings as one may list.
func BenchmarkDiagnoseMessage(b *testing.B) {
	head, tail, _ := strings.Cut(agnFile(b, "amp-chain/01-task_dispatch.json"), `"subtasks": [`)
	row := "\n      {\"subtask_id\": \"S%d\", \"description\": \"" + strings.Repeat("x", 200) + "\", \"estimated_lines\": -1, \"unknown\": {}},"
	var rows strings.Builder
	for i := range 3600 {
		fmt.Fprintf(&rows, row, i)
	}
	doc := message(head + `"subtasks": [` + rows.String() + tail)
	b.SetBytes(int64(len(doc.Text)))
	for b.Loop() {
		if found, _ := diagnosed(b, doc, check.NoStores{}); len(found) != 2*canon.MaxFindings {
			b.Fatal(len(found), len(doc.Text))
		}
	}
}

// BenchmarkDiagnoseCrowded is a message that is typed beside ten thousand others
// of its task, and the fixes of one fault of it.
func BenchmarkDiagnoseCrowded(b *testing.B) {
	list := agnChain(b, 6)
	for i := range 10_000 {
		m := list[3]
		m.ID = fmt.Sprint("review_verdict-T-2026-044-", i)
		list = append(list, m)
	}
	text := strings.Replace(agnFile(b, "amp-chain/03-review_request.json"), `"reject_count": 0`, `"reject_count": 7`, 1)
	b.Run("diagnose", func(b *testing.B) {
		for b.Loop() {
			if found, _ := diagnosed(b, message(text), among(list)); len(found) < 2 {
				b.Fatal(found)
			}
		}
	})
	b.Run("fix", func(b *testing.B) {
		for b.Loop() {
			if fixed := fixes(b, text, among(list)); len(fixed) == 0 {
				b.Fatal(fixed)
			}
		}
	})
}
