package ops_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

func readJSON(t testing.TB, name string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(fixtures(t).File(name)), into); err != nil {
		t.Fatal(err)
	}
}

// record has what these tests read of a record or a message.
type record struct {
	ID, Key, From, To, Thread, Body, Form, Raw string
	TS                                         int64
}

type draft struct {
	Target   *record
	ID, Line string
}

// TestIDVectors compares samp.id, samp.canonical and samp.parse with ids that CPython
// computed (rules I1 and I2).
func TestIDVectors(t *testing.T) {
	var file struct {
		Vectors []struct {
			Record  json.RawMessage
			Spaced  string `json:"id_spaced"`
			Compact string `json:"id_compact"`
		}
	}
	readJSON(t, "samp/ids.json", &file)
	if len(file.Vectors) < 30 {
		t.Fatalf("only %d vectors", len(file.Vectors))
	}
	both := called{}
	for i, v := range file.Vectors {
		t.Run("I1 I2/"+strconv.Itoa(i), func(t *testing.T) {
			for profile, want := range map[string]string{"v1": v.Spaced, "v1-compact": v.Compact} {
				params := `{"profile":"` + profile + `"}`
				if got := both.must(t, abi.SAMPID, params, string(v.Record)); got != want {
					t.Errorf("%s id %s, want %s", profile, got, want)
				}
				sum := sha256.Sum256([]byte(both.must(t, abi.SAMPCanonical, params, string(v.Record))))
				if got := hex.EncodeToString(sum[:8]); got != want {
					t.Errorf("%s hash of the canonical text %s, want %s", profile, got, want)
				}
				var r record
				if err := json.Unmarshal([]byte(both.must(t, abi.SAMPParse, params, string(v.Record))), &r); err != nil {
					t.Fatal(err)
				}
				if r.Key != want || r.Form != "missing" {
					t.Errorf("%s effective id %s (%s), want %s (missing)", profile, r.Key, r.Form, want)
				}
			}
		})
	}
}

// TestThreadVectors compares samp.thread with names that the published tool derived
// (rules T1 and T2).
func TestThreadVectors(t *testing.T) {
	var file struct {
		Vectors []struct {
			In     string `json:"body_in"`
			From   string
			Date   string
			Thread string
			Stored string `json:"body_stored"`
		}
	}
	readJSON(t, "samp/threads.json", &file)
	if len(file.Vectors) < 20 {
		t.Fatalf("only %d vectors", len(file.Vectors))
	}
	both := called{}
	for i, v := range file.Vectors {
		t.Run("T1 T2/"+strconv.Itoa(i), func(t *testing.T) {
			params := `{"from":"` + v.From + `","date":"` + v.Date + `"}`
			var got struct{ Thread, Body string }
			if err := json.Unmarshal([]byte(both.must(t, abi.SAMPThread, params, v.In)), &got); err != nil {
				t.Fatal(err)
			}
			if got.Thread != v.Thread || got.Body != v.Stored {
				t.Errorf("got %q and body %q, want %q and %q", got.Thread, got.Body, v.Thread, v.Stored)
			}
		})
	}
}

func join(logs []mailLog) (list, data string) {
	var parts []string
	for _, l := range logs {
		parts = append(parts, `{"name":"`+l.name+`","length":`+strconv.Itoa(len(l.text))+`}`)
		data += l.text
	}
	return "[" + strings.Join(parts, ",") + "]", data
}

type listed struct {
	ID     string `json:"id"`
	TS     int64  `json:"ts"`
	From   string `json:"from"`
	Thread string `json:"thread"`
}

func (s store) expected(t testing.TB) map[string][]listed {
	t.Helper()
	var want struct {
		All map[string][]listed `json:"inbox_all"`
	}
	readJSON(t, "samp/"+s.name+"/expected.json", &want)
	if len(want.All) < 5 || len(want.All["bob"]) < 20 {
		t.Fatalf("%s/expected.json lists %d readers", s.name, len(want.All))
	}
	return want.All
}

// TestFixtureStores reads both stores of the published tool as every reader
// and in every mode (rules N3 and N4).
func TestFixtureStores(t *testing.T) {
	both := called{}
	for _, s := range stores {
		logs, data := join(s.logs(t))
		for me, want := range s.expected(t) {
			t.Run(s.name+"/N3/"+me, func(t *testing.T) {
				for _, mode := range []string{`"default"`, `"all"`, `"raw"`, `2`} {
					params := `{"me":"` + me + `","profile":"` + s.profile + `","mode":` + mode + `,"now":1800000000,"logs":` + logs + `}`
					var box struct{ Messages []record }
					if err := json.Unmarshal([]byte(both.must(t, abi.SAMPInbox, params, data)), &box); err != nil {
						t.Fatal(err)
					}
					got := []listed{}
					for _, m := range box.Messages {
						got = append(got, listed{m.ID, m.TS, m.From, m.Thread})
						if (m.Raw != "") != (mode == `"raw"`) || m.Raw != "" && !strings.Contains(data, m.Raw+"\n") {
							t.Errorf("mode %s shows the line %q", mode, m.Raw)
						}
					}
					if diff := cmp.Diff(lastOf(want, mode), got); diff != "" {
						t.Errorf("mode %s: %s", mode, diff)
					}
				}
				both.reply(t, me, s.profile, logs, data)
			})
		}
	}
}

func lastOf(want []listed, mode string) []listed {
	if mode == "2" {
		return want[max(0, len(want)-2):]
	}
	return want
}

// reply drafts an answer to the newest message (rule P1) and to an old one by
// its id, and reads the records back.
func (e called) reply(t *testing.T, me, profile, logs, data string) {
	t.Helper()
	params := `{"me":"` + me + `","profile":"` + profile + `","ts":1800000000,"body":"[thread:x] re\u0301",`
	var d draft
	if err := json.Unmarshal([]byte(e.must(t, abi.SAMPReply, params+`"logs":`+logs+`}`, data)), &d); err != nil {
		t.Fatal(err)
	}
	if d.Target == nil {
		return
	}
	var r record
	if err := json.Unmarshal([]byte(e.must(t, abi.SAMPParse, "", d.Line)), &r); err != nil {
		t.Fatal(err)
	}
	if r.ID != d.ID || r.From != me || r.To != d.Target.From || r.Thread != d.Target.Thread || !strings.HasPrefix(r.Body, "[thread:x] ") {
		t.Errorf("the reply to %+v is %+v", d.Target, r)
	}
	var byID draft
	if err := json.Unmarshal([]byte(e.must(t, abi.SAMPReply, params+`"to_id":"`+d.Target.ID+`","logs":`+logs+`}`, data)), &byID); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d, byID); diff != "" {
		t.Error(diff)
	}
}

// TestFixtureLogs runs the ops on single logs and lines over both stores.
func TestFixtureLogs(t *testing.T) {
	both := called{}
	for _, s := range stores {
		for _, l := range s.logs(t) {
			t.Run(s.name+"/C2 C3/"+l.name, func(t *testing.T) {
				named := `{"log":"` + l.name + `"}`
				for line := range strings.Lines(l.text) {
					both.call(t, abi.SAMPParse, "", line)
					both.call(t, abi.SAMPID, "", line)
					both.must(t, abi.SAMPInspect, named, line)
				}
				var v struct{ Lines int }
				if err := json.Unmarshal([]byte(both.must(t, abi.SAMPValidate, named, l.text)), &v); err != nil {
					t.Fatal(err)
				}
				if want := strings.Count(l.text, "\n"); v.Lines != want {
					t.Errorf("%d lines, want %d", v.Lines, want)
				}
				compact := both.must(t, abi.SAMPCompact, `{"profile":"`+s.profile+`"}`, l.text)
				_, once, _ := strings.Cut(compact, "\n")
				if again := both.must(t, abi.SAMPCompact, `{"profile":"`+s.profile+`"}`, once); !strings.HasPrefix(again, `{"changed":false,`) {
					t.Errorf("compacting twice: %.120s", again)
				}
			})
		}
	}
}
