// Package ask holds the requests of agents' programs that wait for the person's decision: the use
// of a tool, questions, a plan. Each request is one private file in the state folder.
//
// Start with [At]. The process that can pass an answer on to the program calls [Folder.Put] and
// then [Waiting.Wait]. [Folder.List] returns the requests to show. The person's answer goes to
// [Folder.Answer], which also logs it for [Folder.Log]. An answer is for one request, exactly as it
// was shown. From this project, the package imports core/session, lsp/agents/activity and lsp/disk.
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

// Kind is the kind of a request.
type Kind string

// The kinds of requests.
const (
	// Permission is for one use of a tool.
	Permission Kind = "permission"
	// Question has questions with choices.
	Question Kind = "question"
	// Plan asks whether the agent may carry out its plan.
	Plan Kind = "plan"
)

const (
	// MaxInput is the length in bytes of the longest input that is stored. A longer input cannot
	// be shown in full, so its request can only be denied.
	MaxInput = 1 << 20
	// MaxRequests is how many requests may wait at once.
	MaxRequests = 1000
	// MaxReason is the length in bytes of the longest text of an answer.
	MaxReason = 64 << 10
	// maxRequest is the length in bytes of the longest file of a request: an input and the texts
	// derived from it. maxAnswer is the same for an answer. A line of the log holds both.
	maxRequest = 4 << 20
	maxAnswer  = 2 << 20
	// maxReadBytes is how many bytes of requests are read in one pass.
	maxReadBytes = 64 << 20
	// maxChoices limits the rules, modes and questions of a request together, and the options of
	// each question.
	maxChoices = 100
)

// Request is a request that a program waits for. All its texts come from the program and its model
// and are untrusted. Times are in Unix milliseconds.
type Request struct {
	ID string `json:"id"`
	// Hash is the hash of the request without Since, Until and Process.
	Hash string `json:"hash"`

	// Client and Session are as in [activity.Session]. Agent is set for a subagent's request.
	Client  string `json:"client"`
	Session string `json:"session"`
	Agent   string `json:"agent,omitempty"`
	// Alias is the agent's name, Folder is where it runs, and Worktree is the root of its work
	// tree. Each is empty if it is not known.
	Alias    string `json:"alias,omitempty"`
	Folder   string `json:"folder,omitempty"`
	Worktree string `json:"worktree,omitempty"`

	Kind Kind `json:"kind"`
	// Tool is the program's name for the tool. Input is a JSON value with all its arguments. If
	// it is longer than [MaxInput], only its length is stored, in Long.
	Tool  string          `json:"tool"`
	Input json.RawMessage `json:"input,omitempty"`
	Long  int64           `json:"long,omitempty"`
	// Sum is the sum of the input: see [Sum].
	Sum string `json:"sum"`

	// Rules are the program's suggestions of what to allow from now on.
	Rules []Rule `json:"rules,omitempty"`
	// Questions are the questions of a [Question].
	Questions []Asked `json:"questions,omitempty"`
	// Plan is the text of a [Plan]. Modes are the ways to carry it out besides the usual one, in
	// the program's words.
	Plan  string   `json:"plan,omitempty"`
	Modes []string `json:"modes,omitempty"`
	// DenyOnly is set if the program accepts only a no from here, and a yes only in its own dialog.
	DenyOnly bool `json:"denyOnly,omitempty"`

	Since int64 `json:"since"`
	// Until is when the program stops waiting.
	Until int64 `json:"until"`
	// Process is the process that passes the answer on. Its end ends the request.
	Process activity.Process `json:"process"`
}

// Rule is something that the person may allow from now on.
type Rule struct {
	// Text describes it in words. Raw is the program's own form.
	Text string          `json:"text"`
	Raw  json.RawMessage `json:"raw"`
}

// Asked is one question. The answer is one of the options, or the person's own text.
type Asked struct {
	// ID is the program's name for the question, if it has one.
	ID      string   `json:"id,omitempty"`
	Header  string   `json:"header,omitempty"`
	Text    string   `json:"text"`
	Options []Option `json:"options,omitempty"`
	// Multiple is set if several options may be chosen.
	Multiple bool `json:"multiple,omitempty"`
	// Closed is set if the answer must be one of the options.
	Closed bool `json:"closed,omitempty"`
}

// Option is a choice of a question.
type Option struct {
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
}

// Of reports whether the request is a session's.
func (r *Request) Of(client, session string) bool { return r.Client == client && r.Session == session }

// Wants returns a line that says what the request is for. The path of a file in the agent's folder
// is relative to that folder. A command is shown exactly as it will run.
func (r *Request) Wants() string {
	words := core.Wants(r.Tool, r.Input)
	if r.Folder != "" && strings.HasPrefix(core.Permitted(words), r.Tool+" ") {
		return strings.Replace(words, r.Folder+string(filepath.Separator), "", 1)
	}
	return words
}

// Part is one argument of a tool.
type Part struct {
	// Name is empty if the input has no members.
	Name string
	// Text is the argument if it is a string, otherwise its JSON.
	Text string
}

// Parts returns the whole input, argument by argument, in the program's order. An argument that
// occurs twice is returned twice, since it is not known which of the two counts.
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

// Sum returns a hash of an input. It does not depend on the white space in JSON.
func Sum(input json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, input) != nil {
		b.Reset()
		b.Write(input)
	}
	sum := sha256.Sum256(b.Bytes())
	return hex.EncodeToString(sum[:])
}

// hash returns the hash of what is decided. It excludes when, and in which process, the answer is
// waited for.
func (r *Request) hash() string {
	what := *r
	what.Hash, what.Since, what.Until, what.Process = "", 0, 0, activity.Process{}
	sum := sha256.Sum256(Encode(&what))
	return hex.EncodeToString(sum[:])
}

// Encode returns a value as a line of JSON. It does not escape "<", ">" and "&", since a person
// compares inputs. It is nil if the value contains raw text that is not JSON.
func Encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil // the input is not JSON: check refuses it
	}
	return b.Bytes()
}

// check returns what is wrong with a request, whoever wrote it.
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
	// Allow is set if the use of a tool or a plan was allowed, or questions were answered.
	Allow bool `json:"allow"`
	// Reason is the text that the agent gets with a no.
	Reason string `json:"reason,omitempty"`
	// Rules are the indexes in [Request.Rules] of the rules that are also allowed from now on.
	Rules []int `json:"rules,omitempty"`
	// Answers has the chosen options or texts of each question.
	Answers [][]string `json:"answers,omitempty"`
	// Mode is one of [Request.Modes], or empty.
	Mode string `json:"mode,omitempty"`

	// By is who answered. Where is the place where they did, such as "terminal" or "editor".
	By    string `json:"by"`
	Where string `json:"where"`
	At    int64  `json:"at"`
}

// Fits returns why an answer cannot be given to the request, or nil.
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
