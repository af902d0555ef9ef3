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

// claudeHeadless reports a run with -p, which denies at once what nobody allows.
func claudeHeadless(getenv func(string) string, program activity.Process) bool {
	args := strings.Split(program.Arguments(), "\x00")
	return getenv("CLAUDE_CODE_ENTRYPOINT") == "sdk-cli" || slices.Contains(args, "-p") || slices.Contains(args, "--print")
}

// claudeRequest returns what Claude Code's PermissionRequest asks for. It comes while the dialog
// is open.
func claudeRequest(_ *event, w *wire) (r ask.Request, ok bool) {
	if w.Tool == "" || w.Input == nil {
		return r, false // a Notification
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
			r.DenyOnly = true // a yes would answer nothing
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

// claudeQuestions returns the questions of a form. Answers go by the text of the question, so
// that one with two questions of the same text can be answered in its own form alone.
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

// claudeRule says in words what Claude Code suggests to allow from now on, "" for what is not
// offered: anything that is not known, and to allow everything.
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
		// Without an input Claude Code passes the answer over.
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

// claudeAnswers returns the input of a form with what was answered: by the text of each
// question, several choices with commas between them.
func claudeAnswers(r *ask.Request, a *ask.Answer) json.RawMessage {
	in := make(map[string]json.RawMessage)
	_ = json.Unmarshal(r.Input, &in) // it was understood before
	answers := make(map[string]string)
	for i := range r.Questions {
		answers[r.Questions[i].Text] = strings.Join(a.Answers[i], ", ")
	}
	in["answers"], _ = json.Marshal(answers)
	data, _ := json.Marshal(in)
	return data
}

// claudeClosed follows what Claude Code says of the session: once the dialog was open, it is
// closed when the session does not wait any more. A command that was allowed there may run for
// an hour before its end is told.
func claudeClosed(s activity.Session) func() bool {
	seen := false
	return func() bool {
		open, known := agents.DialogOpen(&s)
		seen = seen || known && open
		return seen && known && !open
	}
}
