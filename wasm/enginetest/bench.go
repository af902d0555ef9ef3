package enginetest

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/engine"

	"github.com/signalbox-dev/signalbox/core/agn/agntest"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/conformance"
	"github.com/signalbox-dev/signalbox/wasm/guest/ops"
)

// generate makes a log of about size bytes with records of about 400, a tenth
// of them to "me". The recipient filter is an inbox of it for nobody.
func generate(size int) []byte { return generateTo(size, 10) }

// generateTo addresses every nth record to "me". With n = 1 an inbox decodes every
// record to a struct, and sorts and writes them all.
func generateTo(size, nth int) []byte {
	var out []byte
	body := "Ran the suite on the branch: 412 passed, 0 failed, 3 took longer than a second.\n" +
		"The slow ones are in store/index; I would split the fixture. Say \"go\" and I merge — café."
	for n := 0; len(out) < size; n++ {
		to := "agent" + strconv.Itoa(n%10)
		if n%nth == 0 {
			to = "me"
		}
		r := samp.Record{TS: int64(1777000000 + n), From: "alice", To: to, Thread: "2026-04-25-alice-topic-" + strconv.Itoa(n/20), Body: body + strconv.Itoa(n)}
		r.ID = samp.ID(&r, samp.V1)
		out = r.Append(out)
	}
	return out
}

// Bench compares the ops of every format natively, in the suite's engine and in
// others, the copies in and out included, and then measures opening.
func (suite *Suite) Bench(b *testing.B, others ...*Suite) {
	engines := append(others, suite)
	b.Run("format=samp", func(b *testing.B) { benchSAMP(b, engines) })
	b.Run("format=atsf", func(b *testing.B) { benchATSF(b, engines) })
	b.Run("format=agn", func(b *testing.B) { benchAGN(b, engines) })
	b.Run("format=amp", func(b *testing.B) { benchAMP(b, engines) })
	for _, e := range engines {
		b.Run("open/engine="+e.Name, e.benchOpen)
	}
}

func benchSAMP(b *testing.B, engines []*Suite) {
	log, mine := generate(10<<20), generateTo(10<<20, 1)
	line := log[:bytes.IndexByte(log, '\n')+1]
	logs := fmt.Sprintf(`"logs":[{"name":"log-alice.jsonl","length":%d}]}`, len(log))
	all := fmt.Sprintf(`"logs":[{"name":"log-alice.jsonl","length":%d}]}`, len(mine))
	compare(b, engines, []benchCase{
		{"filter nobody", abi.SAMPInbox, `{"me":"nobody","mode":"all",` + logs, log, true},
		{"filter a tenth", abi.SAMPInbox, `{"me":"me","mode":"all","forms":false,` + logs, log, true},
		{"filter a tenth with forms", abi.SAMPInbox, `{"me":"me","mode":"all",` + logs, log, true},
		{"decode all", abi.SAMPInbox, `{"me":"me","mode":"all","forms":false,` + all, mine, true},
		{"validate", abi.SAMPValidate, `{"log":"log-alice.jsonl"}`, log, true},
		{"compact", abi.SAMPCompact, ``, log, true},
		{"parse", abi.SAMPParse, ``, line, false},
		{"id", abi.SAMPID, ``, line, false},
		{"id compact", abi.SAMPID, `{"profile":"v1-compact"}`, line, false},
		{"canonical", abi.SAMPCanonical, ``, line, false},
		{"thread", abi.SAMPThread, `{"from":"alice","date":"2026-04-25"}`, []byte("Fix the login bug in auth.ts"), false},
		{"alias", abi.SAMPAlias, ``, []byte("alice"), false},
	})
}

// conversation makes a messages.jsonl of about size bytes: questions, and
// answers with thinking and a tool call whose output is most of the line.
func conversation(b *testing.B, size int) []byte {
	b.Helper()
	var out []byte
	output := strings.Repeat("ok  \tpackage/name\t0.012s\n\"quoted\" line of a file\n", 40)
	for n := 0; len(out) < size; n++ {
		m := atsf.Message{ID: strconv.Itoa(n), Role: atsf.RoleUser, Time: atsf.At(1739529000000 + int64(n)*1000), Content: []atsf.Block{{Type: atsf.TypeText, Text: strings.Repeat("Please fix the login. ", 10)}}}
		if n%2 == 1 {
			m.Role = atsf.RoleAgent
			m.Content = append(m.Content, atsf.Block{Type: atsf.TypeThinking, Text: strings.Repeat("Let me look at auth.ts, line by line. ", 10)})
			m.Tools = []atsf.ToolCall{{ID: "tc", Name: "bash", Status: "completed", HasInput: true, Input: `{"command":"go test ./..."}`, HasOutput: true, Output: output, Duration: 12}}
		}
		line, err := atsf.BuildMessage(m)
		if err != nil {
			b.Fatal(err)
		}
		out = append(out, line...)
	}
	return out
}

// benchATSF does the same with the ops of ATSF.
func benchATSF(b *testing.B, engines []*Suite) {
	thread, err := atsf.BuildThread(atsf.Thread{
		ID: "t1", Title: "Fix the login", Created: atsf.At(1739529000000),
		Agent: atsf.Agent{ID: "a", Name: "A"}, Context: atsf.Context{WorkingDir: "/w", GitBranch: "main"},
	})
	if err != nil {
		b.Fatal(err)
	}
	log := conversation(b, 10<<20)
	page := log[atsf.Back(log, len(log), 50):]
	both := append(bytes.Clone(thread), log...)
	files := fmt.Sprintf(`{"threadLength":%d}`, len(thread))
	question := log[:bytes.IndexByte(log, '\n')]
	compare(b, engines, []benchCase{
		{"count", abi.ATSFCount, ``, log, true},
		{"read a log", abi.ATSFLog, ``, log, true},
		{"check", abi.ATSFCheck, files, both, true},
		{"repair", abi.ATSFRepair, files, both, true},
		{"read a page", abi.ATSFLog, ``, page, true},
		{"message", abi.ATSFMessage, ``, question, false},
		{"thread", abi.ATSFThread, ``, thread, false},
		{"edit", abi.ATSFEdit, `{"changes":[{"path":["title"],"value":"New"}]}`, thread, false},
		{"build a message", abi.ATSFBuildMessage, `{"id":"m","role":"user","time":1739529000000,"content":[{"type":"text","text":"Please fix the login."}]}`, nil, false},
	})
}

// benchAGN does the same with the ops of AMP/1.0, over a dispatch of the
// fixtures and a task of 1,000 messages that are acknowledged.
func benchAGN(b *testing.B, engines []*Suite) {
	chain := agnChain(b)
	s := agntest.New()
	for len(s.H.Messages) < 1000 {
		for _, step := range []string{"dispatch", "ack:task_dispatch", "complete", "ack:task_result", "request", "ack:review_request", "approve", "ack:review_verdict"} {
			s.Now++
			if err := s.Step(step); err != nil {
				b.Fatal(err)
			}
		}
	}
	messages, acks, _, err := s.Texts()
	if err != nil {
		b.Fatal(err)
	}
	text := func(parts [][]byte) (list []string) {
		for _, p := range parts {
			list = append(list, string(p))
		}
		return list
	}
	task := fmt.Sprintf(`{"taskId":%q,"now":%d,"messages":%s,"acks":%s}`, agntest.Task, s.Now, lengths(text(messages)), lengths(text(acks)))
	history := bytes.Join(append(messages, acks...), nil)
	check := fmt.Sprintf(`{"messageLength":%d,"history":%s}`, len(chain[3]), lengths(chain))
	compare(b, engines, []benchCase{
		{"state of 1,000 messages", abi.AGNState, task, history, true},
		{"alarms of 1,000 messages", abi.AGNAlarms, task, history, true},
		{"message", abi.AGNMessage, ``, []byte(chain[0]), false},
		{"check", abi.AGNCheck, check, []byte(chain[3] + strings.Join(chain, "")), false},
		{"build a verdict", abi.AGNBuildVerdict, `{"taskId":"T-2026-007","millis":1772107200000,"verdict":{"decision":"approved","criteria":[{"text":"c","passed":true,"evidence":"e"}],"confidence":0.9}}`, nil, false},
		{"build an ACK", abi.AGNBuildAck, `{"msgId":"task_dispatch-T-2026-007-1772107200000","by":"executor","millis":1772107200000}`, nil, false},
	})
}

// benchAMP does the same with the ops of amp/0.1, over messages of the fixtures,
// of 0.8 to 3 KB.
func benchAMP(b *testing.B, engines []*Suite) {
	verify := func(op abi.Op, name, key, rest string) benchCase {
		message := fixture(b, "amp/"+name+".json")
		params := fmt.Sprintf(`{"messageLength":%d%s}`, len(message), rest)
		return benchCase{op: op, params: params, input: []byte(message + fixture(b, "amp/keys/"+key+".public.pem"))}
	}
	named := func(name string, c benchCase) benchCase {
		c.name = name
		return c
	}
	links := make([]string, 1000)
	for i := range links {
		links[i] = fmt.Sprintf(`{"id":"msg_%d_ab","inReplyTo":"msg_%d_ab"}`, i, i/3)
	}
	key := fixture(b, "amp/keys/alice.public.pem")
	draft := conformance.Drafts()["files"]
	compare(b, engines, []benchCase{
		{"message", abi.AMPMessage, ``, []byte(fixture(b, "amp/inbox/01-plain.json")), false},
		{"message with five attachments", abi.AMPMessage, ``, []byte(fixture(b, "amp/inbox/10-attachments.json")), false},
		{"payload bytes", abi.AMPPayloadBytes, ``, []byte(fixture(b, "amp/payload-bytes/inbox-10-attachments.json")), false},
		{"signed", abi.AMPSigned, ``, []byte(fixture(b, "amp/inbox/01-plain.json")), false},
		named("verify Ed25519", verify(abi.AMPVerify, "sent/01-plain", "alice", "")),
		named("verify RSA", verify(abi.AMPVerify, "sent/24-rsa", "rsa-agent", "")),
		named("verify ECDSA", verify(abi.AMPVerify, "sent/25-ecdsa", "ec-agent", "")),
		named("verify through the wrapper", verify(abi.AMPVerify, "inbox/30-external", "carol", "")),
		named("judge", verify(abi.AMPJudge, "inbox/01-plain", "alice", fmt.Sprintf(`,"now":%d,"keys":[%d]`, ampNoon, len(key)))),
		{"compose", abi.AMPCompose, draft, nil, false},
		{"finish", abi.AMPFinish, draft, make([]byte, 64), false},
		{"set status", abi.AMPSetStatus, `{"status":"read","at":1795348800000}`, []byte(fixture(b, "amp/inbox/01-plain.json")), false},
		{"threads of 1,000 messages", abi.AMPThreads, `{"links":[` + strings.Join(links, ",") + `]}`, nil, false},
		{"check an attachment of 1 MB", abi.AMPCheckAttachment, `{"size":1048576,"digest":"sha256:30e14955ebf1352266dc2ff8067e68104607e750abb9d3b36582b8af909fcb58"}`, make([]byte, 1<<20), true},
		{"filename", abi.AMPFilename, ``, []byte("Größe (1).log"), false},
	})
}

// benchCase is an op to be measured. A big one is measured in bytes a second.
type benchCase struct {
	name   string
	op     abi.Op
	params string
	input  []byte
	big    bool
}

// compare measures each op natively and in every engine, for one case at a time,
// so that a noisy machine is equally noisy to all of them.
func compare(b *testing.B, engines []*Suite, cases []benchCase) {
	var modules []*engine.Module
	for _, e := range engines {
		modules = append(modules, e.open(b, engine.Options{Instances: 1, KeepMemory: 512 << 20}))
	}
	for _, c := range cases {
		run := func(name string, call func() error) {
			b.Run("op="+c.name+"/engine="+name, func(b *testing.B) {
				if c.big {
					b.SetBytes(int64(len(c.input)))
				}
				b.ReportAllocs()
				for b.Loop() {
					if err := call(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		var dst []byte
		run("native", func() error {
			result, ok := ops.Call(dst[:0], c.op, []byte(c.params), c.input)
			if dst = result; !ok {
				return fmt.Errorf("%s", result)
			}
			return nil
		})
		for i, m := range modules {
			run(engines[i].Name, func() error {
				_, err := m.Call(context.Background(), c.op, []byte(c.params), c.input)
				return err
			})
		}
	}
}

// benchOpen measures what a program pays before its first answer of each format.
func (suite *Suite) benchOpen(b *testing.B) {
	first := func(b *testing.B, options engine.Options, op abi.Op, input []byte) {
		ctx := context.Background()
		m, err := suite.Open(ctx, suite.Module, options)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := m.Call(ctx, op, nil, input); err != nil {
			b.Fatal(err)
		}
		if err := m.Close(); err != nil {
			b.Fatal(err)
		}
	}
	line := generate(1)
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			first(b, engine.Options{}, abi.SAMPParse, line)
		}
	})
	options := engine.Options{CacheDir: filepath.Join(b.TempDir(), "private")}
	for _, c := range []struct {
		name  string
		op    abi.Op
		input []byte
	}{
		{"samp", abi.SAMPParse, line},
		{"atsf", abi.ATSFMessage, conversation(b, 1)},
		{"agn", abi.AGNMessage, []byte(agnChain(b)[0])},
		{"amp", abi.AMPMessage, []byte(fixture(b, "amp/inbox/01-plain.json"))},
		{"render", abi.RenderHTML, []byte("**hello**, see `main.go`")},
	} {
		b.Run("from cache/format="+c.name, func(b *testing.B) {
			first(b, options, c.op, c.input)
			for b.Loop() {
				first(b, options, c.op, c.input)
			}
		})
	}
}
