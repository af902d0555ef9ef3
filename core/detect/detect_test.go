package detect_test

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/detect"
	"github.com/signalbox-dev/signalbox/core/mail"
)

// folders lists the formats of the fixtures of testdata. The longest prefix of a
// file's path counts; an empty kind means a file of no format.
var folders = []struct {
	prefix, suffix string
	protocol       mail.Protocol
	kind           detect.Kind
}{
	{"samp/store-", "/log-*.jsonl", mail.SAMP, detect.Log},
	{"samp/", "*", "", ""},
	{"canon/", "*", "", ""},
	{"atsf/", "/thread.json", mail.ATSF, detect.Thread},
	{"atsf/", "/messages.jsonl", mail.ATSF, detect.Messages},
	{"atsf/", "/config.json", mail.ATSF, detect.Config},
	{"atsf/", "*", "", ""},
	{"agn/spec-examples/envelope.json", "*", mail.AGN, detect.Message},
	{"agn/spec-examples/", "*", "", ""}, // payloads without their envelope
	{"agn/", "*.json", mail.AGN, detect.Message},
	{"amp/forms/", "*.json", mail.AMP, detect.Message},
	{"amp/inbox/", "*.json", mail.AMP, detect.Message},
	{"amp/sent/", "*.json", mail.AMP, detect.Message},
	{"amp/states/", "*.json", mail.AMP, detect.Message},
	{"amp/", "*", "", ""}, // keys, payloads, signed texts
}

// TestFixtures looks at every file of the fixtures, without its name and with it.
func TestFixtures(t *testing.T) {
	testdata := os.DirFS("../../testdata")
	seen := map[detect.Kind]int{}
	for _, format := range []string{"samp", "atsf", "agn", "amp", "canon"} {
		err := fs.WalkDir(testdata, format, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := fs.ReadFile(testdata, name)
			if err != nil {
				return err
			}
			for _, f := range folders {
				if !strings.HasPrefix(name, f.prefix) || !matches(f.suffix, name) {
					continue
				}
				for _, given := range []string{"", name, path.Base(name)} {
					got := detect.File(given, data)
					if got.Protocol != f.protocol || got.Kind != f.kind || got.Reason == "" || (got.Certainty == detect.ByContent) != (f.kind != "") {
						t.Errorf("%s, as %q, is %+v, want %q %q", name, given, got, f.protocol, f.kind)
					}
				}
				seen[f.kind]++
				return nil
			}
			t.Errorf("nothing is known of %s", name)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, k := range []detect.Kind{detect.Log, detect.Message, detect.Thread, detect.Messages, detect.Config, ""} {
		if seen[k] == 0 {
			t.Errorf("no fixture is a %q", k)
		}
	}
}

// matches reports whether a name ends in suffix. A star in it matches any text.
func matches(suffix, name string) bool {
	before, after, star := strings.Cut(suffix, "*")
	if !star {
		return strings.HasSuffix(name, suffix)
	}
	return strings.Contains(name, before) && strings.HasSuffix(name, after)
}

const (
	record  = `{"id": "c8639d93993d0522", "ts": 1777075200, "from": "alice", "to": "bob", "thread": "t", "body": "hi"}`
	entry   = `{"id":"m1","role":"agent","timestamp":"2026-02-20T09:00:01.000Z","content":[{"type":"text","text":"x"}]}`
	task    = `{"msg_id":"task_dispatch-T-2026-044-1","protocol_version":"AMP/1.0","type":"task_dispatch","from":"coordinator","to":"executor","task_id":"T-2026-044","timestamp":"2026-02-26T14:32:07Z","requires_ack":true,"payload":{`
	signed  = `{"envelope":{"version":"amp/0.1","id":"msg_1795249958451_30328b7b","from":"a@b.c","to":"d@e.f","subject":"s"},"payload":{"type":"request"`
	nothing = "neither the name nor the content is that of a format"
)

func TestFile(t *testing.T) {
	built := map[string][]byte{}
	for name, build := range map[string]func() ([]byte, error){
		"ack": func() ([]byte, error) {
			return agn.BuildAck(agn.Ack{MsgID: "escalation-T-2026-044-1", By: agn.Admin, Millis: 1})
		},
		"resume": func() ([]byte, error) {
			return agn.BuildResume(agn.Resume{MsgID: "escalation-T-2026-044-1", Action: agn.Split, Millis: 1})
		},
		"task": func() ([]byte, error) { return agn.BuildRecord(agn.Record{TaskID: "T-2026-044", Phase: agn.PhaseNone}) },
	} {
		data, err := build()
		if err != nil {
			t.Fatal(err)
		}
		built[name] = data
	}
	rejection := string(agn.AppendRejection(nil, agn.Rejection{Source: "s", Faults: []canon.Fault{{Rule: "E0", Reason: "r"}}}))
	long := strings.Repeat("x", 2*detect.MaxRead)
	for _, c := range []struct {
		name, file, data string
		protocol         mail.Protocol
		kind             detect.Kind
		certainty        detect.Certainty
	}{
		{"an ACK", "", string(built["ack"]), mail.AGN, detect.Ack, detect.ByContent},
		{"an answer", "", string(built["resume"]), mail.AGN, detect.Resume, detect.ByContent},
		{"a task's summary", "", string(built["task"]), mail.AGN, detect.Task, detect.ByContent},
		{"rejections", "", rejection + rejection, mail.AGN, detect.Rejections, detect.ByContent},
		{"a watermark", "", `{"ts": 5, "ids": []}`, mail.SAMP, detect.Watermark, detect.ByContent},
		{"a watermark with more", "", `{"ts": 5, "ids": [], "x": 1}`, "", "", ""},

		{"content before the name", "thread.json", record, mail.SAMP, detect.Log, detect.ByContent},
		{"a damaged first line", "", `{"id": "c86` + "\n" + record + "\n", mail.SAMP, detect.Log, detect.ByContent},
		{"a line that is no text", "", "\xff\xfe\n\n" + entry, mail.ATSF, detect.Messages, detect.ByContent},
		{"a record whose body is cut off", "", record[:len(record)-5] + long, mail.SAMP, detect.Log, detect.ByContent},
		{"a message whose content is cut off", "", entry[:len(entry)-6] + long, mail.ATSF, detect.Messages, detect.ByContent},
		{"a task's message that is cut off", "", task + `"description":"` + long, mail.AGN, detect.Message, detect.ByContent},
		{"signed mail that is cut off", "", signed + `,"message":"` + long, mail.AMP, detect.Message, detect.ByContent},
		{"signed mail of another version", "", strings.Replace(signed, "amp/0.1", "amp/0.2", 1), mail.AMP, detect.Message, detect.ByContent},
		{"members after what is long", "", `{"body":"` + long + `","ts":1,"from":"a","to":"b"}`, "", "", ""},
		{"a record inside a document", "", "{\n" + record + "\n}", mail.SAMP, detect.Log, detect.ByContent},

		{"the word alone", "", `{"protocol_version":"AMP/1.0","amp":"AMP","protocol":"AMP"}`, "", "", ""},
		{"the word as text", "AMP.json", "AMP/1.0 amp/0.1 AMP", "", "", ""},
		{"an envelope of something else", "", `{"envelope":{"version":"2","id":"x","from":"a","to":"b"},"payload":{}}`, "", "", ""},
		{"talk with a model", "", `{"role":"user","content":"hi"}`, "", "", ""},
		{"other logs", "", `{"ts":1,"level":"info","msg":"from a to b"}`, "", "", ""},
		{"a package", "package.json", `{"name":"x","version":"1.0.0","type":"module"}`, "", "", ""},

		{"a log by its name", "log-alice.jsonl", "", mail.SAMP, detect.Log, detect.ByName},
		{"a log in a folder", "a/b/log-alice.jsonl", "\x00\x01", mail.SAMP, detect.Log, detect.ByName},
		{"a watermark by its name", ".seen-alice", "", mail.SAMP, detect.Watermark, detect.ByName},
		{"no reader", ".seen-", "", "", "", ""},
		{"a reader that may not be", ".seen-a b", "", "", "", ""},
		{"a thread by its name", ".agent/threads/x/thread.json", "{", mail.ATSF, detect.Thread, detect.ByName},
		{"messages by their name", "messages.jsonl", "{", mail.ATSF, detect.Messages, detect.ByName},
		{"a configuration by its name", ".agent/config.json", `{"specVersion":"1.1"}`, mail.ATSF, detect.Config, detect.ByName},
		{"a configuration of another program", "config.json", `{"specVersion":"1.1"}`, "", "", ""},
		{"mail by its name", "inbox/msg_1795249958451_30328b7b.json", "", mail.AMP, detect.Message, detect.ByName},
		{"a task's message by its name", "messages/T-2026-044/task_dispatch-T-2026-044-1.json", "", mail.AGN, detect.Message, detect.ByName},
		{"an ACK by its name", "acks/task_dispatch-T-2026-044-1.json", "[]", mail.AGN, detect.Ack, detect.ByName},
		{"an answer by its name", "resumes/escalation-T-2026-044-1.json", "", mail.AGN, detect.Resume, detect.ByName},
		{"a task by its name", "tasks/T-2026-044.json", "", mail.AGN, detect.Task, detect.ByName},
		{"a task elsewhere", "T-2026-044.json", "", "", "", ""},
		{"rejections by their name", ".ssot/errors.jsonl", "", mail.AGN, detect.Rejections, detect.ByName},
		{"errors of another program", "errors.jsonl", "", "", "", ""},

		{"nothing", "", "", "", "", ""},
		{"white space", "", " \n\t", "", "", ""},
		{"a number", "", "5", "", "", ""},
		{"an array", "", "[{}]", "", "", ""},
		{"65 levels", "", strings.Repeat(`{"a":`, 65) + "1" + strings.Repeat("}", 65), "", "", ""},
		{"brackets", "", strings.Repeat("[", 1<<20), "", "", ""},
		{"braces", "", strings.Repeat("{", 1<<20), "", "", ""},
		{"names without end", "", `{"` + long, "", "", ""},
		{"many members", "", "{" + strings.Repeat(`"a":1,`, 10_000) + `"b":1}`, "", "", ""},
		{"many lines", "", strings.Repeat("{}\n", 100_000), "", "", ""},
		{"a name with an escape", "", `{"ts":1,"fr\u006fm":"a","to":"b","body":"c"}`, mail.SAMP, detect.Log, detect.ByContent},
		{"a slash at the end", "thread.json/", "", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := detect.File(c.file, []byte(c.data))
			if got.Protocol != c.protocol || got.Kind != c.kind || got.Certainty != c.certainty || (got.Reason == nothing) != (c.kind == "") {
				t.Errorf("%q is %+v", c.file, got)
			}
		})
	}
}

// TestHugeFilesAreCheap looks at files of 64 MiB many times.
func TestHugeFilesAreCheap(t *testing.T) {
	for _, unit := range []string{record + "\n", "{}\n", "\n", "{", `"`, "x", `{"a":` + "\n"} {
		data := []byte(strings.Repeat(unit, 64<<20/len(unit)))
		start := time.Now()
		for range 20 {
			detect.File("", data)
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("20 looks at 64 MiB of %q took %v", unit, took)
		}
	}
}

func FuzzFile(f *testing.F) {
	for _, s := range []string{record, entry, task, signed, `{"ts":1,"ids":[]}`, `{"specVersion":"1.1","createdBy":{}}`, "{\n", ""} {
		f.Add("", s)
		f.Add("log-a.jsonl", s)
	}
	f.Fuzz(func(t *testing.T, name, data string) {
		got := detect.File(name, []byte(data))
		if (got.Certainty == "") != (got.Kind == "") || (got.Kind == "") != (got.Protocol == "") || got.Reason == "" {
			t.Errorf("%+v", got)
		}
		if named := detect.File(name+"x", []byte(data)); got.Certainty == detect.ByContent && named != got {
			t.Errorf("another name makes %+v of %+v", named, got)
		}
	})
}
