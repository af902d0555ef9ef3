package enginetest

import (
	"context"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/client"
	"github.com/signalbox-dev/signalbox/wasm/engine"
	"github.com/signalbox-dev/signalbox/wasm/guest/ops"
)

// native is a Caller without a module.
type native struct{}

func (native) Call(_ context.Context, op abi.Op, a, b []byte) ([]byte, error) {
	result, ok := ops.Call(nil, op, a, b)
	if !ok {
		return nil, &client.Error{Op: op, Code: abi.Internal, Message: string(result)}
	}
	return result, nil
}

// testTypedCalls runs every typed call over the module and natively.
func (suite *Suite) testTypedCalls(t *testing.T) {
	suite.typed(t, func(t *testing.T, caller client.Caller) { typedCalls(t, client.NewSAMP(caller)) })
}

// typed runs a test of typed calls over the module and natively.
func (suite *Suite) typed(t *testing.T, run func(t *testing.T, caller client.Caller)) {
	for name, caller := range map[string]client.Caller{suite.Name: suite.open(t, engine.Options{Instances: 1}), "native": native{}} {
		t.Run(name, func(t *testing.T) { run(t, caller) })
	}
}

func typedCalls(t *testing.T, s client.SAMP) {
	ctx := context.Background()
	equal := typed{T: t}.equal
	derived, err := s.Thread(ctx, "Ünïcödé <&> first\nsecond", "alice", "2026-04-25", "")
	equal("thread", derived, err, client.DerivedThread{Thread: "2026-04-25-alice-n-c-d-first", Body: "Ünïcödé <&> first\nsecond"})

	line, err := s.Build(ctx, client.NewMessage{From: "alice", To: "bob", Thread: "<t>", TS: 1777075200, Profile: client.V1Compact, Body: "e\u0301\u2028"})
	want := client.Record{TS: 1777075200, From: "alice", To: "bob", Thread: "<t>", Body: "é\u2028", Form: "compact"}
	record, perr := s.Parse(ctx, line, client.V1Compact)
	want.ID, want.Key = record.ID, record.ID
	equal("build and parse", record, cmpErr(err, perr), want)

	id, err := s.ID(ctx, line, client.V1Compact)
	equal("id", id, err, record.ID)
	text, err := s.Canonical(ctx, line, client.V1Compact)
	equal("canonical", string(text), err, `{"body":"é`+"\u2028"+`","from":"alice","thread":"<t>","to":"bob","ts":1777075200}`)

	in, err := s.Inspect(ctx, "log-bob.jsonl", line)
	equal("inspect", in, err, client.Inspection{Form: "compact", Findings: client.Findings{Notes: []client.Fault{}, Faults: []client.Fault{
		{Rule: "L4", Field: "from", Reason: `the record claims to be from "alice", whose log this is not`},
	}}})
	v, err := s.Validate(ctx, "log-alice.jsonl", []byte(string(line)+"{\n"+string(line)), 0)
	equal("validate", []int64{v.Lines, v.Malformed, v.Forms["compact"], int64(len(v.Findings)), v.Findings[0].Line}, err, []int64{3, 1, 2, 1, 2})

	c, err := s.Compact(ctx, []byte(string(line)+string(line)), client.V1Compact)
	equal("compact", c, err, client.Compaction{Changed: true, Before: 2, After: 1, Length: int64(len(line)), Data: line})
	w, err := s.Watermark(ctx, []byte(`{"ts":9,"ids":["x"]}`), 5)
	equal("watermark", w, err, client.Watermark{TS: 5, IDs: []string{"x"}})
	a, err := s.Alias(ctx, "bob")
	equal("alias", a, err, client.Alias{Valid: true, Allowed: true, Log: "log-bob.jsonl", Watermark: ".seen-bob"})

	logs := []client.Log{{Name: "log-alice.jsonl", Data: line}, {Name: "log-zed.jsonl"}}
	q := client.InboxQuery{Me: "bob", Profile: client.V1Compact, Watermark: &client.Watermark{TS: 5}, Now: 1777075300, Logs: logs}
	box, err := s.Inbox(ctx, q)
	message := client.Message{ID: record.ID, TS: record.TS, From: "alice", To: "bob", Thread: "<t>", Body: record.Body, Log: "log-alice.jsonl", Filing: "own", Form: "compact"}
	equal("inbox", box, err, client.Inbox{
		Messages: []client.Message{message}, Suspicious: []client.Message{}, Lines: 1,
		Watermark: &client.Watermark{TS: record.TS, IDs: []string{record.ID, "alice:" + record.ID}},
		Logs:      []client.Scan{{Name: "log-alice.jsonl", Lines: 1, Complete: int64(len(line))}, {Name: "log-zed.jsonl"}},
	})
	q.Watermark = box.Watermark
	again, err := s.Inbox(ctx, q)
	equal("inbox, nothing new", len(again.Messages), err, 0)
	q.Mode, q.SkipForms = client.Newest(1), true
	newest, err := s.Inbox(ctx, q)
	message.Form = ""
	equal("the newest", newest.Messages, err, []client.Message{message})
	q.Mode = client.Raw()
	raw, err := s.Inbox(ctx, q)
	message.Raw = strings.TrimSuffix(string(line), "\n")
	equal("raw", raw.Messages, err, []client.Message{message})

	d, err := s.Reply(ctx, client.ReplyQuery{Me: "bob", Body: "yes", TS: 1777075400, ToID: record.ID, Logs: logs})
	answer, perr := s.Parse(ctx, []byte(d.Line), client.V1)
	equal("reply", answer, cmpErr(err, perr), client.Record{ID: d.ID, Key: d.ID, Form: "spaced", TS: 1777075400, From: "bob", To: "alice", Thread: "<t>", Body: "yes"})
}

func cmpErr(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
