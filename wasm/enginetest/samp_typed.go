package enginetest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/client"
	"github.com/signalbox-dev/signalbox/wasm/engine"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/wasm/abi"
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
	for name, caller := range map[string]client.Caller{suite.Name: suite.open(t, engine.Options{Instances: 1}), "native": native{}} {
		t.Run(name, func(t *testing.T) { typedCalls(t, client.NewSAMP(caller)) })
	}
}

func typedCalls(t *testing.T, s client.SAMP) {
	ctx := context.Background()
	equal := func(what string, got any, err error, want any) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", what, err)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
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
		Watermark: &client.Watermark{TS: record.TS, IDs: []string{record.ID}},
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

// testTypedErrors checks that what Go would silently repair is refused, and that
// a rule comes through.
func (suite *Suite) testTypedErrors(t *testing.T) {
	ctx := context.Background()
	s := suite.open(t, engine.Options{Instances: 1}).SAMP()
	const bad = "\xff"
	for name, c := range map[string]struct {
		call func() error
		code abi.Code
		rule string
	}{
		"inspect":  {func() error { _, err := s.Inspect(ctx, bad, nil); return err }, abi.BadArgument, ""},
		"validate": {func() error { _, err := s.Validate(ctx, bad, nil, 0); return err }, abi.BadArgument, ""},
		"thread":   {func() error { _, err := s.Thread(ctx, "", bad, "2026-01-01", ""); return err }, abi.BadArgument, ""},
		"build": {func() error {
			_, err := s.Build(ctx, client.NewMessage{From: "a", To: "b", Thread: bad, TS: 1})
			return err
		}, abi.BadArgument, ""},
		"body": {func() error {
			_, err := s.Build(ctx, client.NewMessage{From: "a", To: "b", Thread: "t", TS: 1, Body: bad})
			return err
		}, abi.Refused, "R2"},
		"alias": {func() error {
			_, err := s.Build(ctx, client.NewMessage{From: "a/b", To: "b", Thread: "t", TS: 1})
			return err
		}, abi.Refused, "L2"},
		"profile":  {func() error { _, err := s.ID(ctx, nil, "auto"); return err }, abi.BadArgument, ""},
		"parse":    {func() error { _, err := s.Parse(ctx, []byte("{}"), ""); return err }, abi.Malformed, "R3"},
		"inbox":    {func() error { _, err := s.Inbox(ctx, client.InboxQuery{Me: bad}); return err }, abi.BadArgument, ""},
		"log":      {func() error { _, err := s.Inbox(ctx, client.InboxQuery{Logs: []client.Log{{Name: bad}}}); return err }, abi.BadArgument, ""},
		"newest 0": {func() error { _, err := s.Inbox(ctx, client.InboxQuery{Mode: client.Newest(0)}); return err }, abi.BadArgument, ""},
		"reply":    {func() error { _, err := s.Reply(ctx, client.ReplyQuery{Body: bad}); return err }, abi.BadArgument, ""},
		"mark":     {func() error { _, err := s.Watermark(ctx, nil, 1); return err }, abi.Malformed, "N2"},
		"compact":  {func() error { _, err := s.Compact(ctx, nil, "x"); return err }, abi.BadArgument, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.call()
			e, ok := errors.AsType[*client.Error](err)
			if !ok || e.Code != c.code || e.Rule != c.rule || e.Op == 0 || !strings.HasPrefix(err.Error(), "host: samp.") {
				t.Errorf("got %#v, want code %s and rule %q", err, c.code, c.rule)
			}
		})
	}
}
