package enginetest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/engine"
)

// flatCall is a call of testMemoryIsFlat. A rare one is made once for 500 of the others.
type flatCall struct {
	op            abi.Op
	params, input string
	code          abi.Code // empty for a result
	rare          bool
}

// testMemoryIsFlat makes 120,000 mixed calls of all formats in one instance, valid and
// invalid, small and large. The collector's timing may grow memory by a step or two; a
// leak of 10 bytes per call would grow it by more.
func (suite *Suite) testMemoryIsFlat(t *testing.T) {
	const round = 40_000
	ctx := context.Background()
	m := suite.open(t, engine.Options{Instances: 1})
	list := flatCalls(t)
	mixed := func() {
		for n := range round {
			c := list[n%len(list)]
			if c.rare && n/len(list)%500 != 0 {
				continue
			}
			if _, err := m.Call(ctx, c.op, []byte(c.params), []byte(c.input)); codeOf(err) != c.code || err != nil && c.code == "" {
				t.Fatalf("%v: %v, want code %q", c.op, err, c.code)
			}
		}
	}
	// A round begins with all rare calls at once. After the second the heap has its final
	// size, whatever calls follow.
	mixed()
	mixed()
	before := m.Stats()
	for range 3 {
		mixed()
	}
	after := m.Stats()
	if after.Memory > before.Memory+1<<20 || after.Created != 1 {
		t.Errorf("the instance went from %+v to %+v", before, after)
	}
}

func flatCalls(t *testing.T) []flatCall {
	t.Helper()
	logs, data := sampLogs(t)
	mail := fixture(t, "amp/sent/01-plain.json")
	key := fixture(t, "amp/keys/alice.public.pem")
	chain := agnChain(t)
	task := fmt.Sprintf(`{"taskId":"T-2026-044","now":1772120000000,"messages":%s}`, lengths(chain))
	thread := fixture(t, "atsf/main/dot-agent/threads/a1b2c3d4-e5f6-4890-abcd-ef1234567890/messages.jsonl")
	return []flatCall{
		{op: abi.SAMPInbox, params: `{"me":"bob","mode":"all","logs":` + logs + `}`, input: data},
		{op: abi.SAMPID, input: data[:strings.Index(data, "\n")]},
		{op: abi.SAMPAlias, input: "alice"},
		{op: abi.SAMPParse, input: "{", code: abi.Malformed},
		{op: abi.SAMPBuild, params: `{"from":"CON","to":"b","thread":"t","ts":1}`, code: abi.Refused},
		{op: abi.SAMPValidate, params: `{"log":"log-x.jsonl"}`, input: strings.Repeat(data, 100), rare: true},
		{op: abi.ATSFCount, input: thread},
		{op: abi.ATSFLog, input: thread},
		{op: abi.ATSFThread, input: `{"specVersion":"2.0"}`, code: abi.Malformed},
		{op: abi.AGNMessage, input: chain[0]},
		{op: abi.AGNState, params: task, input: strings.Join(chain, ""), rare: true},
		{op: abi.AGNValidTaskID, input: "T-2026-044"},
		{op: abi.AMPMessage, input: mail},
		{op: abi.AMPAddress, input: "alice@acme.crabmail.ai"},
		{op: abi.AMPVerify, params: fmt.Sprintf(`{"messageLength":%d}`, len(mail)), input: mail + key, rare: true},
		{op: abi.MailDetect, input: mail},
		{op: abi.MailLinks, input: data},
		{op: abi.RenderHTML, input: "# A\n\n- **b** <i> https://example.com\n\u202e"},
		{op: abi.RenderText, input: strings.Repeat("\x1b", 100_000), rare: true},
		{op: abi.AGNMessage, input: strings.Repeat(`{"a":`, 65) + "1" + strings.Repeat("}", 65), code: abi.Malformed},
		{op: 99, code: abi.UnknownOp},
	}
}
