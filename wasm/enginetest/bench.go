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

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/guest/ops"
)

// generate makes a log of about size bytes with records of about 400 bytes, every nth to
// "me". An inbox of it for "nobody" measures the filter by recipient. With nth = 1 an
// inbox decodes every record to a struct, and sorts and writes them all.
func generate(size, nth int) []byte {
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

// Bench measures the figures of BENCHMARKS.md: calls natively, in the suite's engine and
// in others, including copying in and out, and then opening.
func (suite *Suite) Bench(b *testing.B, others ...*Suite) {
	engines := append(others, suite)
	log, mine, messages := generate(10<<20, 10), generate(10<<20, 1), conversation(b, 10<<20)
	logs := func(log []byte) string {
		return fmt.Sprintf(`"logs":[{"name":"log-alice.jsonl","length":%d}]}`, len(log))
	}
	compare(b, engines, []benchCase{
		{"samp", "filter nobody", abi.SAMPInbox, `{"me":"nobody","mode":"all",` + logs(log), log, true},
		{"samp", "decode all", abi.SAMPInbox, `{"me":"me","mode":"all","forms":false,` + logs(mine), mine, true},
		{"samp", "validate", abi.SAMPValidate, `{"log":"log-alice.jsonl"}`, log, true},
		{"samp", "compact", abi.SAMPCompact, ``, log, true},
		{"samp", "parse", abi.SAMPParse, ``, log[:bytes.IndexByte(log, '\n')+1], false},
		{"atsf", "count", abi.ATSFCount, ``, messages, true},
		{"atsf", "read a log", abi.ATSFLog, ``, messages, true},
		{"agn", "message", abi.AGNMessage, ``, []byte(agnChain(b)[0]), false},
		{"amp", "message", abi.AMPMessage, ``, []byte(fixture(b, "amp/inbox/01-plain.json")), false},
	})
	for _, e := range engines {
		b.Run("open/engine="+e.Name, e.benchOpen)
	}
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

// benchCase is an op to measure. A big one is measured in bytes per second.
type benchCase struct {
	format string
	name   string
	op     abi.Op
	params string
	input  []byte
	big    bool
}

// compare measures each op natively and in every engine before the next op, so that
// noise on the machine affects all of them equally.
func compare(b *testing.B, engines []*Suite, cases []benchCase) {
	var modules []*engine.Module
	for _, e := range engines {
		modules = append(modules, e.open(b, engine.Options{Instances: 1, KeepMemory: 512 << 20}))
	}
	for _, c := range cases {
		run := func(name string, call func() error) {
			b.Run("format="+c.format+"/op="+c.name+"/engine="+name, func(b *testing.B) {
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

// benchOpen measures the time until a program's first result.
func (suite *Suite) benchOpen(b *testing.B) {
	line := generate(1, 1)
	for name, dir := range map[string]string{"cold": "", "from cache": filepath.Join(b.TempDir(), "private")} {
		first := func() {
			ctx := context.Background()
			m, err := suite.Open(ctx, suite.Module, engine.Options{CacheDir: dir})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := m.Call(ctx, abi.SAMPParse, nil, line); err != nil {
				b.Fatal(err)
			}
			if err := m.Close(); err != nil {
				b.Fatal(err)
			}
		}
		b.Run(name, func(b *testing.B) {
			if dir != "" {
				first()
			}
			for b.Loop() {
				first()
			}
		})
	}
}
