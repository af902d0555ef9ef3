// Package ask holds what agents' programs wait for the person to decide: the use of a tool, the
// answers to questions, a plan. One private file in the state folder is one request.
//
// Start with [At]. The process that may pass an answer on to the program calls [Folder.Put] and
// then [Waiting.Wait]; whoever shows requests calls [Folder.List]; the person's answer goes to
// [Folder.Answer], which also writes it down for [Folder.Log]. An answer is for one request, as
// it was shown. Of this project the package imports core/session, lsp/agents/activity
// and lsp/disk.
package ask

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	core "github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
)

// Kind says what is to be decided.
type Kind string

// The kinds of requests.
const (
	// Permission is for one use of a tool.
	Permission Kind = "permission"
	// Question has questions with choices.
	Question Kind = "question"
	// Plan is what the agent wants to do next.
	Plan Kind = "plan"
)

const (
	// MaxInput is the length in bytes of the longest input that is kept. A longer one cannot
	// be shown whole, and so only be denied.
	MaxInput = 1 << 20
	// MaxRequests is how many requests wait at once.
	MaxRequests = 1000
	// MaxReason is the length in bytes of the longest text of an answer.
	MaxReason = 64 << 10
	// maxRequest is the length in bytes of the longest file of a request, which holds an input
	// and what was made of it, and maxAnswer that of an answer. A line of the log holds both.
	maxRequest = 4 << 20
	maxAnswer  = 2 << 20
	// maxTogether is how many bytes of requests are read at once.
	maxTogether = 64 << 20
	// maxChoices is how many questions, options and rules a request may have of each.
	maxChoices = 100
)

// Request is what a program waits for. All texts are the program's, and its model's: a
// stranger's. Times are in Unix milliseconds.
type Request struct {
	ID string `json:"id"`
	// Hash is of all the rest but for when and by whom it was asked.
	Hash string `json:"hash"`

	// Client and Session are as in [activity.Session]. Agent is set for a subagent's request.
	Client  string `json:"client"`
	Session string `json:"session"`
	Agent   string `json:"agent,omitempty"`
	// Alias is the agent's name, Folder where it runs and Worktree the root of its work tree,
	// as far as they are known.
	Alias    string `json:"alias,omitempty"`
	Folder   string `json:"folder,omitempty"`
	Worktree string `json:"worktree,omitempty"`

	Kind Kind `json:"kind"`
	// Tool is the program's name for the tool, and Input all of its arguments, a JSON value. Of
	// an input that is longer than [MaxInput] there is only its length, Long.
	Tool  string          `json:"tool"`
	Input json.RawMessage `json:"input,omitempty"`
	Long  int64           `json:"long,omitempty"`
	// Sum is of the input, as the program wrote it but for white space: see [Sum].
	Sum string `json:"sum"`

	// Rules are what the program suggests to allow from now on.
	Rules []Rule `json:"rules,omitempty"`
	// Questions are those of a [Question].
	Questions []Asked `json:"questions,omitempty"`
	// Plan is the text of a [Plan], and Modes are the ways to go on with it beside the usual
	// one, in the program's words.
	Plan  string   `json:"plan,omitempty"`
	Modes []string `json:"modes,omitempty"`
	// DenyOnly is set if the program takes a no, and a yes at its own dialog alone.
	DenyOnly bool `json:"denyOnly,omitempty"`

	Since int64 `json:"since"`
	// Until is when the program waits no longer.
	Until int64 `json:"until"`
	// Process passes the answer on. Without it the request is over.
	Process activity.Process `json:"process"`
}

// Rule is what may be allowed from now on.
type Rule struct {
	// Text says it in words, Raw as the program did.
	Text string          `json:"text"`
	Raw  json.RawMessage `json:"raw"`
}

// Asked is one question. An answer that is none of the options is a text of the person's own.
type Asked struct {
	// ID is the program's name for the question, if it has one.
	ID      string   `json:"id,omitempty"`
	Header  string   `json:"header,omitempty"`
	Text    string   `json:"text"`
	Options []Option `json:"options,omitempty"`
	// Multiple is set if several options may be chosen.
	Multiple bool `json:"multiple,omitempty"`
	// Closed is set if nothing but the options may be answered.
	Closed bool `json:"closed,omitempty"`
}

// Option is a choice of a question.
type Option struct {
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
}

// Of reports whether a session asks for it.
func (r *Request) Of(client, session string) bool { return r.Client == client && r.Session == session }

// Wants says in a line what the request is for. A file in the agent's folder is named from there,
// and a command is as it will run.
func (r *Request) Wants() string {
	words := core.Wants(r.Tool, r.Input)
	if r.Folder != "" && strings.HasPrefix(core.Permitted(words), r.Tool+" ") {
		return strings.Replace(words, r.Folder+string(filepath.Separator), "", 1)
	}
	return words
}

// Part is one argument of a tool.
type Part struct {
	// Name is empty where the input has no members.
	Name string
	// Text is the argument, or JSON if that is no text.
	Text string
}

// Parts returns all of the input, argument by argument, in the program's order. One that is
// named twice is there twice: nobody knows which of them counts.
func (r *Request) Parts() (list []Part) {
	whole := []Part{{Text: string(r.Input)}}
	d := json.NewDecoder(bytes.NewReader(r.Input))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		if r.Input == nil {
			return nil
		}
		return whole
	}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return whole
		}
		text := string(value)
		if len(value) > 0 && value[0] == '"' && json.Unmarshal(value, &text) != nil {
			return whole
		}
		list = append(list, Part{name.(string), text})
	}
	return list
}

// Sum names an input: the same JSON text has the same sum, whatever white space it has.
func Sum(input json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, input) != nil {
		b.Reset()
		b.Write(input)
	}
	sum := sha256.Sum256(b.Bytes())
	return hex.EncodeToString(sum[:])
}

// hash names what is decided on. Where and when the answer is waited for is no part of it.
func (r *Request) hash() string {
	what := *r
	what.Hash, what.Since, what.Until, what.Process = "", 0, 0, activity.Process{}
	sum := sha256.Sum256(Encode(&what))
	return hex.EncodeToString(sum[:])
}

// Encode returns a value as a line of JSON, with "<" and its like as they are: a person compares
// inputs. It is nil for what is no JSON.
func Encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil // an input that is no JSON, which check refuses
	}
	return b.Bytes()
}

// check says what is wrong with a request, whoever wrote it.
func (r *Request) check() error {
	choices := len(r.Rules) + len(r.Modes) + len(r.Questions)
	for i := range r.Questions {
		choices = max(choices, len(r.Questions[i].Options))
	}
	switch {
	case !validID(r.ID):
		return fmt.Errorf("its id is %.100q", r.ID)
	case r.Client == "" || r.Session == "" || r.Tool == "":
		return errors.New("it names no client, session or tool")
	case r.Kind != Permission && r.Kind != Question && r.Kind != Plan:
		return fmt.Errorf("its kind is %.100q", r.Kind)
	case (r.Kind == Question) != (len(r.Questions) > 0):
		return errors.New("it has questions without being one")
	case choices > maxChoices:
		return fmt.Errorf("it offers more than %d choices", maxChoices)
	case len(r.Input) > MaxInput || r.Long == 0 && !json.Valid(r.Input):
		return errors.New("its input is too long or no JSON")
	}
	return nil
}

// Answer is what the person decided.
type Answer struct {
	// ID and Hash are of the request as it was shown.
	ID   string `json:"id"`
	Hash string `json:"hash"`
	// Allow is yes to a use of a tool or a plan, and that a question was answered.
	Allow bool `json:"allow"`
	// Reason is what the agent is told with a no.
	Reason string `json:"reason,omitempty"`
	// Rules are the places in [Request.Rules] of what is allowed from now on as well.
	Rules []int `json:"rules,omitempty"`
	// Answers has for each question what was chosen.
	Answers [][]string `json:"answers,omitempty"`
	// Mode is one of [Request.Modes], or empty.
	Mode string `json:"mode,omitempty"`

	// By is who answered, and Where at which door: a word such as "terminal".
	By    string `json:"by"`
	Where string `json:"where"`
	At    int64  `json:"at"`
}

// Fits says why an answer cannot be given to a request.
func (r *Request) Fits(a *Answer) error {
	switch {
	case len(a.Reason) > MaxReason:
		return fmt.Errorf("the reason is longer than %d bytes", MaxReason)
	case !a.Allow && (len(a.Rules) > 0 || len(a.Answers) > 0 || a.Mode != ""):
		return errors.New("a no has a reason and nothing else")
	case !a.Allow:
		return nil
	case r.DenyOnly:
		return fmt.Errorf("%s takes only a no from here: say yes at its own dialog", r.Client)
	case r.Long > 0:
		return fmt.Errorf("its input of %d bytes is too long to be shown whole: say yes at the program's own dialog", r.Long)
	case a.Reason != "":
		return errors.New("a reason goes with a no")
	case a.Mode != "" && !slices.Contains(r.Modes, a.Mode):
		return fmt.Errorf("there is no way to go on called %.100q", a.Mode)
	case slices.ContainsFunc(a.Rules, func(i int) bool { return i < 0 || i >= len(r.Rules) }):
		return errors.New("it suggests no such rule")
	case len(a.Answers) != len(r.Questions):
		return fmt.Errorf("it has %d questions, and %d are answered", len(r.Questions), len(a.Answers))
	}
	for i := range r.Questions {
		if err := r.Questions[i].fits(a.Answers[i]); err != nil {
			return fmt.Errorf("question %d: %w", i+1, err)
		}
	}
	return nil
}

func (q *Asked) fits(chosen []string) error {
	if len(chosen) == 0 || len(chosen) > 1 && !q.Multiple {
		return fmt.Errorf("it has one answer, not %d", len(chosen))
	}
	for _, text := range chosen {
		known := slices.ContainsFunc(q.Options, func(o Option) bool { return o.Label == text })
		if text == "" || len(text) > MaxReason || q.Closed && !known {
			return fmt.Errorf("%.100q is no answer to it", text)
		}
	}
	return nil
}
