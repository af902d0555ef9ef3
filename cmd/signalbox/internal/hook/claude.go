package hook

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
)

var claudeAsker = asker{
	can: Ability{
		Title: "Claude Code", Seen: "2.1.330",
		Permission: "yes, no with a reason, its suggested rules", Question: "options, several, own words",
		Plan:   "approve, approve and edit freely, a reason to go on planning",
		Dialog: "stays open, and closes with the answer", Wakes: "a hook that waits beside it",
	},
	headless: claudeHeadless, request: claudeRequest, decision: claudeDecision, closed: claudeClosed,
}

// claudeHeadless reports whether this is a run with -p, which at once denies what no rule allows.
func claudeHeadless(getenv func(string) string, program activity.Process) bool {
	args := strings.Split(program.Arguments(), "\x00")
	return getenv("CLAUDE_CODE_ENTRYPOINT") == "sdk-cli" || slices.Contains(args, "-p") || slices.Contains(args, "--print")
}

// claudeRequest returns the request of Claude Code's PermissionRequest, which comes while the
// dialog is open.
func claudeRequest(_ *event, w *wire) (r ask.Request, ok bool) {
	if w.Tool == "" || w.Input == nil {
		return r, false // it is a Notification
	}
	r = ask.Request{Kind: ask.Permission, Agent: w.agent(), Tool: w.Tool, Input: w.Input}
	if len(w.Input) > ask.MaxInput {
		return r, true
	}
	switch w.Tool {
	case "AskUserQuestion":
		if questions, ok := claudeQuestions(w.Input); ok {
			r.Kind, r.Questions = ask.Question, questions
		} else {
			r.DenyOnly = true // allowing would not answer the questions
		}
	case "ExitPlanMode":
		var in struct {
			Plan string `json:"plan"`
		}
		_ = json.Unmarshal(w.Input, &in) // without a plan file there is no text
		r.Kind, r.Plan, r.Modes = ask.Plan, in.Plan, []string{acceptEdits}
	default:
		for _, raw := range w.Suggestions {
			if text := claudeRule(raw); text != "" {
				r.Rules = append(r.Rules, ask.Rule{Text: text, Raw: raw})
			}
		}
	}
	return r, true
}

// acceptEdits is Claude Code's mode in which it edits without asking.
const acceptEdits = "acceptEdits"

// claudeQuestions returns the questions of a form. Answers are assigned by the text of the
// question, so a form that has the same question twice can only be answered in Claude Code.
func claudeQuestions(input json.RawMessage) (list []ask.Asked, ok bool) {
	var in struct {
		Questions []struct {
			Question, Header string
			Options          []ask.Option
			MultiSelect      bool
		}
	}
	if json.Unmarshal(input, &in) != nil {
		return nil, false
	}
	known := make(map[string]bool)
	for _, q := range in.Questions {
		if known[q.Question] || q.Question == "" {
			return nil, false
		}
		known[q.Question] = true
		list = append(list, ask.Asked{Header: q.Header, Text: q.Question, Options: q.Options, Multiple: q.MultiSelect})
	}
	return list, len(list) > 0
}

// claudeRule describes what Claude Code suggests to allow from now on. It returns "" for
// suggestions that are not offered: unknown ones, and to allow everything.
func claudeRule(raw json.RawMessage) string {
	var s struct {
		Type, Behavior, Mode, Destination string
		Directories                       []string
		Rules                             []struct{ ToolName, RuleContent string }
	}
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	var what []string
	switch {
	case s.Type == "addRules" && s.Behavior == "allow":
		for _, r := range s.Rules {
			if r.RuleContent != "" {
				r.ToolName += "(" + r.RuleContent + ")"
			}
			what = append(what, r.ToolName)
		}
	case s.Type == "addDirectories":
		what = s.Directories
	case s.Type == "setMode" && s.Mode == acceptEdits:
		what = []string{"all edits of files"}
	}
	where := map[string]string{
		"session": "for this session", "localSettings": "in this project, for you", "projectSettings": "in this project, for everybody",
		"userSettings": "in all your projects",
	}[s.Destination]
	if len(what) == 0 || where == "" {
		return ""
	}
	return "allow " + strings.Join(what, ", ") + " " + where
}

func claudeDecision(r *ask.Request, a *ask.Answer) any {
	d := simpleDecision(a)
	switch {
	case !a.Allow:
	case r.Kind == ask.Question:
		d.Input = claudeAnswers(r, a)
	case r.Kind == ask.Plan:
		// Without an input Claude Code ignores the answer.
		d.Input = json.RawMessage("{}")
		if a.Mode != "" {
			d.Permissions = []json.RawMessage{json.RawMessage(`{"type":"setMode","mode":"` + acceptEdits + `","destination":"session"}`)}
		}
	}
	for _, i := range a.Rules {
		d.Permissions = append(d.Permissions, r.Rules[i].Raw)
	}
	return decide(d)
}

// claudeAnswers returns the input of a form with the answers: by the text of each question,
// several choices separated by commas.
func claudeAnswers(r *ask.Request, a *ask.Answer) json.RawMessage {
	in := make(map[string]json.RawMessage)
	_ = json.Unmarshal(r.Input, &in) // it was decoded before
	answers := make(map[string]string)
	for i := range r.Questions {
		answers[r.Questions[i].Text] = strings.Join(a.Answers[i], ", ")
	}
	in["answers"], _ = json.Marshal(answers)
	data, _ := json.Marshal(in)
	return data
}

// claudeClosed returns a function that reports whether the dialog was closed, by the state that
// Claude Code records of the session: once open, the dialog is closed when the session no longer
// waits. The end of the tool call is no sign, since an allowed command may run for an hour.
func claudeClosed(s activity.Session) func() bool {
	seen := false
	return func() bool {
		open, known := agents.DialogOpen(&s)
		seen = seen || known && open
		return seen && known && !open
	}
}
