package agn_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

const verdictID = "review_verdict-T-2026-007-1772107200000"

// TestRecords holds AGN C4, C6, E6 and E0: what is written is read back whole,
// and is the same text every time.
func TestRecords(t *testing.T) {
	ack := agn.Ack{MsgID: verdictID, By: agn.Coordinator, Millis: noon}
	data, err := agn.BuildAck(ack)
	want := `{
  "format": "signalbox-ack/1",
  "msg_id": "review_verdict-T-2026-007-1772107200000",
  "by": "coordinator",
  "timestamp": "2026-02-26T12:00:00.000+00:00"
}
`
	if err != nil || string(data) != want {
		t.Errorf("an ACK is %v\n%s", err, data)
	}
	if got, err := agn.ParseAck(data); err != nil || got != ack {
		t.Errorf("read as %+v, %v", got, err)
	}

	for _, action := range agn.Actions() {
		resume := agn.Resume{MsgID: verdictID, Action: action, Text: "try \"this\"\n\u2028", Millis: noon}
		data, err := agn.BuildResume(resume)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := agn.ParseResume(data); err != nil || got != resume {
			t.Errorf("read as %+v, %v", got, err)
		}
	}

	task := agn.Record{TaskID: task, Title: "Reconstruct", Repo: "/r", Branch: "b", Risk: "low", Phase: agn.PhaseInReview, RejectCount: 2, Messages: 9, LastMsgID: verdictID, Created: noon, Updated: noon + 1}
	data, err = agn.BuildRecord(task)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := agn.ParseRecord(data); err != nil || got != task {
		t.Errorf("read as %+v, %v", got, err)
	}

	rejection := agn.Rejection{
		Millis: noon, Source: "/tmp/x.json", MsgID: "\x1b[2J", TaskID: "?", Digest: strings.Repeat("0", 64), Text: "{\n}\n",
		Faults: []canon.Fault{{Rule: "D3", Field: "payload.branch", Offset: 12, Reason: "no"}, {Rule: "E1", Reason: "so"}},
	}
	line := agn.AppendRejection([]byte("before\n"), rejection)
	line, found := bytes.CutPrefix(line, []byte("before\n"))
	if !found || bytes.Count(line, []byte("\n")) != 1 || line[len(line)-1] != '\n' {
		t.Fatalf("not one line: %q", line)
	}
	got, err := agn.ParseRejection(line)
	if diff := cmp.Diff(rejection, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	bad := agn.AppendRejection(nil, agn.Rejection{Source: "a\xffb", Digest: "x"})
	if got, err := agn.ParseRejection(bad); err != nil || got.Source != "a\uFFFDb" {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestRecordFaults holds that a record with one fault is refused, and for that.
func TestRecordFaults(t *testing.T) {
	ack, err := agn.BuildAck(agn.Ack{MsgID: verdictID, By: agn.Coordinator, Millis: noon})
	if err != nil {
		t.Fatal(err)
	}
	resume, err := agn.BuildResume(agn.Resume{MsgID: verdictID, Action: agn.Redirect, Text: "x", Millis: noon})
	if err != nil {
		t.Fatal(err)
	}
	record, err := agn.BuildRecord(agn.Record{TaskID: task})
	if err != nil {
		t.Fatal(err)
	}
	parseAck := func(b []byte) error { _, err := agn.ParseAck(b); return err }
	parseResume := func(b []byte) error { _, err := agn.ParseResume(b); return err }
	parseRecord := func(b []byte) error { _, err := agn.ParseRecord(b); return err }
	for _, c := range []struct {
		name     string
		of       []byte
		parse    func([]byte) error
		old, new string
		rule     string
	}{
		{"AGN C4 a later version", ack, parseAck, "signalbox-ack/1", "signalbox-ack/2", "C4"},
		{"AGN C4 of a later version nothing else is said", ack, parseAck, `"format": "signalbox-ack/1",`, `"by": 1, "format": "signalbox-ack/2",`, "C4"},
		{"AGN C4 another format", ack, parseAck, "signalbox-ack/1", "signalbox-resume/1", "C4"},
		{"AGN C4 no JSON", ack, parseAck, `"`, `'`, "C4"},
		{"AGN E12 no message", ack, parseAck, "msg_id", "msg", "E12"},
		{"AGN E12 a path", ack, parseAck, verdictID, "../" + verdictID, "E12"},
		{"AGN E12 nobody", ack, parseAck, `"coordinator"`, `"system"`, "E12"},
		{"AGN E12 twice", ack, parseAck, `"by"`, `"by": "admin", "by"`, "E12"},
		{"AGN C4 unknown, twice", ack, parseAck, `"by"`, `"x": 1, "x": 1, "by"`, "C4"},
		{"AGN E12 no time", ack, parseAck, "2026-02-26T12:00:00.000+00:00", "yesterday", "E12"},
		{"AGN X9 an unknown action", resume, parseResume, "redirect", "obey", "X9"},
		{"AGN C6 twice inside what is unknown", resume, parseResume, `"by"`, `"x": {"a": 1, "a": 1}, "by"`, "C6"},
		{"AGN X9 not the admin", resume, parseResume, `"admin"`, `"executor"`, "X9"},
		{"AGN X9 a long text", resume, parseResume, `"x"`, `"` + strings.Repeat("x", agn.MaxText+1) + `"`, "X9"},
		{"AGN C6 a later version", resume, parseResume, "resume/1", "resume/9", "C6"},
		{"AGN E6 another task id", record, parseRecord, task, "T-1", "E6"},
		{"AGN E6 a foreign file", record, parseRecord, agn.TaskFormat, "x", "E6"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.parse(c.of); err != nil {
				t.Fatal(err)
			}
			err := c.parse(bytes.Replace(c.of, []byte(c.old), []byte(c.new), 1))
			fault, ok := errors.AsType[*canon.Fault](err)
			if !ok || fault.Rule != c.rule {
				t.Errorf("%v, want %s", err, c.rule)
			}
		})
	}
	for name, err := range map[string]error{
		"no text":     second(agn.BuildResume(agn.Resume{MsgID: verdictID, Action: agn.Redirect, Text: " ", Millis: noon})),
		"no action":   second(agn.BuildResume(agn.Resume{MsgID: verdictID, Millis: noon})),
		"no receiver": second(agn.BuildAck(agn.Ack{MsgID: verdictID, Millis: noon})),
		"no time":     second(agn.BuildAck(agn.Ack{MsgID: verdictID, By: agn.Admin, Millis: 1 << 60})),
		"no UTF-8":    second(agn.BuildRecord(agn.Record{TaskID: task, Title: "\xff"})),
	} {
		if err == nil {
			t.Errorf("built with %s", name)
		}
	}
}

// TestLargestRejection holds AGN E0 and E1: the log can keep any message, as
// many bytes as its escapes take.
func TestLargestRejection(t *testing.T) {
	for _, unit := range []string{"\x01", `"`, "é", "\u2028", "\xff"} {
		text := strings.Repeat(unit, agn.MaxMessage/len(unit))
		line := agn.AppendRejection(nil, agn.Rejection{Source: "x", Digest: "x", Text: text, Faults: []canon.Fault{{Rule: "E1"}}})
		got, err := agn.ParseRejection(line)
		if err != nil || got.Text != strings.ToValidUTF8(text, "\uFFFD") {
			t.Errorf("%q: %d bytes: %v", unit, len(line), err)
		}
	}
	if _, err := agn.ParseRejection(append(agn.AppendRejection(nil, agn.Rejection{Source: "x", Digest: "x"}), make([]byte, agn.MaxRejection)...)); err == nil {
		t.Error("a line beyond the limit")
	}
}

func second(_ []byte, err error) error { return err }

// TestDocumented holds the examples of docs/agn.md: they are read, and written
// again they are the same bytes (AGN C4 C6 E6 E0).
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "agn.md"))
	if err != nil {
		t.Fatal(err)
	}
	build := map[string]func(data []byte) ([]byte, error){
		agn.AckFormat:    func(data []byte) ([]byte, error) { return rewrite(data, agn.ParseAck, agn.BuildAck) },
		agn.ResumeFormat: func(data []byte) ([]byte, error) { return rewrite(data, agn.ParseResume, agn.BuildResume) },
		agn.TaskFormat:   func(data []byte) ([]byte, error) { return rewrite(data, agn.ParseRecord, agn.BuildRecord) },
		agn.RejectionFormat: func(data []byte) ([]byte, error) {
			return rewrite(data, agn.ParseRejection, func(r agn.Rejection) ([]byte, error) { return agn.AppendRejection(nil, r), nil })
		},
	}
	for _, part := range strings.Split(string(page), "```json\n")[1:] {
		example, _, _ := strings.Cut(part, "```")
		for format, again := range build {
			if !strings.Contains(example, `"format": "`+format+`"`) {
				continue
			}
			delete(build, format)
			if got, err := again([]byte(example)); err != nil || string(got) != example {
				t.Errorf("%v\n%s\nis written as\n%s", err, example, got)
			}
		}
	}
	if len(build) > 0 {
		t.Errorf("%d formats have no example", len(build))
	}
}

func rewrite[T any](data []byte, parse func([]byte) (T, error), build func(T) ([]byte, error)) ([]byte, error) {
	value, err := parse(data)
	if err != nil {
		return nil, err
	}
	return build(value)
}
