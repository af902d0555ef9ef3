package hook

import (
	"encoding/json"
	"io"
)

// specific is how Claude Code and the clients that took its hooks over are told something.
type specific struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

// answer is what a client expects on standard output. Each client reads some members.
type answer struct {
	Specific *specific `json:"hookSpecificOutput,omitempty"`
	Context  string    `json:"additionalContext,omitempty"`
	Decision string    `json:"decision,omitempty"`
	Reason   string    `json:"reason,omitempty"`
}

// tell writes a text that the model reads with its next step.
func tell(w io.Writer, e *event, text string) error {
	if e.client == copilot || e.client == opencode {
		return write(w, answer{Context: text})
	}
	return write(w, answer{Specific: &specific{e.name, text}})
}

// hold keeps the agent from stopping. The model reads the reason as its next prompt.
func hold(w io.Writer, reason string) error {
	return write(w, answer{Decision: "block", Reason: reason})
}

func write(w io.Writer, a answer) error {
	data, err := json.Marshal(a)
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}
