package enginetest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/client"
	"github.com/signalbox-dev/signalbox/wasm/engine"
)

// testTypedErrors checks that a text which Go would silently repair is refused
// wherever it stands in the parameters, and that an error comes with its op, code and
// rule.
func (suite *Suite) testTypedErrors(t *testing.T) {
	ctx := context.Background()
	m := suite.open(t, engine.Options{Instances: 1})
	samp, atsf, agn, amp := m.SAMP(), m.ATSF(), m.AGN(), m.AMP()
	const bad = "\xff"
	text := bad
	message := []byte(ampFile(t, "inbox/01-plain.json"))
	tool := func(c client.ToolCall) client.AgentMessage {
		return client.AgentMessage{ID: "m", Role: "user", Tools: []client.ToolCall{c}}
	}
	for name, c := range map[string]struct {
		err  error
		code abi.Code
		rule string
	}{
		"an argument":       {second(samp.Inspect(ctx, bad, nil)), abi.BadArgument, ""},
		"a member":          {second(samp.Build(ctx, client.NewMessage{From: "a", To: "b", Thread: bad, TS: 1})), abi.BadArgument, ""},
		"a log's name":      {second(samp.Inbox(ctx, client.InboxQuery{Logs: []client.Log{{Name: bad}}})), abi.BadArgument, ""},
		"a list's text":     {second(amp.Judge(ctx, message, client.MailKnown{Self: []string{bad}})), abi.BadArgument, ""},
		"a list's object":   {second(amp.Threads(ctx, []client.MailLink{{InReplyTo: bad}})), abi.BadArgument, ""},
		"a path":            {second(atsf.Edit(ctx, nil, []client.Change{{Path: []string{bad}}})), abi.BadArgument, ""},
		"a pointer":         {second(atsf.BuildMessage(ctx, tool(client.ToolCall{Input: &text}))), abi.BadArgument, ""},
		"an object":         {second(atsf.BuildMessage(ctx, tool(client.ToolCall{Diff: &client.Diff{Old: bad}}))), abi.BadArgument, ""},
		"an object in one":  {second(agn.BuildEscalation(ctx, taskHead(), "", client.Escalation{Snapshot: client.Snapshot{TaskStatus: bad}})), abi.BadArgument, ""},
		"a raw value":       {second(agn.BuildDispatch(ctx, taskHead(), client.Dispatch{Constraints: client.Value("{")})), abi.BadArgument, ""},
		"a raw value's key": {second(agn.BuildDispatch(ctx, taskHead(), client.Dispatch{Constraints: client.Value(`{"` + bad + `":1}`)})), abi.BadArgument, ""},

		"SAMP, no record":     {second(samp.Parse(ctx, []byte("{}"), "")), abi.Malformed, "R3"},
		"SAMP, a body":        {second(samp.Build(ctx, client.NewMessage{From: "a", To: "b", Thread: "t", TS: 1, Body: bad})), abi.Refused, "R2"},
		"SAMP, the newest 0":  {second(samp.Inbox(ctx, client.InboxQuery{Mode: client.Newest(0)})), abi.BadArgument, ""},
		"SAMP, a profile":     {second(samp.Compact(ctx, nil, "x")), abi.BadArgument, ""},
		"ATSF, major 2":       {second(atsf.Thread(ctx, []byte(`{"specVersion":"2.0"}`), "")), abi.Malformed, "V2"},
		"ATSF, an edit":       {second(atsf.Edit(ctx, []byte(`{"specVersion":"1.1"}`), []client.Change{{Path: []string{}, Value: client.Value("1")}})), abi.Refused, "X4"},
		"ATSF, a limit":       {second(atsf.Log(ctx, nil, -1)), abi.BadArgument, ""},
		"ATSF, inline data":   {third(atsf.TakeInline(ctx, []byte(`{"content":[{"type":"image","data":"?"}]}`))), abi.Malformed, "B3"},
		"AGN, no message":     {second(agn.Message(ctx, []byte("["))), abi.Malformed, "E0"},
		"AGN, a type":         {second(agn.Payload(ctx, "ack", nil)), abi.BadArgument, ""},
		"AGN, a redirect":     {second(agn.BuildResume(ctx, client.Resume{MsgID: alertID, Action: "redirect"})), abi.Refused, "X9"},
		"amp, a key":          {second(amp.Verify(ctx, message, []byte(bad))), abi.Malformed, "SIG-6"},
		"amp, a status":       {second(amp.SetStatus(ctx, message, "seen", 0)), abi.Refused, "STO-3"},
		"amp, before 1970":    {second(amp.NewID(ctx, -1, [8]byte{})), abi.BadArgument, ""},
		"a negative length":   {second(m.Render().Line(ctx, "", -1)), abi.BadArgument, ""},
		"a heading 7":         {second(m.Render().HTML(ctx, "", client.RenderOptions{TopHeading: 7})), abi.BadArgument, ""},
		"too long a text":     {second(m.Render().Text(ctx, strings.Repeat("x", abi.MaxShown+1))), abi.TooLarge, ""},
		"links, a limit":      {second(m.Mail().Links(ctx, "", -1)), abi.BadArgument, ""},
		"detect, a file name": {second(m.Mail().Detect(ctx, bad, nil)), abi.BadArgument, ""},
	} {
		t.Run(name, func(t *testing.T) {
			e, ok := errors.AsType[*client.Error](c.err)
			if !ok || e.Code != c.code || e.Rule != c.rule || e.Op == 0 || !strings.HasPrefix(c.err.Error(), "host: "+e.Op.String()+": ") {
				t.Errorf("got %#v, want code %s and rule %q", c.err, c.code, c.rule)
			}
		})
	}
	if second(client.NewAGN(liar("{")).Message(ctx, nil)) == nil {
		t.Error("a result that is no JSON passed")
	}
	const secret = "c2VjcmV0"
	if err := second(amp.Key(ctx, []byte("-----BEGIN PRIVATE KEY-----\n"+secret+"\n-----END PRIVATE KEY-----\n"))); err == nil || strings.Contains(err.Error(), secret) {
		t.Errorf("a private key is read or quoted: %v", err)
	}
}
