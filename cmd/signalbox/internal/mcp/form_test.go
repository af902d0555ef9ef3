package mcp

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// forms is a client in which the person answers with what a function returns.
func forms(answer func(ctx context.Context, p *mcp.ElicitParams) *mcp.ElicitResult) *mcp.ClientOptions {
	return &mcp.ClientOptions{ElicitationHandler: func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return answer(ctx, req.Params), nil
	}}
}

// TestForm asks the person in the client as well, where it shows forms. Their answer there is
// their mail, and the question is read.
func TestForm(t *testing.T) {
	options := []string{"MIT", "Apache 2.0"}
	for _, c := range []struct {
		name    string
		options []string
		answer  mcp.ElicitResult
		want    string // how the result begins
		choice  string
		body    string // of the person's mail, empty if there is none
	}{
		{"an option", options, mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "MIT"}}, "dev chose: MIT\n", "MIT", "MIT\n\n(answered in test)"},
		{"other words", options, mcp.ElicitResult{Action: "accept", Content: map[string]any{"other": " none of them "}}, "1 new message", "", "none of them\n\n(answered in test)"},
		{"words", nil, mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "8443"}}, "1 new message", "", "8443\n\n(answered in test)"},
		{"nothing", options, mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, "No answer yet", "", ""},
		{"what is no option", options, mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "GPL"}}, "No answer yet", "", ""},
		{"declined", options, mcp.ElicitResult{Action: "decline"}, "No answer yet", "", ""},
		{"closed at once, without a person", options, mcp.ElicitResult{Action: "cancel"}, "No answer yet", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPost(t)
			p.person("dev")
			shown := ""
			client := p.connect("coder", forms(func(_ context.Context, q *mcp.ElicitParams) *mcp.ElicitResult {
				shown = q.Message
				return &c.answer
			}))
			args := map[string]any{"question": "Which?", "options": c.options}
			if c.body == "" {
				args["wait_seconds"] = 1
			}
			text, data := call(t, client, "ask", args)
			choice, _ := data["choice"].(string)
			if !strings.HasPrefix(text, c.want) || choice != c.choice || shown != "Which?" {
				t.Errorf("%q, %v; the form asked %q", text, data, shown)
			}
			if got := strings.Join(texts(data), "; "); got != c.body {
				t.Errorf("the answer is %q", got)
			}
			me := p.options("dev")
			m, err := me.Box().Waiting(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			if waits := len(m.Unread) > 0; waits != (c.body == "") {
				t.Errorf("the question waits: %v", waits)
			}
		})
	}
}

// TestFormOvertaken closes the form when the person answers by mail first.
func TestFormOvertaken(t *testing.T) {
	p := newPost(t)
	p.person("dev")
	closed, opened := make(chan struct{}), make(chan struct{})
	client := p.connect("coder", forms(func(ctx context.Context, _ *mcp.ElicitParams) *mcp.ElicitResult {
		close(opened)
		<-ctx.Done()
		close(closed)
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "Apache 2.0"}}
	}))
	go func() {
		<-opened
		m, _, err := p.options("dev").Box().Wait(t.Context(), func(f *samp.Found) bool {
			p.writeAt(f.TS, "dev", "coder", f.Thread, "MIT")
			return true
		})
		if err != nil || m == nil {
			t.Error(err)
			return
		}
		m.Close()
	}()
	text, data := call(t, client, "ask", map[string]any{"question": "Which?", "options": []string{"MIT", "Apache 2.0"}})
	if !strings.HasPrefix(text, "dev chose: MIT\n") || strings.Join(texts(data), "") != "MIT" {
		t.Errorf("%q, %v", text, data)
	}
	<-closed
	if text, _ := call(t, client, "check_mail", nil); !strings.HasPrefix(text, "No new mail") {
		t.Errorf("the form's answer came, too: %q", text)
	}
}

// TestFormOfOthers: only the person is asked in a form, and not where nobody waits.
func TestFormOfOthers(t *testing.T) {
	p := newPost(t)
	p.person("dev")
	client := p.connect("coder", forms(func(context.Context, *mcp.ElicitParams) *mcp.ElicitResult {
		t.Error("the person is asked")
		return &mcp.ElicitResult{Action: "cancel"}
	}))
	for _, args := range []map[string]any{{"question": "Which?", "to": "planner", "wait_seconds": 1}, {"question": "Which?", "wait_seconds": 0}} {
		if text, _ := call(t, client, "ask", args); !strings.HasPrefix(text, "No answer yet") {
			t.Error(text)
		}
	}
}

// TestFormUnwritten returns an answer that cannot be written as mail.
func TestFormUnwritten(t *testing.T) {
	p := newPost(t)
	p.person("dev")
	if err := os.Mkdir(filepath.Join(p.dir, samp.LogName("dev")), 0o700); err != nil {
		t.Fatal(err)
	}
	client := p.connect("coder", forms(func(context.Context, *mcp.ElicitParams) *mcp.ElicitResult {
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "MIT"}}
	}))
	text, data := call(t, client, "ask", map[string]any{"question": "Which?", "options": []string{"MIT", "Apache 2.0"}})
	if !strings.HasPrefix(text, `dev answered here, and it could not be written down as mail: MIT`) || data["choice"] != "MIT" {
		t.Errorf("%q, %v", text, data)
	}
}

// TestNewestProtocol: a client without forms speaks the protocol's newest version, and one with
// forms falls back to the one before, in which it can be asked.
func TestNewestProtocol(t *testing.T) {
	p := newPost(t)
	newest := p.connect("coder", nil).InitializeResult().ProtocolVersion
	older := p.connect("coder", forms(func(context.Context, *mcp.ElicitParams) *mcp.ElicitResult { return nil })).InitializeResult().ProtocolVersion
	if newest < "2026-07-28" || older >= "2026-07-28" || older < "2025-06-18" {
		t.Errorf("%s, and with forms %s", newest, older)
	}
}

// TestSentMail says what became of what the agent sent.
func TestSentMail(t *testing.T) {
	p := newPost(t)
	c := p.connect("coder", nil)
	if text, _ := call(t, c, "sent_mail", nil); text != "You have sent no such message." {
		t.Error(text)
	}
	p.writeAt(time.Now().Unix()-7200, "coder", "planner", "old", "the plan?")
	asked := p.write("coder", "reviewer", "review", "please look\nat this")
	p.write("reviewer", "coder", "review", "done")
	p.write("planner", "dev", "other", "not coder's")
	text, data := call(t, c, "sent_mail", nil)
	list, _ := data["messages"].([]any)
	if len(list) != 2 || !strings.HasPrefix(text, "- to reviewer, ") || !strings.Contains(text, "message "+asked.ID+": answered by reviewer ") ||
		!strings.Contains(text, `It begins: "please look"`) || !strings.Contains(text, ": nobody reads this: it waits since ") {
		t.Errorf("%s\n%v", text, data)
	}
	if text, _ := call(t, c, "sent_mail", map[string]any{"to": "planner"}); strings.Contains(text, "reviewer") || !strings.Contains(text, "planner") {
		t.Error(text)
	}
	if text, _ := call(t, c, "sent_mail", map[string]any{"limit": 1}); strings.Contains(text, "planner") || !strings.Contains(text, "1 older message not listed") {
		t.Error(text)
	}
}
