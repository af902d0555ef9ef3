package hook

import (
	"cmp"
	"encoding/json"
	"io"

	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
)

// specific is a message to Claude Code and to clients that copied its hooks.
type specific struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

// answer is what a client expects on standard output. Each client reads some of the members.
type answer struct {
	Specific *specific `json:"hookSpecificOutput,omitempty"`
	Context  string    `json:"additionalContext,omitempty"`
	Decision string    `json:"decision,omitempty"`
	Reason   string    `json:"reason,omitempty"`
}

// notify writes a text that the model reads with its next step.
func notify(w io.Writer, e *event, text string) error {
	if e.client == copilot || e.client == opencode {
		return write(w, answer{Context: text})
	}
	return write(w, answer{Specific: &specific{e.name, text}})
}

// hold keeps the agent from stopping. The model reads the reason as its next prompt.
func hold(w io.Writer, reason string) error {
	return write(w, answer{Decision: "block", Reason: reason})
}

// decision is what the person decided, as Claude Code and others expect it.
type decision struct {
	Behavior    string            `json:"behavior"`
	Message     string            `json:"message,omitempty"`
	Input       json.RawMessage   `json:"updatedInput,omitempty"`
	Permissions []json.RawMessage `json:"updatedPermissions,omitempty"`
}

// simpleDecision returns a decision with only a behavior and a text.
func simpleDecision(a *ask.Answer) decision {
	if a.Allow {
		return decision{Behavior: "allow"}
	}
	return decision{Behavior: "deny", Message: reason(a)}
}

// reason returns the text that the model gets with a no.
func reason(a *ask.Answer) string { return cmp.Or(a.Reason, "The person said no.") }

// decide returns the answer to a PermissionRequest.
func decide(d decision) any {
	type named struct {
		Event    string   `json:"hookEventName"`
		Decision decision `json:"decision"`
	}
	return struct {
		Specific named `json:"hookSpecificOutput"`
	}{named{"PermissionRequest", d}}
}

func write(w io.Writer, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}
