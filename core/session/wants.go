package session

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/secrets"
)

// Wants returns a description of the decision about a tool call that a session needs from the
// person: the question with its options, the plan's first line, or the action that needs
// permission. args is the JSON text of the call's arguments, in any program's form. Secrets are
// masked.
func Wants(tool string, args []byte) string {
	in := callArgs{raw: args}
	_ = json.Unmarshal(args, &in.all)
	what := in.question()
	switch {
	case what != "":
		what = "an answer: " + what
	case in.all["plan"] != nil || strings.EqualFold(strings.ReplaceAll(tool, "_", ""), "exitplanmode"):
		what = "approval of its plan"
		if line := strings.TrimLeft(FirstLine(in.text("plan", "planContent", "summary")), "# "); line != "" {
			what += ": " + line
		}
	default:
		what = "permission"
		if about := in.subject(tool); about != "" {
			what = permission + about
		}
	}
	return what
}

const permission = "permission: "

// Permitted returns the command, file or address that needs permission, from the result of
// [Wants] or [Asked]. It returns "" for anything else.
func Permitted(wants string) string {
	what, ok := strings.CutPrefix(wants, permission)
	if !ok {
		return ""
	}
	return what
}

// Question returns a question in the form of [Wants], with secrets masked.
func Question(text string, options []string) string {
	text = short(text)
	if len(options) > 0 {
		text += " (" + secrets.Mask(strings.Join(options, " / ")) + ")"
	}
	return text
}

// Asked returns a description of a call that waits for permission: its title or, if that is only
// the tool's name, its arguments.
func Asked(c *atsf.ToolCall) string {
	if title := FirstLine(c.Title); title != "" && title != FirstLine(c.Name) {
		return permission + title
	}
	return Wants(c.Name, []byte(c.Input))
}

// callArgs is the arguments of a call, by name and as JSON text.
type callArgs struct {
	all map[string]json.RawMessage
	raw []byte
}

// text returns the first argument with one of these names that is a text or a list of texts.
func (w callArgs) text(names ...string) string {
	for _, name := range names {
		var s string
		var list []string
		if json.Unmarshal(w.all[name], &s) != nil && json.Unmarshal(w.all[name], &list) == nil {
			s = strings.Join(list, " ")
		}
		if s = strings.TrimSpace(s); s != "" {
			return s
		}
	}
	return ""
}

// question returns the question that a call asks, with its options, or "".
func (w callArgs) question() string {
	var list []struct {
		Question string
		Options  []struct{ Label string }
	}
	if json.Unmarshal(w.all["questions"], &list) != nil || len(list) == 0 {
		var choices []string
		_ = json.Unmarshal(w.all["choices"], &choices)
		if text := w.text("question"); text != "" {
			return Question(text, choices)
		}
		return w.formQuestion()
	}
	var options []string
	for _, o := range list[0].Options {
		options = append(options, FirstLine(o.Label))
	}
	text := Question(list[0].Question, options)
	switch more := len(list) - 1; more {
	case 0:
	case 1:
		text += ", and 1 more question"
	default:
		text += ", and " + strconv.Itoa(more) + " more questions"
	}
	return text
}

// formQuestion returns the question of a form with a schema, with the options of its only field, or
// "".
func (w callArgs) formQuestion() string {
	var schema struct {
		Properties map[string]struct {
			Enum  []string
			OneOf []struct{ Title string }
		}
	}
	text := w.text("message")
	if text == "" || w.all["requestedSchema"] == nil {
		return ""
	}
	var options []string
	if json.Unmarshal(w.all["requestedSchema"], &schema) == nil && len(schema.Properties) == 1 {
		for _, field := range schema.Properties {
			options = field.Enum
			for _, o := range field.OneOf {
				options = append(options, o.Title)
			}
		}
	}
	return Question(text, options)
}

// subject returns the command, file or address that needs permission. It adds the tool's name
// unless the result is clear without it.
func (w callArgs) subject(tool string) string {
	if command := w.text("command", "cmd", "fullCommandText"); command != "" {
		if files := patchedFiles(command); files != "" {
			return tool + " " + files
		}
		return short(withoutShell(command))
	}
	thing := w.text("file_path", "filePath", "notebook_path", "absolute_path", "fileName", "path", "url", "urls", "patterns", "pattern", "query")
	if thing == "" && tool == "" {
		thing = strings.TrimSpace(w.text("serverName") + " " + w.text("toolDisplayName", "toolName", "title"))
	}
	if thing == "" && len(w.all) > 0 { // an unknown tool: all its arguments
		thing = strings.Join(strings.Fields(string(w.raw[:min(len(w.raw), maxMasked)])), " ")
	}
	return strings.TrimSpace(tool + " " + short(thing))
}

// withoutShell removes the call of a shell that Codex puts around a command, if it can do so
// without interpreting quotes.
func withoutShell(command string) string {
	shell, inner, ok := strings.Cut(command, " -lc ")
	if !ok || !slices.Contains([]string{"/bin/bash", "/usr/bin/bash", "/bin/zsh", "/usr/bin/zsh", "/bin/sh", "/usr/bin/sh"}, shell) {
		return command
	}
	if strings.Count(inner, "'") == 2 && inner[0] == '\'' && inner[len(inner)-1] == '\'' {
		return inner[1 : len(inner)-1]
	}
	if strings.ContainsAny(inner, "'\" \\") {
		return command
	}
	return inner
}

// patchedFiles returns the files that a patch changes, or "". Codex records a patch as a command.
func patchedFiles(command string) string {
	if !strings.HasPrefix(command, "*** Begin Patch") {
		return ""
	}
	var files []string
	for line := range strings.Lines(command) {
		if kind, file, ok := strings.Cut(line, " File: "); ok && strings.HasPrefix(kind, "*** ") {
			files = append(files, strings.TrimSpace(file))
		}
	}
	return short(strings.Join(files, ", "))
}

// short returns the first line of a text, with "…" if there is more.
func short(s string) string {
	line := FirstLine(s)
	if s = strings.TrimSpace(s); len(s) > maxTitle || strings.Contains(s, "\n") {
		line += " …"
	}
	return line
}
