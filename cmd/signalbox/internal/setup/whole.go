package setup

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"strings"
)

// whole is a file that is ours from its first to its last byte.
type whole struct {
	text string
	// mark is in every version of the file.
	mark string
}

func (w whole) Add(text []byte) ([]byte, error) {
	if _, _, err := w.Has(text); err != nil {
		return nil, err
	}
	return []byte(w.text), nil
}

func (w whole) Has(text []byte) (there, equal bool, err error) {
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return false, false, nil
	case !bytes.Contains(text, []byte(w.mark)):
		return false, false, errors.New("somebody else wrote a file of this name")
	}
	return true, string(text) == w.text, nil
}

func (w whole) Remove(text []byte) ([]byte, error) {
	there, _, err := w.Has(text)
	if err != nil || !there {
		return text, err
	}
	return nil, nil
}

// copilotHooks is a file with our hooks: Copilot CLI reads all files of its folder. Its
// events do not say what they are, so that the command does.
func (m machine) copilotHooks() want {
	type command struct {
		Type       string `json:"type"`
		Bash       string `json:"bash"`
		Powershell string `json:"powershell"`
		TimeoutSec int    `json:"timeoutSec"`
	}
	at := func(event string) []command {
		words := m.args("hook", "copilot", event)
		power := "& '" + strings.ReplaceAll(m.command, "'", "''") + "' " + strings.Join(words, " ")
		return []command{{"command", m.shell("hook", "copilot", event), power, hookSeconds}}
	}
	text, err := json.MarshalIndent(struct {
		Version int `json:"version"`
		Hooks   any `json:"hooks"`
	}{1, struct {
		SessionStart        []command `json:"sessionStart"`
		UserPromptSubmitted []command `json:"userPromptSubmitted"`
		PostToolUse         []command `json:"postToolUse"`
		AgentStop           []command `json:"agentStop"`
		SessionEnd          []command `json:"sessionEnd"`
	}{at("sessionStart"), at("userPromptSubmitted"), at("postToolUse"), at("agentStop"), at("sessionEnd")}}, "", "  ")
	if err != nil {
		text = nil // cannot happen: the value holds texts and numbers alone
	}
	return want{"hooks", whole{string(text) + "\n", "hook copilot"}}
}

//go:embed opencode.js
var opencodePlugin string

// opencodePlugin is a plugin that runs our hook at opencode's events.
func (m machine) opencodePlugin() want {
	argv, err := json.Marshal(append([]string{m.command}, m.args("hook", "opencode")...))
	if err != nil {
		argv = []byte("[]") // cannot happen: it is a list of texts
	}
	return want{"hooks", whole{strings.Replace(opencodePlugin, "[/* command */]", string(argv), 1), "hook opencode: Signalbox"}}
}
