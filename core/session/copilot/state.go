package copilot

import (
	"cmp"
	"strings"

	"github.com/signalbox-dev/signalbox/core/session"
)

type place struct {
	Folder string `json:"cwd"`
	Branch string `json:"branch"`
}

// applyTo sets a session's current folder and branch.
func (p place) applyTo(l *session.Log) {
	if p.Folder != "" {
		l.Folder, l.Branch = p.Folder, p.Branch
	}
}

type opening struct {
	ID      string `json:"sessionId"`
	Version string `json:"copilotVersion"`
	Model   string `json:"selectedModel"`
	Context place  `json:"context"`
}

func begin(l *session.Log, e *event) {
	var d opening
	e.into(&d)
	l.Version = d.Version
	d.Context.applyTo(l)
	if l.Agent != "" {
		l.ID, l.Parent = l.Agent, d.ID
		return
	}
	l.ID, l.Model = d.ID, d.Model
	l.SetState(session.Idle, "")
}

func resume(l *session.Log, e *event) {
	var d opening
	e.into(&d)
	was := l.Folder
	d.Context.applyTo(l)
	if l.Agent != "" {
		return
	}
	if d.Model != "" {
		l.Model = d.Model
	}
	text := "the session was resumed"
	if was != "" && was != l.Folder {
		text += " in " + session.FirstLine(l.Folder)
	}
	l.Note(e.at, text)
	l.SetState(session.Idle, "")
}

func moved(l *session.Log, e *event) {
	var d place
	e.into(&d)
	d.applyTo(l)
}

func model(l *session.Log, e *event) {
	var d struct {
		New string `json:"newModel"`
	}
	e.into(&d)
	if d.New != "" {
		l.Model = d.New
	}
}

func title(l *session.Log, e *event) {
	var d struct {
		Title string `json:"title"`
	}
	e.into(&d)
	if d.Title != "" {
		l.Title = session.FirstLine(d.Title)
	}
}

func shutdown(l *session.Log, e *event) {
	var d struct {
		Type string `json:"shutdownType"`
	}
	e.into(&d)
	if d.Type == "error" && l.Agent == "" {
		l.Note(e.at, "the program ended with an error")
	}
	l.SetState(session.Ended, "")
}

func idle(l *session.Log, _ *event)     { l.SetState(session.Idle, "") }
func turn(l *session.Log, _ *event)     { l.SetState(session.Working, "") }
func answered(l *session.Log, _ *event) { l.SetState(session.Working, "") }

// setWorking sets the state to working, unless another call still waits for a permission.
func setWorking(l *session.Log) {
	if len(memoryOf(l).asked) == 0 {
		l.SetState(session.Working, "")
	}
}

func failed(l *session.Log, e *event) {
	l.Note(e.at, "an error: "+message(e))
	l.SetState(session.Idle, "")
}

func notice(l *session.Log, e *event) {
	if text := message(e); text != "" {
		l.Note(e.at, "the program said: "+text)
	}
}

// message returns the first line of the program's message, without the tag for the model.
func message(e *event) string {
	var d struct {
		Message string `json:"message"`
		Content string `json:"content"`
	}
	e.into(&d)
	const mark = "<system_notification>"
	return session.FirstLine(strings.TrimPrefix(strings.TrimSpace(cmp.Or(d.Message, d.Content)), mark))
}

func compacted(l *session.Log, e *event) {
	var d struct {
		Success *bool `json:"success"`
	}
	e.into(&d)
	if d.Success != nil && !*d.Success {
		l.Note(e.at, "the conversation could not be compacted")
		return
	}
	l.Note(e.at, "the conversation so far was compacted")
}

// abort records that a turn was interrupted. When the program ends, finished subagents are also
// recorded as cancelled.
func abort(l *session.Log, e *event) {
	if l.State == session.Ended {
		return
	}
	l.Note(e.at, "the turn was interrupted")
	clear(memoryOf(l).asked)
	l.Interrupt(e.at)
}

// hook adds a note about a hook that failed or refused a call. It stores the text of a hook that
// delays a stop, since the program may send that text to the agent as a prompt.
func hook(l *session.Log, e *event) {
	var d struct {
		Type    string `json:"hookType"`
		Success *bool  `json:"success"`
		Error   struct {
			Message string `json:"message"`
		} `json:"error"`
		Output struct {
			Decision   string `json:"decision"`
			Reason     string `json:"reason"`
			Permission string `json:"permissionDecision"`
			Because    string `json:"permissionDecisionReason"`
		} `json:"output"`
	}
	e.into(&d)
	switch {
	case d.Success != nil && !*d.Success:
		l.Note(e.at, strings.TrimSuffix("a hook failed at "+d.Type+": "+session.FirstLine(d.Error.Message), ": "))
	case d.Output.Permission == "deny":
		l.Note(e.at, strings.TrimSuffix("a hook refused a tool call: "+session.FirstLine(d.Output.Because), ": "))
	case d.Output.Decision == "block":
		memoryOf(l).hookReason = d.Output.Reason
	}
}

func question(l *session.Log, e *event) {
	var d struct {
		Question string   `json:"question"`
		Message  string   `json:"message"`
		Choices  []string `json:"choices"`
	}
	e.into(&d)
	l.SetState(session.Waiting, "an answer: "+session.Question(cmp.Or(d.Question, d.Message), d.Choices))
}

func plan(l *session.Log, e *event) {
	l.SetState(session.Waiting, session.Wants("exit_plan_mode", e.Data))
}

type permission struct {
	ID      string `json:"requestId"`
	Request struct {
		Call    string     `json:"toolCallId"`
		Kind    string     `json:"kind"`
		Command string     `json:"fullCommandText"`
		File    string     `json:"fileName"`
		Path    string     `json:"path"`
		URL     string     `json:"url"`
		Tool    string     `json:"toolTitle"`
		Intent  string     `json:"intention"`
		Edits   []fileEdit `json:"fileEdits"`
	} `json:"permissionRequest"`
	Result struct {
		Kind string `json:"kind"`
	} `json:"result"`
}

// about returns the action that needs permission. For an MCP server's tool, the action is in the
// call.
func (p *permission) about(l *session.Log) string {
	r := &p.Request
	if thing := session.FirstLine(cmp.Or(r.Command, r.File, r.Path, r.URL)); thing != "" {
		return thing
	}
	if c, _ := l.FindCall(r.Call); c != nil {
		return strings.TrimPrefix(session.Asked(c), "permission: ")
	}
	return cmp.Or(session.FirstLine(cmp.Or(r.Tool, r.Intent, r.Kind)), "a tool")
}

// ask records that an agent waits for a permission. If a subagent waits, so does the session.
func ask(l *session.Log, e *event) {
	var p permission
	e.into(&p)
	own := e.Agent == l.Agent
	if !own && l.Agent != "" {
		return
	}
	m, about := memoryOf(l), p.about(l)
	m.asked[p.ID] = about
	if own {
		l.Note(e.at, "asked for permission: "+about)
		if len(p.Request.Edits) > 0 {
			m.edits[p.Request.Call] = p.Request.Edits[0]
		}
	}
	l.SetState(session.Waiting, "permission: "+about)
}

func decide(l *session.Log, e *event) {
	var p permission
	e.into(&p)
	own := e.Agent == l.Agent
	if !own && l.Agent != "" {
		return
	}
	m := memoryOf(l)
	about, ok := m.asked[p.ID]
	if !ok {
		about = "a tool"
	}
	delete(m.asked, p.ID)
	if own && !strings.HasPrefix(p.Result.Kind, "approved") {
		l.Note(e.at, "permission was refused: "+about)
	}
	if l.State != session.Idle { // if an interruption cancelled the request, the session stays idle
		setWorking(l)
	}
}

type subagent struct {
	Call   string `json:"toolCallId"`
	Title  string `json:"agentDisplayName"`
	Name   string `json:"agentName"`
	Parent string `json:"parentId"`
	Error  string `json:"error"`
}

// subagentStarted records a subagent at the call in its parent's log, and its facts in its own log.
func subagentStarted(l *session.Log, e *event) {
	var d subagent
	e.into(&d)
	if e.Agent == l.Agent {
		l.ID = l.Agent
		if d.Parent != "" {
			l.Parent = d.Parent
		}
		l.Name = cmp.Or(d.Title, d.Name)
		return
	}
	if m := memoryOf(l); l.Agent == "" && e.Agent != "" && !m.agents[e.Agent] {
		m.agents[e.Agent] = true
		l.Agents = append(l.Agents, e.Agent)
	}
	if _, m := l.FindCall(d.Call); m != nil {
		m.Start(d.Call, e.Agent)
	}
}

func subagentDone(l *session.Log, e *event) {
	if e.Agent == l.Agent {
		l.SetState(session.Ended, "")
	}
}

func subagentFailed(l *session.Log, e *event) {
	var d subagent
	e.into(&d)
	text := session.FirstLine(d.Error)
	if e.Agent == l.Agent {
		l.Note(e.at, "an error: "+text)
		l.SetState(session.Ended, "")
	} else if _, m := l.FindCall(d.Call); m != nil {
		l.Note(e.at, "a subagent failed: "+text)
	}
}
