package hook

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	transcript "github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
)

// kind is what an event means to us.
type kind uint8

const (
	// other is an event that tells nothing.
	other kind = iota
	started
	prompted
	// usingTool is a tool call that begins. It is told of where the client's own record has
	// the call only once it is over.
	usingTool
	usedTool
	stopping
	asking
	// questioning is a form that is about to be shown. The client's own record tells of it;
	// nothing is recorded here.
	questioning
	idle
	ended
	// waking is no event: a hook that runs beside an idle session waits for mail.
	waking
)

// Client is a program that runs agents: the word that setup takes and that JSON has.
type client string

const (
	claude   client = "claude"
	codex    client = "codex"
	gemini   client = "gemini"
	copilot  client = "copilot"
	opencode client = "opencode"
)

// kinds says what the events of each client mean. The plugin for opencode is ours, and
// so are the names of its events.
var kinds = map[client]map[string]kind{
	claude: {
		"SessionStart": started, "UserPromptSubmit": prompted, "PostToolUse": usedTool, "Stop": stopping,
		"PermissionRequest": asking, "Notification": asking, "SessionEnd": ended, "wait": waking,
	},
	codex: {
		"SessionStart": started, "UserPromptSubmit": prompted, "PostToolUse": usedTool, "Stop": stopping,
		"PermissionRequest": asking, "PreToolUse": questioning, "SessionEnd": ended,
	},
	gemini: {
		"SessionStart": started, "BeforeAgent": prompted, "BeforeTool": usingTool, "AfterTool": usedTool, "AfterAgent": stopping,
		"Notification": asking, "SessionEnd": ended,
	},
	copilot: {
		"sessionStart": started, "userPromptSubmitted": prompted, "postToolUse": usedTool, "agentStop": stopping,
		"permissionRequest": asking, "sessionEnd": ended,
	},
	opencode: {
		"start": started, "prompt": prompted, "tool": usedTool, "stop": stopping, "ask": asking, "end": ended, "wait": waking,
		// An earlier plugin did not wait for what the hook says to this.
		"permission": asking,
	},
}

// event is what a client's program tells of one of its sessions. All texts are the
// program's.
type event struct {
	client client
	name   string
	kind   kind

	session, folder, transcript string
	// waitsFor is what a session that asks waits for.
	waitsFor string
	// vague is set if an event that asks does not say for what.
	vague bool
	// compacted is set if a session that started goes on where it was.
	compacted bool
	// subagent is set if a subagent's step is told, which gets no mail.
	subagent bool
	// timed is set if the event says when it was.
	timed bool
	// tool returns the call that begins or has ended, without its times.
	tool func() activity.Tool
	// wire is the event as it came.
	wire *wire
	// judged is the session as it was found to sit idle, where it is woken.
	judged activity.Session
}

// maxEvent is the length in bytes of the longest event that is understood. Tools take and
// return much.
const maxEvent = 64 << 20

// wire is what we read of an event, as the clients write it.
type wire struct {
	Name       string `json:"hook_event_name"`
	Session    string `json:"session_id"`
	SessionB   string `json:"sessionId"`
	Folder     string `json:"cwd"`
	Transcript string `json:"transcript_path"`
	PathB      string `json:"transcriptPath"`
	Tool       string `json:"tool_name"`
	ToolB      string `json:"original_request_name"`
	ToolC      string `json:"toolName"`
	Kind       string `json:"notification_type"`
	Message    string `json:"message"`
	Source     string `json:"source"`
	Agent      any    `json:"agent_id"`
	ParentA    any    `json:"parentAgentId"`

	Timestamp json.RawMessage `json:"timestamp"`
	Input     json.RawMessage `json:"tool_input"`
	InputB    json.RawMessage `json:"toolInput"`
	Details   json.RawMessage `json:"details"`
	Response  json.RawMessage `json:"tool_response"`

	Suggestions []json.RawMessage `json:"permission_suggestions"`
	Always      []string          `json:"always"`
}

// patience is how long a client may be silent in the middle of an event. Some leave the pipe
// open.
const patience = 700 * time.Millisecond

// readEvent reads an event from a client: up to the end of the JSON value, after which
// nothing is waited for. A member of another type than ours is passed over: it keeps no
// agent from its mail.
func readEvent(c client, name string, in io.Reader) (event, error) {
	limited := &io.LimitedReader{R: &patient{in: in, wait: patience}, N: maxEvent + 1}
	var w wire
	if err := json.NewDecoder(unmarked(limited)).Decode(&w); err != nil {
		wrong, isWrong := errors.AsType[*json.UnmarshalTypeError](err)
		switch {
		case isWrong && wrong.Field != "":
			return w.event(c, name)
		case limited.N == 0:
			// The client is not left with a pipe that nobody reads.
			_, err = io.Copy(io.Discard, limited.R)
			return event{}, errors.Join(fmt.Errorf("the event is longer than %d bytes", maxEvent), err)
		case errors.Is(err, errSilent):
			return event{}, err
		}
		return event{}, fmt.Errorf("the event is no JSON object: %w", err)
	}
	return w.event(c, name)
}

// unmarked returns a reader without the byte order mark that Windows programs put before a
// text in UTF-8.
func unmarked(in io.Reader) io.Reader {
	const mark = "\ufeff"
	r := bufio.NewReader(in)
	if begin, err := r.Peek(1); err != nil || begin[0] != mark[0] {
		return r
	}
	if begin, err := r.Peek(len(mark)); err == nil && string(begin) == mark {
		_, _ = r.Discard(len(mark)) // it was read already
	}
	return r
}

var errSilent = errors.New("the event does not end: the client writes no more, and keeps the pipe open")

// patient is a reader that waits for a while only. The read that it has given up goes on, and
// ends with the process: a pipe that was inherited knows no deadlines.
type patient struct {
	in   io.Reader
	wait time.Duration
	gone bool
}

func (p *patient) Read(b []byte) (int, error) {
	if p.gone {
		return 0, errSilent
	}
	type got struct {
		data []byte
		err  error
	}
	read := make(chan got, 1)
	go func() {
		data := make([]byte, len(b)) // b is the caller's once we are gone
		n, err := p.in.Read(data)
		read <- got{data[:n], err}
	}()
	timer := time.NewTimer(p.wait)
	defer timer.Stop()
	select {
	case g := <-read:
		return copy(b, g.data), g.err
	case <-timer.C:
		p.gone = true
		return 0, errSilent
	}
}

func (w *wire) event(c client, name string) (event, error) {
	e := event{
		client: c, name: cmp.Or(name, w.Name), session: cmp.Or(w.Session, w.SessionB), transcript: cmp.Or(w.Transcript, w.PathB),
		subagent: given(w.Agent) || given(w.ParentA), timed: w.Timestamp != nil,
		tool: sync.OnceValue(w.tool), wire: w,
	}
	if e.session == "" {
		return event{}, errors.New("the event names no session")
	}
	if filepath.IsAbs(w.Folder) {
		e.folder = filepath.Clean(w.Folder)
	}
	e.kind = kinds[c][e.name]
	e.compacted = e.kind == started && w.Source == "compact"
	switch {
	case e.kind == asking:
		w.asks(&e)
	case e.kind == questioning && w.Tool != "request_user_input":
		e.kind = other // a person has all tools told
	}
	return e, nil
}

// given reports whether a member of any type says something.
func given(v any) bool { return v != nil && v != "" && v != false && v != 0.0 }

// asks sets what a session that asks waits for. Some notices ask for nothing.
func (w *wire) asks(e *event) {
	tool, details := cmp.Or(w.Tool, w.ToolC), w.Input
	if details == nil {
		details = w.InputB
	}
	if details == nil {
		details = w.Details
	}
	kind := strings.ToLower(w.Kind)
	switch {
	case strings.Contains(kind, "idle"):
		e.kind = idle
	case kind != "" && !strings.Contains(kind, "permission") && !strings.Contains(kind, "input") && !strings.Contains(kind, "dialog"):
		e.kind = other
	case tool == "" && bare(details):
		// That a permission is needed is told after what it is for, and a tool's name says nothing.
		if e.vague = true; !strings.Contains(strings.ToLower(w.Message), "permission") {
			e.waitsFor = samp.FirstLine(strings.TrimSpace(w.Message))
		}
	default:
		e.waitsFor = transcript.Wants(tool, details)
		if e.folder != "" {
			e.waitsFor = strings.ReplaceAll(e.waitsFor, e.folder+string(filepath.Separator), "")
		}
	}
}

// bare reports whether details of what is asked have none: Gemini CLI gives a question of its own
// tool, or a plan, a kind and a title.
func bare(details json.RawMessage) bool {
	var members map[string]json.RawMessage
	if details == nil || json.Unmarshal(details, &members) != nil {
		return details == nil
	}
	delete(members, "type")
	delete(members, "title")
	return len(members) == 0
}

// fromCopilot reports whether Copilot runs a hook of Claude Code's, as it does with those of
// a repository. Its own hook tells the agent. The variable alone does not say so: a Claude
// Code that Copilot started has it, too, and its events carry no time.
func (e *event) fromCopilot(getenv func(string) string) bool {
	return e.client == claude && e.timed && getenv("COPILOT_CLI") != ""
}
