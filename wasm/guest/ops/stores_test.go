package ops

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// shownMessage has what this test reads of a message.
type shownMessage struct {
	ID, From, Thread, Raw string
	TS                    int64
}

// TestFixtureStores reads both stores of the published tool as every reader and in every
// mode (rules N3 and N4), and answers the newest message with and without its id (rule P1).
func TestFixtureStores(t *testing.T) {
	for store, profile := range map[string]string{"store-spaced": "v1", "store-compact": "v1-compact"} {
		dir := filepath.Join("../../../testdata/samp", store)
		paths, err := filepath.Glob(filepath.Join(dir, "log-*.jsonl"))
		if err != nil || len(paths) < 5 {
			t.Fatal(paths, err)
		}
		var data string
		var logs []map[string]any
		for _, path := range paths {
			text := contentOf(t, path)
			logs = append(logs, map[string]any{"name": filepath.Base(path), "length": len(text)})
			data += text
		}
		var want struct {
			All map[string][]shownMessage `json:"inbox_all"`
		}
		decode(t, contentOf(t, filepath.Join(dir, "expected.json")), &want)
		if len(want.All["bob"]) < 20 {
			t.Fatalf("%s lists %d readers", store, len(want.All))
		}
		for me, want := range want.All {
			t.Run(store+"/N3/"+me, func(t *testing.T) {
				ask := func(into any, op abi.Op, params map[string]any) {
					t.Helper()
					params["me"], params["profile"], params["logs"] = me, profile, logs
					a, err := json.Marshal(params)
					if err != nil {
						t.Fatal(err)
					}
					result, ok := Call(nil, op, a, []byte(data))
					if !ok {
						t.Fatal(string(result))
					}
					decode(t, string(result), into)
				}
				for _, mode := range []any{"default", "all", "raw", 2} {
					var box struct{ Messages []shownMessage }
					ask(&box, abi.SAMPInbox, map[string]any{"mode": mode, "now": 1800000000})
					for i := range box.Messages {
						m := &box.Messages[i]
						if (m.Raw != "") != (mode == "raw") || !strings.Contains(data, m.Raw) {
							t.Errorf("mode %v shows the line %q", mode, m.Raw)
						}
						m.Raw = ""
					}
					all := want
					if mode == 2 {
						all = want[max(0, len(want)-2):]
					}
					if diff := cmp.Diff(all, append([]shownMessage{}, box.Messages...)); diff != "" {
						t.Errorf("mode %v: %s", mode, diff)
					}
				}
				var newest, byID struct {
					Target   *shownMessage
					ID, Line string
				}
				reply := map[string]any{"ts": 1800000000, "body": "re"}
				if ask(&newest, abi.SAMPReply, reply); newest.Target == nil {
					return
				}
				reply["to_id"] = newest.Target.ID
				if ask(&byID, abi.SAMPReply, reply); !cmp.Equal(newest, byID) || !strings.Contains(newest.Line, newest.ID) {
					t.Errorf("P1: the reply is %+v, and by the id %+v", newest, byID)
				}
			})
		}
	}
}

func contentOf(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%.200s: %v", text, err)
	}
}
