package hook

import (
	"encoding/json"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
)

var opencodeAsker = asker{
	can: Ability{
		Title: "opencode", Seen: "1.18.33",
		Permission: "yes, no with a reason, its suggested rules", Question: "options, several, own words",
		Dialog: "stays open, and closes with the answer", Wakes: "its plugin",
	},
	request: opencodeRequest, decision: opencodeDecision,
}

// opencodeRequest returns the request that our plugin got from opencode, whose dialog is open.
func opencodeRequest(e *event, w *wire) (r ask.Request, ok bool) {
	if e.name != "ask" {
		return r, false
	}
	r = ask.Request{Kind: ask.Permission, Agent: w.agent(), Tool: w.Tool, Input: w.Input}
	if w.Tool != "question" {
		if raw, err := json.Marshal(w.Always); err == nil && len(w.Always) > 0 {
			r.Rules = []ask.Rule{{Text: "allow " + w.Tool + " " + strings.Join(w.Always, ", ") + " until opencode ends", Raw: raw}}
		}
		return r, w.Tool != "" && w.Input != nil
	}
	var in struct {
		Questions []struct {
			Question, Header string
			Options          []ask.Option
			Multiple         bool
			Custom           *bool
		}
	}
	if json.Unmarshal(w.Input, &in) != nil || len(in.Questions) == 0 {
		return r, false
	}
	r.Kind = ask.Question
	for _, q := range in.Questions {
		r.Questions = append(r.Questions, ask.Asked{
			Header: q.Header, Text: q.Question, Options: q.Options, Multiple: q.Multiple, Closed: q.Custom != nil && !*q.Custom,
		})
	}
	return r, true
}

// opencodeReply is what the plugin posts to opencode as the reply.
type opencodeReply struct {
	Reply   string     `json:"reply,omitempty"`
	Message string     `json:"message,omitempty"`
	Answers [][]string `json:"answers,omitempty"`
}

func opencodeDecision(r *ask.Request, a *ask.Answer) any {
	switch {
	case r.Kind == ask.Question && a.Allow:
		return opencodeReply{Answers: a.Answers}
	case r.Kind == ask.Question:
		// Rejecting a question ends the turn silently, so a no is sent as the answer.
		out := opencodeReply{}
		for range r.Questions {
			out.Answers = append(out.Answers, []string{reason(a)})
		}
		return out
	case !a.Allow:
		return opencodeReply{Reply: "reject", Message: reason(a)}
	case len(a.Rules) > 0:
		return opencodeReply{Reply: "always"}
	}
	return opencodeReply{Reply: "once"}
}
