package setup

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"strings"
)

// whole is a file that only Signalbox writes.
type whole struct {
	machine
	text func(machine) string
	// starts returns the program that the file starts, followed by its arguments.
	starts func(text []byte) []string
	words  string
}

func (e whole) Add(text []byte, mine string) ([]byte, error) {
	own := e.text(e.machine)
	if string(text) == own || len(bytes.TrimSpace(text)) == 0 || mine != "" {
		return []byte(own), nil
	}
	return nil, errors.New("somebody else wrote a file of this name, or changed it")
}

func (e whole) Find(text []byte, wrote string) (there bool, mine string, err error) {
	if string(text) == wrote {
		mine = wrote
	} else if then, ok := e.startedBy(e.starts(text), e.words); ok && string(text) == e.text(then) {
		mine = string(text)
	}
	return len(bytes.TrimSpace(text)) > 0, mine, nil
}

func (e whole) Remove(text []byte, mine string) ([]byte, error) {
	switch {
	case mine != "":
		return nil, nil
	case len(bytes.TrimSpace(text)) == 0:
		return text, nil
	}
	return nil, errors.New("somebody else wrote a file of this name, or changed it")
}

func (e whole) Wrote(string) string { return e.text(e.machine) }

// copilotHooks returns a file with our hooks: Copilot CLI reads all files in its
// folder. Its events do not contain their names, so the command does.
func (m machine) copilotHooks() want {
	return want{"hooks", "file", whole{m, copilotFile, copilotStarts(m), "hook copilot"}}
}

func copilotFile(m machine) string {
	type command struct {
		Type       string `json:"type"`
		Bash       string `json:"bash"`
		Powershell string `json:"powershell"`
		TimeoutSec int    `json:"timeoutSec"`
	}
	within := func(seconds int, event string) []command {
		words := m.args("hook", "copilot", event)
		power := "& '" + strings.ReplaceAll(m.command, "'", "''") + "' " + strings.Join(words, " ")
		return []command{{"command", m.shell("hook", "copilot", event), power, seconds}}
	}
	at := func(event string) []command { return within(hookSeconds, event) }
	text, err := json.MarshalIndent(struct {
		Version int `json:"version"`
		Hooks   any `json:"hooks"`
	}{1, struct {
		SessionStart        []command `json:"sessionStart"`
		UserPromptSubmitted []command `json:"userPromptSubmitted"`
		PostToolUse         []command `json:"postToolUse"`
		PermissionRequest   []command `json:"permissionRequest"`
		AgentStop           []command `json:"agentStop"`
		SessionEnd          []command `json:"sessionEnd"`
	}{at("sessionStart"), at("userPromptSubmitted"), at("postToolUse"), within(hidingSeconds, "permissionRequest"), at("agentStop"), at("sessionEnd")}}, "", "  ")
	if err != nil {
		text = nil // cannot happen: the value has only strings and numbers
	}
	return string(text) + "\n"
}

// copilotStarts returns the starts function of such a file. Its result leaves out the event.
func copilotStarts(m machine) func([]byte) []string {
	return func(text []byte) []string {
		var v struct {
			Hooks map[string][]struct{ Bash string }
		}
		const event = "sessionStart"
		if json.Unmarshal(text, &v) != nil || len(v.Hooks[event]) == 0 {
			return nil
		}
		then, ok := m.started(v.Hooks[event][0].Bash, "hook copilot "+event)
		if !ok {
			return nil
		}
		argv := []string{then.command, "hook copilot"}
		if then.as != "" {
			argv = append(argv, "--as", then.as)
		}
		return argv
	}
}

//go:embed opencode.js
var opencodePlugin string

const opencodeCommand = "const command = "

// opencodePlugin returns a plugin that runs our hook at opencode's events.
func (m machine) opencodePlugin() want {
	return want{"hooks", "file", whole{m, opencodeFile, opencodeStarts, "hook opencode"}}
}

func opencodeFile(m machine) string {
	argv, err := json.Marshal(append([]string{m.command}, m.args("hook", "opencode")...))
	if err != nil {
		argv = []byte("[]") // cannot happen: it is a list of strings
	}
	return strings.Replace(opencodePlugin, opencodeCommand+"[/* command */]", opencodeCommand+string(argv), 1)
}

func opencodeStarts(text []byte) (argv []string) {
	_, rest, _ := strings.Cut(string(text), "\n"+opencodeCommand)
	line, _, _ := strings.Cut(rest, "\n")
	if json.Unmarshal([]byte(line), &argv) != nil || len(argv) < 3 {
		return nil
	}
	return append([]string{argv[0], argv[1] + " " + argv[2]}, argv[3:]...)
}
