package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/agent"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
)

// The tools for tasks are the commands "signalbox task", which build, check and write the
// messages: the members of an argument are a command's flags.

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
	Message   string   `json:"message" jsonschema:"what is to be done"`
	Branch    string   `json:"branch" jsonschema:"branch to work on, neither main nor master"`
	Subtasks  []string `json:"add_subtask" jsonschema:"each step as LINES:DESCRIPTION, with the lines that it is estimated to take"`
	Criteria  []string `json:"criterion" jsonschema:"criteria of acceptance"`
	Risk      string   `json:"risk" jsonschema:"low, medium or high"`
	Repo      string   `json:"repo,omitempty" jsonschema:"folder of the repository; this one unless given"`
	Forbidden []string `json:"forbid,omitempty" jsonschema:"actions that are forbidden"`
	Task      string   `json:"task,omitempty" jsonschema:"id of the task; the next of the year unless given"`
}

type resultIn struct {
	Task     string   `json:"task" jsonschema:"id of the task, such as T-2026-044"`
	Subtask  string   `json:"subtask,omitempty" jsonschema:"id of the subtask; needed where there are several"`
	Status   string   `json:"status" jsonschema:"complete, partial or failed"`
	Files    []string `json:"files,omitempty" jsonschema:"files that changed"`
	Added    int      `json:"added,omitempty" jsonschema:"lines added"`
	Removed  int      `json:"removed,omitempty" jsonschema:"lines removed"`
	Met      []string `json:"met,omitempty" jsonschema:"for each criterion yes, no or unknown: say yes of what you verified alone"`
	Notes    []string `json:"note,omitempty" jsonschema:"notes on the criteria"`
	Blockers []string `json:"blocker,omitempty" jsonschema:"why it is partial or failed"`
	Commit   string   `json:"commit,omitempty" jsonschema:"hash of the commit"`
}

type requestIn struct {
	Task    string `json:"task" jsonschema:"id of the task, such as T-2026-044"`
	Diff    string `json:"diff" jsonschema:"URL or path of the comparison"`
	Scope   string `json:"scope,omitempty" jsonschema:"full or incremental; full unless given"`
	Message string `json:"message,omitempty" jsonschema:"what the reviewer should know"`
}

type verdictIn struct {
	Task       string   `json:"task" jsonschema:"id of the task, such as T-2026-044"`
	Decision   string   `json:"decision" jsonschema:"approved, approved_with_fix or rejected"`
	Confidence float64  `json:"confidence" jsonschema:"from 0 to 1"`
	Passed     []string `json:"passed" jsonschema:"for each criterion of the dispatch yes, no or unknown"`
	Evidence   []string `json:"evidence,omitempty" jsonschema:"evidence for each of them, in order"`
	Issues     []string `json:"issue,omitempty" jsonschema:"each as SEVERITY FILE:LINE DESCRIPTION => FIX"`
	Fixes      []string `json:"fixed,omitempty" jsonschema:"what you repaired, each as CHANGE FILE:LINES"`
	Notes      string   `json:"architecture,omitempty" jsonschema:"notes beyond this task"`
}

type escalateIn struct {
	Task      string   `json:"task" jsonschema:"id of the task, such as T-2026-044"`
	Role      string   `json:"role" jsonschema:"your role: coordinator, executor or reviewer"`
	Kind      string   `json:"kind" jsonschema:"hallucination_lock, ack_timeout, branch_violation, ci_failure, conflict, heartbeat_timeout, permission_denied or unknown"`
	Severity  string   `json:"severity" jsonschema:"critical, warning or info; after an info you go on"`
	Message   string   `json:"message" jsonschema:"what the person must know to decide"`
	Suggested []string `json:"suggest,omitempty" jsonschema:"actions that they could take"`
	Affected  []string `json:"affected,omitempty" jsonschema:"ids of the messages that it is about"`
}

// addTasks adds the tools for tasks where there is a task directory.
func (s *server) addTasks(m *mcp.Server) {
	if _, found := ssot.Nearest(s.Env, ""); !found {
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

// flags returns the flags that an argument's members are. What a command takes by its
// place stands behind them.
func flags(in any) (args []string, err error) {
	data, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	var members map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber() // 1000000 is not 1e+06
	if err := d.Decode(&members); err != nil {
		return nil, err
	}
	place := []string{"--"}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		list, many := members[name].([]any)
		if !many {
			list = []any{members[name]}
		}
		for _, v := range list {
			text := fmt.Sprint(v)
			if name == "files" && strings.ContainsAny(text, ",\"\r\n") {
				// The flag takes a line of CSV.
				text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
			}
			if name == "id" {
				place = append(place, text)
			} else {
				args = append(args, "--"+strings.ReplaceAll(name, "_", "-")+"="+text)
			}
		}
	}
	return append(args, place...), nil
}

// flagName is a flag in the text of an error: a model knows it as an argument.
var flagName = regexp.MustCompile(`--[a-z][a-z-]*`)

// task runs a command about tasks and returns what it prints. Its warnings are a part of
// the error, or follow what it prints.
func (s *server) task(ctx context.Context, args ...string) (string, error) {
	var out, warnings bytes.Buffer
	p := *s.Program
	p.Stdout, p.Stderr, p.Terminal, p.Unseen, p.In = &out, &warnings, false, false, nil
	if err := s.run(ctx, &p, append([]string{"task"}, args...)...); err != nil {
		text := strings.TrimSpace(warnings.String() + err.Error())
		return "", errors.New(flagName.ReplaceAllStringFunc(text, func(flag string) string { return strings.ReplaceAll(flag[2:], "-", "_") }))
	}
	return out.String() + warnings.String(), nil
}
