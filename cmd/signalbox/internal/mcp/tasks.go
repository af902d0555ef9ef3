package mcp

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/agent"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	agnsource "github.com/signalbox-dev/signalbox/lsp/agn/source"
)

// tasks describes the tools that run "signalbox task", which builds, checks and writes the
// messages. Their arguments have the names of the payload's members.
//
//go:embed tasks.json
var tasks []byte

type listIn struct {
	Words string `json:"words,omitempty" jsonschema:"only tasks whose line has these words; all unless given"`
}

type showIn struct {
	Task string `json:"task" jsonschema:"id of a task or of a message of it"`
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
	var list []struct {
		Name, Title, Description string
		Command                  []string
		Schema                   json.RawMessage
	}
	if err := json.Unmarshal(tasks, &list); err != nil {
		panic(err) // a mistake in tasks.json
	}
	for _, t := range list {
		var schema jsonschema.Schema
		if err := json.Unmarshal(t.Schema, &schema); err != nil {
			panic(err)
		}
		addTool(m, t.Name, t.Title, writes, t.Description, t.Schema, func(ctx context.Context, req *mcp.CallToolRequest) (result, error) {
			in, err := taken(&schema, req.Params.Arguments)
			if err != nil {
				return result{}, err
			}
			out, err := s.task(ctx, append(slices.Clone(t.Command), flags(in)...)...)
			if err != nil {
				return result{}, err
			}
			id, notes, _ := strings.Cut(out, "\n")
			return result{text: strings.TrimRight("Done: "+id+"\n"+notes, "\n"), data: map[string]string{"id": id}}, nil
		})
	}
}

// taskText returns the output of a command, framed since it has text from others. With
// words, only the lines that contain them.
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

// flags returns arguments as flags of the command: members of a payload are set as JSON.
// Positional arguments follow the flags.
func flags(in map[string]any) (args []string) {
	place := []string{"--"}
	for _, name := range slices.Sorted(maps.Keys(in)) {
		switch name {
		case "id":
			place = append(place, fmt.Sprint(in[name]))
		case "task", "role":
			args = append(args, fmt.Sprintf("--%s=%v", name, in[name]))
		default:
			args = append(args, "--set="+name+"="+cli.Marshal(verdicts("", in[name])))
		}
	}
	return append(args, place...)
}

// verdicts returns a value with the words yes, no and unknown replaced by the format's true,
// false and null: some models' APIs refuse arguments of two types. Any other word stays, and
// the command refuses it.
func verdicts(name string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key := range v {
			v[key] = verdicts(key, v[key])
		}
	case []any:
		for i := range v {
			v[i] = verdicts(name, v[i])
		}
	case string:
		is, known := map[string]any{"yes": true, "true": true, "no": false, "false": false, "unknown": nil}[v]
		if known && (name == "passed" || name == "criteria_met") {
			return is
		}
	}
	return v
}

// flagName matches a flag in an error, which a model knows as an argument.
const flagName = `--[a-z][a-z-]*`

// task runs a command about tasks and returns its output, followed by its warnings. If it
// fails, the warnings are part of the error.
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
