package appserver

import (
	"bytes"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
)

// Methods with which the server asks the person.
const (
	command     = "item/commandExecution/requestApproval"
	files       = "item/fileChange/requestApproval"
	permissions = "item/permissions/requestApproval"
	questions   = "item/tool/requestUserInput"
)

// About identifies what an event is about. Members that the event does not have are empty.
type About struct {
	Thread string `json:"threadId"`
	Turn   string `json:"turnId"`
	Item   string `json:"itemId"`
}

// About returns what the event is about.
func (e *Event) About() (a About) {
	_ = json.Unmarshal(e.Params, &a) // other params leave it empty
	return a
}

// ChangesFiles reports whether the event asks for permission to change files. The event does not
// contain the changes.
func (e *Event) ChangesFiles() bool { return e.Method == files }

// hiddenParams lists the params that do not help a person to decide, or that are shown elsewhere.
var hiddenParams = []string{
	"threadId", "turnId", "itemId", "approvalId", "startedAtMs", "environmentId", "availableDecisions", "commandActions",
	"proposedExecpolicyAmendment", "proposedNetworkPolicyAmendments",
}

// Request returns the event as a request that a person can decide. patch has the changes if the
// event asks for permission to change files. ok is false if the request is not decided here: it
// cannot be shown in full, it asks for a secret, or only the terminal can answer it.
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
	for _, name := range hiddenParams {
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

// rules returns the decisions that allow more than the single command. Raw is the server's own
// form.
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
		_ = json.Unmarshal(raw, &d) // most decisions are strings, not objects
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

// Result returns an answer in the server's form. That form has no place for the reason of a no: see
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
