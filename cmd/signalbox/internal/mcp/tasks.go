package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/agent"
	agnsource "github.com/signalbox-dev/signalbox/lsp/panel/source/agn"
)

// The tools for tasks are the commands "signalbox task", which build, check and write the
// messages. Their arguments have the names of the payload's members.

type listIn struct {
	Words string `json:"words,omitempty" jsonschema:"only tasks whose line has these words; all unless given"`
}

type showIn struct {
	Task string `json:"task" jsonschema:"id of a task or of a message of it"`
}

type ackIn struct {
	ID   string `json:"id" jsonschema:"id of the message"`
	Role string `json:"role" jsonschema:"your role: coordinator, executor or reviewer"`
}

type dispatchIn struct {
	Task      string      `json:"task,omitempty" jsonschema:"id of the task; the next of the year unless given"`
	Text      string      `json:"description" jsonschema:"what is to be done"`
	Branch    string      `json:"branch" jsonschema:"branch to work on, neither main nor master"`
	Subtasks  []subtaskIn `json:"subtasks" jsonschema:"the steps"`
	Criteria  []string    `json:"acceptance_criteria" jsonschema:"what must hold in the end"`
	Risk      string      `json:"risk_level" jsonschema:"low, medium or high"`
	Repo      string      `json:"repo,omitempty" jsonschema:"absolute path of the repository; this one unless given"`
	Forbidden []string    `json:"forbidden_actions,omitempty" jsonschema:"actions that are forbidden"`
}

type subtaskIn struct {
	Text  string `json:"description" jsonschema:"what is to be done"`
	Lines int    `json:"estimated_lines" jsonschema:"lines that it is estimated to take"`
}

type resultIn struct {
	Task       string       `json:"task" jsonschema:"id of the task, such as T-2026-044"`
	Subtask    string       `json:"subtask_id,omitempty" jsonschema:"id of the subtask; needed where there are several"`
	Status     string       `json:"completion_status" jsonschema:"complete, partial or failed"`
	Diff       diffIn       `json:"diff_summary,omitzero" jsonschema:"what changed"`
	Assessment assessmentIn `json:"self_assessment,omitzero" jsonschema:"how far the criteria are met"`
	Blockers   []string     `json:"blockers,omitempty" jsonschema:"why it is partial or failed"`
	Commit     string       `json:"commit_hash,omitempty" jsonschema:"hash of the commit"`
}

type diffIn struct {
	Files   []string `json:"files_changed,omitempty" jsonschema:"paths of the files"`
	Added   int      `json:"lines_added,omitempty" jsonschema:"how many lines"`
	Removed int      `json:"lines_removed,omitempty" jsonschema:"how many lines"`
}

type assessmentIn struct {
	Met   []verdict `json:"criteria_met,omitempty" jsonschema:"for each criterion yes, no or unknown: say yes of what you verified alone"`
	Notes []string  `json:"notes,omitempty" jsonschema:"notes on the criteria"`
}

type requestIn struct {
	Task  string `json:"task" jsonschema:"id of the task, such as T-2026-044"`
	Diff  string `json:"diff_url" jsonschema:"URL or path of the comparison"`
	Scope string `json:"review_scope,omitempty" jsonschema:"full or incremental; full unless given"`
	Notes string `json:"coordinator_notes,omitempty" jsonschema:"what the reviewer should know"`
}

type verdictIn struct {
	Task       string        `json:"task" jsonschema:"id of the task, such as T-2026-044"`
	Decision   string        `json:"decision" jsonschema:"approved, approved_with_fix or rejected"`
	Confidence float64       `json:"confidence" jsonschema:"from 0 to 1"`
	Criteria   []criterionIn `json:"criteria_results" jsonschema:"one for each criterion of the dispatch, in its order"`
	Issues     []issueIn     `json:"issues,omitempty" jsonschema:"what has to change"`
	Fixes      []fixIn       `json:"direct_fixes,omitempty" jsonschema:"what you repaired"`
	Notes      string        `json:"architecture_notes,omitempty" jsonschema:"notes beyond this task"`
}

type criterionIn struct {
	Passed   verdict `json:"passed" jsonschema:"yes, no or unknown"`
	Evidence string  `json:"evidence,omitempty" jsonschema:"how you know"`
}

type issueIn struct {
	Severity string `json:"severity" jsonschema:"critical, major or minor"`
	File     string `json:"file" jsonschema:"its path"`
	Line     int    `json:"line" jsonschema:"0 means the whole file"`
	Text     string `json:"description" jsonschema:"what is wrong"`
	Fix      string `json:"suggested_fix" jsonschema:"how to mend it"`
}

type fixIn struct {
	File   string `json:"file" jsonschema:"its path"`
	Change string `json:"change_type" jsonschema:"typo, lint, whitespace, import or import_order"`
	Lines  int    `json:"diff_lines" jsonschema:"how many lines, below 5"`
}

type escalateIn struct {
	Task      string   `json:"task" jsonschema:"id of the task, such as T-2026-044"`
	Role      string   `json:"role" jsonschema:"your role: coordinator, executor or reviewer"`
	Kind      string   `json:"escalation_type" jsonschema:"hallucination_lock, ack_timeout, branch_violation, ci_failure, conflict, heartbeat_timeout, permission_denied or unknown"`
	Severity  string   `json:"severity" jsonschema:"critical, warning or info; after an info you go on"`
	Text      string   `json:"description" jsonschema:"what the person must know to decide"`
	Suggested []string `json:"suggested_actions,omitempty" jsonschema:"actions that they could take"`
	Affected  []string `json:"affected_msgs,omitempty" jsonschema:"ids of the messages that it is about"`
}

// verdict is an answer that may be unknown: yes, no or unknown. Some models' interfaces
// refuse a tool one of whose arguments has two types.
type verdict string

// MarshalJSON writes what the format has for it. Another word stays, and is refused there.
func (v verdict) MarshalJSON() ([]byte, error) {
	switch v {
	case "yes", "true":
		return []byte("true"), nil
	case "no", "false":
		return []byte("false"), nil
	case "unknown":
		return []byte("null"), nil
	}
	return json.Marshal(string(v))
}

// addTasks adds the tools for tasks where there is a task directory.
func (s *server) addTasks(m *mcp.Server) {
	if _, found := agnsource.Nearest(s.Env, ""); !found {
		return
	}
	reads, writes := &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(bool)}, &mcp.ToolAnnotations{DestructiveHint: new(bool), OpenWorldHint: new(bool)}
	add(m, "task_list", "List tasks", reads, `List the tasks between coordinator, executor and reviewer: where each stands and whose turn it is.`, func(ctx context.Context, _ *mcp.CallToolRequest, in listIn) (result, error) {
		return s.taskText(ctx, in.Words, "list")
	})
	add(m, "task_show", "Show a task", reads, `Show a task with its messages, by its id or by a message's: what is to be done, what was reported, and what the review found.`, func(ctx context.Context, _ *mcp.CallToolRequest, in showIn) (result, error) {
		return s.taskText(ctx, "", "show", "--", in.Task)
	})
	addTask[ackIn](s, m, "task_ack", "Acknowledge a task message", writes, `Acknowledge a task message that you received: of a dispatch it means that you have begun, never that you are done.`, "ack")
	addTask[dispatchIn](s, m, "task_dispatch", "Dispatch a task", writes, `As the coordinator, give the executor a task: steps, criteria of acceptance and a branch.`, "send", "task_dispatch")
	addTask[resultIn](s, m, "task_result", "Report a result", writes, `As the executor, report how a subtask ended. Call it once for each subtask, also when you could not finish.`, "send", "task_result")
	addTask[requestIn](s, m, "task_request", "Request a review", writes, `As the coordinator, ask the reviewer to review a task's result.`, "send", "review_request")
	addTask[verdictIn](s, m, "task_verdict", "Give a verdict", writes, `As the reviewer, decide on a task's result, criterion by criterion.`, "send", "review_verdict")
	addTask[escalateIn](s, m, "escalate", "Escalate", writes, `Tell the person that a task cannot go on without them: a conflict, a denied permission, a broken build. For a question that is not about a task use ask.`, "send", "escalation")
}

// addTask adds a tool that is a command.
func addTask[In any](s *server, m *mcp.Server, name, title string, hints *mcp.ToolAnnotations, description string, command ...string) {
	add(m, name, title, hints, description, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (result, error) {
		args, err := flags(in)
		if err != nil {
			return result{}, err
		}
		out, err := s.task(ctx, append(slices.Clone(command), args...)...)
		if err != nil {
			return result{}, err
		}
		id, notes, _ := strings.Cut(out, "\n")
		return result{text: strings.TrimRight("Done: "+id+"\n"+notes, "\n"), data: map[string]string{"id": id}}, nil
	})
}

// taskText returns what a command shows of strangers' messages, its lines with some words.
func (s *server) taskText(ctx context.Context, words string, args ...string) (result, error) {
	out, err := s.task(ctx, args...)
	if err != nil {
		return result{}, err
	}
	if words != "" {
		var b strings.Builder
		for line := range strings.Lines(out) {
			if strings.Contains(strings.ToLower(line), strings.ToLower(words)) {
				b.WriteString(line)
			}
		}
		out = b.String()
	}
	frame := agent.NewFrame(s.value())
	return result{text: frame.Notice() + frame.Text(out), data: map[string]string{"text": out}}, nil
}

// flags returns the flags that an argument's members are: those of a payload are set as
// JSON. What a command takes by its place stands behind them.
func flags(in any) (args []string, err error) {
	data, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return nil, err
	}
	place := []string{"--"}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		var text string
		switch name {
		case "id", "task", "role":
			if err := json.Unmarshal(members[name], &text); err != nil {
				return nil, err
			}
		}
		switch name {
		case "id":
			place = append(place, text)
		case "task", "role":
			args = append(args, "--"+name+"="+text)
		default:
			args = append(args, "--set="+name+"="+string(members[name]))
		}
	}
	return append(args, place...), nil
}

// flagName is a flag in the text of an error: a model knows it as an argument.
const flagName = `--[a-z][a-z-]*`

// task runs a command about tasks and returns what it prints. Its warnings are a part of
// the error, or follow what it prints.
func (s *server) task(ctx context.Context, args ...string) (string, error) {
	var out, warnings bytes.Buffer
	p := *s.Program
	p.Stdout, p.Stderr, p.Terminal, p.Unseen, p.In = &out, &warnings, false, false, nil
	if err := s.run(ctx, &p, append([]string{"task"}, args...)...); err != nil {
		text := strings.TrimSpace(warnings.String() + err.Error())
		return "", errors.New(regexp.MustCompile(flagName).ReplaceAllStringFunc(text, func(flag string) string { return strings.ReplaceAll(flag[2:], "-", "_") }))
	}
	return out.String() + warnings.String(), nil
}
