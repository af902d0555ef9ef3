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
	// other is an event that is ignored.
	other kind = iota
	started
	prompted
	// usingTool is the beginning of a tool call. It is used for clients whose own record has a call
	// only after its end.
	usingTool
	usedTool
	stopping
	asking
	// questioning is a form that is about to be shown. The client records it itself, so nothing is
	// recorded here.
	questioning
	idle
	ended
	// waking isn't an event: the hook runs beside an idle session and waits for mail.
	waking
)

// client is a program that runs agents, by the word that setup takes and that JSON has.
type client string

const (
	claude   client = "claude"
	codex    client = "codex"
	gemini   client = "gemini"
	copilot  client = "copilot"
	opencode client = "opencode"
)

// kinds maps the events of each client to their kinds. The plugin for opencode is ours, and so are
// the names of its events.
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
		// An earlier plugin did not wait for the hook's answer.
		"permission": asking,
	},
}

// event is an event of a client's session. All texts are the client's.
type event struct {
	client client
	name   string
	kind   kind

	session, folder, transcript string
	// waitsFor is what the session waits for, if the event asks.
	waitsFor string
	// vague is set if an event asks but does not say for what.
	vague bool
	// compacted is set if a started session continues after compaction.
	compacted bool
	// subagent is set for an event of a subagent, which gets no mail.
	subagent bool
	// timed is set if the event has a time.
	timed bool
	// tool returns the tool call that begins or has ended, without its times.
	tool func() activity.Tool
	// wire is the event as it was received.
	wire *wire
	// judged is the session, as it was found idle, that is to be woken.
	judged activity.Session
}

// maxEvent is the length of the longest accepted event in bytes. Tools have large arguments and
// results.
const maxEvent = 64 << 20

// wire is the part of an event that is read, in the forms of all clients.
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

// readTimeout is how long a client may be silent before or within an event. Some clients leave the
// pipe open. On a busy machine the event comes long after the hook has started, and an event that is
// not waited for leaves a working agent listed as idle. Together with [limit] it is less than the
// ten seconds for which clients wait for a hook.
const readTimeout = 4 * time.Second

// readEvent reads an event from a client, up to the end of the JSON value. It does not wait for
// more. A member of an unexpected type is ignored, so that the agent still gets its mail.
func readEvent(c client, name string, in io.Reader) (event, error) {
	limited := &io.LimitedReader{R: &timeoutReader{in: in, timeout: readTimeout}, N: maxEvent + 1}
	var w wire
	if err := json.NewDecoder(unmarked(limited)).Decode(&w); err != nil {
		wrong, isWrong := errors.AsType[*json.UnmarshalTypeError](err)
		switch {
		case isWrong && wrong.Field != "":
			return w.event(c, name)
		case limited.N == 0:
			// The rest is read too, so that the client does not block on the pipe.
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
		_, _ = r.Discard(len(mark)) // cannot fail: it is buffered
	}
	return r
}

var errSilent = errors.New("the event does not end: the client writes no more, and keeps the pipe open")

// timeoutReader is a reader whose reads end after a timeout. A read that timed out continues in the
// background until the process ends, since an inherited pipe has no deadlines.
type timeoutReader struct {
	in      io.Reader
	timeout time.Duration
	gone    bool
}

func (p *timeoutReader) Read(b []byte) (int, error) {
	if p.gone {
		return 0, errSilent
	}
	type got struct {
		data []byte
		err  error
	}
	read := make(chan got, 1)
	go func() {
		data := make([]byte, len(b)) // the caller may reuse b after a timeout
		n, err := p.in.Read(data)
		read <- got{data[:n], err}
	}()
	timer := time.NewTimer(p.timeout)
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
		e.kind = other // a person made the hook run for all tools
	}
	return e, nil
}

// given reports whether a member of any type has a value.
func given(v any) bool { return v != nil && v != "" && v != false && v != 0.0 }

// asks sets what the session waits for. Some notices do not ask for anything.
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
		// A message that permission is needed comes after the event that says for what, and adds
		// only the tool's name.
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

// bare reports whether the details of a request are empty: for a question or a plan, Gemini CLI
// sends only a type and a title.
func bare(details json.RawMessage) bool {
	var members map[string]json.RawMessage
	if details == nil || json.Unmarshal(details, &members) != nil {
		return details == nil
	}
	delete(members, "type")
	delete(members, "title")
	return len(members) == 0
}

// fromCopilot reports whether Copilot runs this Claude Code hook, as it does with hooks of a
// repository. Copilot's own hook notifies the agent. The variable alone is not enough: a Claude
// Code that Copilot started has it too, but its events have no time.
func (e *event) fromCopilot(getenv func(string) string) bool {
	return e.client == claude && e.timed && getenv("COPILOT_CLI") != ""
}
