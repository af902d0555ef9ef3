package copilot

import (
	"cmp"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/session"
)

// binary is content that is shown if it is an image: its data, or the id of an asset with the data.
type binary struct {
	Type  string `json:"type"`
	MIME  string `json:"mimeType"`
	Asset string `json:"assetId"`
	Data  string `json:"data"`
}

func asset(l *session.Log, e *event) {
	var b binary
	e.into(&b)
	if b.image() {
		memoryOf(l).assets[b.Asset] = b
	}
}

func (b *binary) image() bool {
	return strings.HasPrefix(b.MIME, "image/") && !strings.ContainsFunc(b.Data, func(c rune) bool {
		return (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && !strings.ContainsRune("+/=-_", c)
	})
}

// show adds the images in a list to a message.
func show(l *session.Log, m *session.Message, list []binary) {
	for _, b := range list {
		if b.Data == "" {
			b = memoryOf(l).assets[b.Asset]
		}
		if b.Data != "" && b.image() {
			m.Image(b.MIME, b.Data)
		}
	}
}

// Prefixes of the source of a message in the person's role, if it isn't the person or the program.
const (
	fromAgent   = "agent-"
	fromSkill   = "skill-"
	fromCommand = "command-"
)

func user(l *session.Log, e *event) {
	var d struct {
		ID          string   `json:"messageId"`
		Content     string   `json:"content"`
		Source      string   `json:"source"`
		Attachments []binary `json:"attachments"`
	}
	e.into(&d)
	memory := memoryOf(l)
	fromHook := memory.hookReason != "" && d.Content == memory.hookReason
	memory.hookReason = ""
	clear(memory.asked)
	sender, byAgent := strings.CutPrefix(d.Source, fromAgent)
	switch {
	case fromHook:
		l.Note(e.at, "a hook kept the agent going: "+session.FirstLine(d.Content))
		l.SetState(session.Working, "")
		return
	case strings.HasPrefix(d.Source, fromSkill), d.Content == "" && len(d.Attachments) == 0:
		return
	case d.Source != "" && d.Source != "user" && !byAgent && !strings.HasPrefix(d.Source, fromCommand):
		l.Note(e.at, "the program prompted the agent: "+session.FirstLine(d.Content))
		l.SetState(session.Working, "")
		return
	}
	m := l.Rewrite(cmp.Or(d.ID, e.ID), atsf.RoleUser, e.at)
	m.Text(d.Content)
	show(l, m, d.Attachments)
	switch {
	case !byAgent:
	case l.Agent != "" && l.Prompt == "":
		l.Parent = sender // the message is the task that the subagent was started with
	default:
		m.From, m.To = sender, cmp.Or(l.Agent, l.ID)
	}
	l.Prompted(d.Content)
}

type usage struct {
	Call   string `json:"apiCallId"`
	Input  int64  `json:"inputTokens"`
	Output int64  `json:"outputTokens"`
	Stop   string `json:"finishReason"`
}

// storeUsage stores the tokens of a model call for the message that follows.
func storeUsage(l *session.Log, e *event) {
	var d struct {
		usage
		Usage *usage `json:"usage"`
	}
	e.into(&d)
	if d.Usage == nil {
		d.Usage = &d.usage
	}
	memoryOf(l).lastUsage = *d.Usage
}

func reasoning(l *session.Log, e *event) {
	var d struct {
		ID      string `json:"reasoningId"`
		Content string `json:"content"`
	}
	e.into(&d)
	if d.Content != "" {
		l.Rewrite(d.ID, atsf.RoleAgent, e.at).Think(d.Content)
	}
}

func agent(l *session.Log, e *event) {
	var d struct {
		ID        string     `json:"messageId"`
		Call      string     `json:"apiCallId"`
		Model     string     `json:"model"`
		Content   string     `json:"content"`
		Reasoning string     `json:"reasoningText"`
		Output    int64      `json:"outputTokens"`
		Requests  []*request `json:"toolRequests"`
	}
	e.into(&d)
	l.SetState(session.Working, "")
	if d.Content+d.Reasoning == "" && len(d.Requests) == 0 {
		return
	}
	thought := d.Reasoning != "" && repeatsThought(l, d.Reasoning)
	m := l.Rewrite(cmp.Or(d.ID, e.ID), atsf.RoleAgent, e.at)
	if m.Model = d.Model; d.Model != "" {
		l.Model = d.Model
	}
	memory := memoryOf(l)
	if u := memory.lastUsage; u.Call == d.Call && u != (usage{}) {
		m.Tokens, m.StopReason = &atsf.Tokens{Input: u.Input, Output: u.Output}, u.Stop
	} else if d.Output > 0 {
		m.Tokens = &atsf.Tokens{Output: d.Output}
	}
	memory.lastUsage = usage{}
	if !thought {
		m.Think(d.Reasoning)
	}
	m.Text(d.Content)
	l.SetLast(d.Content)
	for _, r := range d.Requests {
		if r != nil && r.ID+r.Name != "" {
			l.ForgetCall(r.ID)
			l.Call(m, r.call())
		}
	}
	if len(m.Tools) == 0 && d.Content != "" {
		l.SetState(session.Idle, "")
	}
}

// repeatsThought reports whether the last message is the same thought: older versions write it
// twice.
func repeatsThought(l *session.Log, text string) bool {
	if len(l.Messages) == 0 {
		return false
	}
	c := l.Messages[len(l.Messages)-1].Content
	return len(c) == 1 && c[0].Type == atsf.TypeThinking && c[0].Text == text
}

// userCommand adds a command that the person ran.
func userCommand(l *session.Log, e *event) {
	var r request
	e.into(&r)
	m := l.FindOrAdd(e.ID, atsf.RoleUser, e.at)
	l.ForgetCall(r.ID)
	l.Call(m, r.call())
}

func start(l *session.Log, e *event) {
	var r request
	e.into(&r)
	if c, _ := l.FindCall(r.ID); c == nil {
		l.Call(l.FindOrAdd(e.ID, atsf.RoleAgent, e.at), r.call())
	}
	if c, _ := l.End(r.ID, atsf.Running); c != nil {
		memoryOf(l).begun[r.ID] = e.at
	}
	setWorking(l)
	if tools[r.name()].asksPerson {
		l.SetState(session.Waiting, session.Wants(r.name(), r.Args))
	}
}

func end(l *session.Log, e *event) {
	var d ending
	e.into(&d)
	state := atsf.Completed
	if !d.Success {
		state = atsf.Failed
	}
	setWorking(l)
	memory := memoryOf(l)
	began, edit := memory.begun[d.ID], memory.edits[d.ID]
	delete(memory.begun, d.ID)
	delete(memory.edits, d.ID)
	c, m := l.End(d.ID, state)
	if c == nil {
		return
	}
	if began > 0 && e.at >= began {
		c.Duration = e.at - began
	}
	c.Output, c.HasOutput = d.output(c.Name), true
	diffs := d.diffs(c.Locations)
	if firstFile := edit.diff(); firstFile != nil {
		diffs = append([]*atsf.Diff{firstFile}, diffs[min(len(diffs), 1):]...)
	}
	d.locate(c)
	show(l, m, d.Result.Images)
	if d.Success {
		l.Changed(d.ID, diffs)
	}
}
