package appserver

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
)

// touch is as Codex 0.169.0 sent it.
const touch = `{"kind":"command","threadId":"T","turnId":"U","itemId":"call_1","startedAtMs":1,"environmentId":"local","reason":"to make a file",` +
	`"command":"/bin/bash -lc 'touch made'","cwd":"/w","commandActions":[{"type":"unknown","command":"touch made"}],` +
	`"proposedExecpolicyAmendment":["touch","made"],"availableDecisions":["accept",{"acceptWithExecpolicyAmendment":{"execpolicy_amendment":["touch","made"]}},"cancel"]}`

const licence = `{"threadId":"T","turnId":"U","itemId":"i","isBlocking":true,"questions":[{"id":"lic","header":"Licence","question":"Which licence?",` +
	`"isSecret":false,"options":[{"label":"MIT","description":"short"},{"label":"Apache-2.0","description":"long"}]},{"id":"why","header":"Why","question":"Why?","options":null}]}`

// TestRequest has what the server asks in the form in which a person decides on it, and the
// person's answer in the server's.
func TestRequest(t *testing.T) {
	for _, c := range []struct {
		name, method, params, patch string
		want                        ask.Request
		answer                      ask.Answer
		result                      string
	}{
		{
			name: "command", method: command, params: touch,
			want: ask.Request{
				Kind: ask.Permission, Tool: "Bash", Input: []byte(`{"command":"/bin/bash -lc 'touch made'","cwd":"/w","reason":"to make a file"}`),
				Rules: []ask.Rule{{Text: `commands that begin with ["touch","made"]`, Raw: []byte(`{"acceptWithExecpolicyAmendment":{"execpolicy_amendment":["touch","made"]}}`)}},
			},
			answer: ask.Answer{Allow: true}, result: `{"decision":"accept"}`,
		},
		{
			name: "no", method: command, params: `{"threadId":"T","command":"a && b <c","reason":null}`,
			want:   ask.Request{Kind: ask.Permission, Tool: "Bash", Input: []byte(`{"command":"a && b <c"}`)},
			answer: ask.Answer{Reason: "later"}, result: `{"decision":"decline"}`,
		},
		{
			name: "connection, from now on", method: command,
			params: `{"networkApprovalContext":{"host":"a.example"},"availableDecisions":["accept","acceptForSession",{"applyNetworkPolicyAmendment":{"network_policy_amendment":{"action":"deny","host":"a.example"}}},{"applyNetworkPolicyAmendment":{"network_policy_amendment":{"action":"allow","host":"a.example"}}}]}`,
			want: ask.Request{
				Kind: ask.Permission, Tool: "Bash", Input: []byte(`{"networkApprovalContext":{"host":"a.example"}}`),
				Rules: []ask.Rule{
					{Text: "the same again in this session", Raw: []byte(`"acceptForSession"`)},
					{Text: "connections to a.example", Raw: []byte(`{"applyNetworkPolicyAmendment":{"network_policy_amendment":{"action":"allow","host":"a.example"}}}`)},
				},
			},
			answer: ask.Answer{Allow: true, Rules: []int{0}}, result: `{"decision":"acceptForSession"}`,
		},
		{
			name: "files", method: files, params: `{"threadId":"T","itemId":"call_1","reason":null,"grantRoot":"/w"}`, patch: "*** Begin Patch\n",
			want:   ask.Request{Kind: ask.Permission, Tool: "apply_patch", Input: []byte(`{"command":"*** Begin Patch\n","grantRoot":"/w"}`)},
			answer: ask.Answer{Allow: true}, result: `{"decision":"accept"}`,
		},
		{
			name: "rights", method: permissions, params: `{"cwd":"/w","permissions":{"network":{"enabled":true}}}`,
			want:   ask.Request{Kind: ask.Permission, Tool: "permissions", Input: []byte(`{"cwd":"/w","permissions":{"network":{"enabled":true}}}`)},
			answer: ask.Answer{Allow: true}, result: `{"permissions":{"network":{"enabled":true}}}`,
		},
		{
			name: "no rights", method: permissions, params: `{"permissions":{"network":{"enabled":true}}}`,
			want:   ask.Request{Kind: ask.Permission, Tool: "permissions", Input: []byte(`{"permissions":{"network":{"enabled":true}}}`)},
			result: `{"permissions":{}}`,
		},
		{
			name: "questions", method: questions, params: licence,
			want: ask.Request{
				Kind: ask.Question, Tool: "request_user_input",
				Input: []byte(`{"isBlocking":true,"questions":[{"id":"lic","header":"Licence","question":"Which licence?","isSecret":false,"options":[{"label":"MIT","description":"short"},{"label":"Apache-2.0","description":"long"}]},{"id":"why","header":"Why","question":"Why?","options":null}]}`),
				Questions: []ask.Asked{
					{ID: "lic", Header: "Licence", Text: "Which licence?", Options: []ask.Option{{Label: "MIT", Description: "short"}, {Label: "Apache-2.0", Description: "long"}}},
					{ID: "why", Header: "Why", Text: "Why?"},
				},
			},
			answer: ask.Answer{Allow: true, Answers: [][]string{{"MIT"}, {"it is short"}}},
			result: `{"answers":{"lic":{"answers":["MIT"]},"why":{"answers":["it is short"]}}}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := Event{Method: c.method, ID: []byte("1"), Params: []byte(c.params)}
			r, ok := e.Request(c.patch)
			if diff := cmp.Diff(c.want, r); !ok || diff != "" {
				t.Fatalf("%v (-want +got):\n%s", ok, diff)
			}
			got, err := json.Marshal(e.Result(&r, &c.answer))
			if err != nil || string(got) != c.result {
				t.Errorf("%s, want %s (%v)", got, c.result, err)
			}
		})
	}
}

// TestNotDecided: what cannot be shown whole, what is secret, and what only a terminal answers
// are left to the terminal.
func TestNotDecided(t *testing.T) {
	for _, e := range []Event{
		{Method: files, Params: []byte(`{"itemId":"call_1"}`)}, // nobody knows what it changes
		{Method: command, Params: []byte(`{"reason":"because"}`)},
		{Method: command, Params: []byte(`[]`)},
		{Method: permissions, Params: []byte(`{}`)},
		{Method: questions, Params: []byte(`{"questions":[]}`)},
		{Method: questions, Params: []byte(`{"questions":"x"}`)},
		{Method: questions, Params: []byte(`{"questions":[{"id":"p","question":"Password?","isSecret":true}]}`)},
		{Method: "mcpServer/elicitation/request", Params: []byte(`{"message":"x"}`)},
		{Method: "item/tool/call", Params: []byte(`{}`)},
		{Method: "account/chatgptAuthTokens/refresh"},
	} {
		if r, ok := e.Request(""); ok {
			t.Errorf("%s %s: %+v", e.Method, e.Params, r)
		}
	}
}
