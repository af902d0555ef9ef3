package appserver

import (
	"bytes"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
)

// Methods by which the server asks the person.
const (
	command     = "item/commandExecution/requestApproval"
	files       = "item/fileChange/requestApproval"
	permissions = "item/permissions/requestApproval"
	questions   = "item/tool/requestUserInput"
)

// About is what an event is about, as far as it says.
type About struct {
	Thread string `json:"threadId"`
	Turn   string `json:"turnId"`
	Item   string `json:"itemId"`
}

// About returns what the event is about.
func (e *Event) About() (a About) {
	_ = json.Unmarshal(e.Params, &a) // of something else it is empty
	return a
}

// ChangesFiles reports whether the server asks whether files may be changed. It does not say how.
func (e *Event) ChangesFiles() bool { return e.Method == files }

// plumbing are the params that say nothing to a person who decides, or say it elsewhere.
var plumbing = []string{
	"threadId", "turnId", "itemId", "approvalId", "startedAtMs", "environmentId", "availableDecisions", "commandActions",
	"proposedExecpolicyAmendment", "proposedNetworkPolicyAmendments",
}

// Request returns what the server asks as what a person can decide. patch is how it changes
// files, where it asks for that. ok is false for what is not decided here: what cannot be shown
// whole, what is secret, and what the server asks of its terminal alone.
func (e *Event) Request(patch string) (r ask.Request, ok bool) {
	var p struct {
		Decisions []json.RawMessage `json:"availableDecisions"`
		Questions []struct {
			ID, Header, Question string
			Options              []ask.Option
			Secret               bool `json:"isSecret"`
		}
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(e.Params, &all) != nil || json.Unmarshal(e.Params, &p) != nil {
		return r, false
	}
	for _, name := range plumbing {
		delete(all, name)
	}
	for name, value := range all {
		if string(value) == "null" || name == "kind" && string(value) == `"command"` {
			delete(all, name)
		}
	}
	r.Kind = ask.Permission
	switch e.Method {
	case command:
		r.Tool, r.Rules = "Bash", rules(p.Decisions)
		ok = all["command"] != nil || all["networkApprovalContext"] != nil
	case files:
		r.Tool, ok = "apply_patch", patch != ""
		all["command"] = encode(patch)
	case permissions:
		r.Tool, ok = "permissions", all["permissions"] != nil
	case questions:
		r.Kind, r.Tool, ok = ask.Question, "request_user_input", len(p.Questions) > 0
		for _, q := range p.Questions {
			ok = ok && !q.Secret
			r.Questions = append(r.Questions, ask.Asked{ID: q.ID, Header: q.Header, Text: q.Question, Options: q.Options})
		}
	}
	if !ok {
		return ask.Request{}, false
	}
	r.Input = encode(all)
	return r, true
}

// rules returns which decisions allow more than the one command. Raw is the server's word.
func rules(decisions []json.RawMessage) (list []ask.Rule) {
	for _, raw := range decisions {
		var d struct {
			Commands struct {
				Begin []string `json:"execpolicy_amendment"`
			} `json:"acceptWithExecpolicyAmendment"`
			Network struct {
				Rule struct{ Action, Host string } `json:"network_policy_amendment"`
			} `json:"applyNetworkPolicyAmendment"`
		}
		_ = json.Unmarshal(raw, &d) // most are words, and no objects
		switch {
		case string(raw) == `"acceptForSession"`:
			list = append(list, ask.Rule{Text: "the same again in this session", Raw: raw})
		case len(d.Commands.Begin) > 0:
			begin := encode(d.Commands.Begin)
			list = append(list, ask.Rule{Text: "commands that begin with " + string(begin), Raw: raw})
		case d.Network.Rule.Action == "allow":
			list = append(list, ask.Rule{Text: "connections to " + d.Network.Rule.Host, Raw: raw})
		}
	}
	return list
}

// Result returns an answer in the server's words. It has none for the reason of a no: see
// [Conn.Steer].
func (e *Event) Result(r *ask.Request, a *ask.Answer) any {
	type decided struct {
		Decision any `json:"decision"`
	}
	switch {
	case e.Method == questions:
		type chosen struct {
			Answers []string `json:"answers"`
		}
		all := make(map[string]chosen)
		for i, q := range r.Questions {
			if a.Allow {
				all[q.ID] = chosen{a.Answers[i]}
			}
		}
		return struct {
			Answers map[string]chosen `json:"answers"`
		}{all}
	case e.Method == permissions:
		var p struct {
			Permissions json.RawMessage `json:"permissions"`
		}
		if json.Unmarshal(r.Input, &p) != nil || !a.Allow {
			p.Permissions = json.RawMessage("{}")
		}
		return p
	case a.Allow && len(a.Rules) > 0:
		return decided{r.Rules[a.Rules[0]].Raw}
	case a.Allow:
		return decided{"accept"}
	}
	return decided{"decline"}
}

func encode(v any) json.RawMessage { return bytes.TrimSpace(ask.Encode(v)) }
