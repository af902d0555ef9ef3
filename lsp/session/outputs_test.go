package session

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/core/session/sessiontest"
)

// TestOutputsPassed holds that a list says of a session what all of its transcript says,
// although most outputs of tools are not read.
func TestOutputsPassed(t *testing.T) {
	programs := map[string]struct{ first, title, prompt, says, call, output string }{
		"claude": {
			`{"type":"mode"}`,
			`{"type":"custom-title","customTitle":"TEXT"}`,
			`{"type":"user","message":{"role":"user","content":"TEXT"},AROUND}`,
			`{"type":"assistant","message":{"id":"mN","model":"m","content":[{"type":"text","text":"TEXT"}]},AROUND}`,
			`{"type":"assistant","message":{"id":"mN","content":[{"type":"tool_use","id":"c","name":"Bash","input":{"command":"TEXT"}}],"stop_reason":"tool_use"},AROUND}`,
			`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"TEXT"}]},AROUND}`,
		},
		"codex": {
			`{"type":"session_meta","timestamp":"TIME","payload":{"id":"s","cwd":"/p","git":{"branch":"main"}}}`,
			`{"type":"event_msg","timestamp":"TIME","payload":{"type":"thread_name_updated","thread_name":"TEXT"}}`,
			`{"type":"response_item","timestamp":"TIME","payload":{"type":"message","role":"user","id":"mN","content":[{"type":"input_text","text":"TEXT"}]}}`,
			`{"type":"response_item","timestamp":"TIME","payload":{"type":"message","role":"assistant","id":"mN","content":[{"type":"output_text","text":"TEXT"}]}}`,
			`{"type":"response_item","timestamp":"TIME","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"TEXT\"]}","call_id":"cN"}}`,
			`{"type":"response_item","timestamp":"TIME","payload":{"type":"function_call_output","call_id":"c","output":"TEXT"}}`,
		},
		"copilot": {
			`{"type":"session.start","timestamp":"TIME","data":{"sessionId":"s","selectedModel":"m","context":{"cwd":"/p","branch":"main"}}}`,
			`{"type":"session.title_changed","timestamp":"TIME","data":{"title":"TEXT"}}`,
			`{"type":"user.message","timestamp":"TIME","data":{"messageId":"mN","content":"TEXT"}}`,
			`{"type":"assistant.message","timestamp":"TIME","data":{"messageId":"mN","content":"TEXT","toolRequests":[]}}`,
			`{"type":"assistant.message","timestamp":"TIME","data":{"messageId":"mN","content":"","toolRequests":[{"toolCallId":"cN","name":"bash","arguments":{"command":"TEXT"}}]}}`,
			`{"type":"tool.execution_complete","timestamp":"TIME","data":{"toolCallId":"c","success":true,"result":{"content":"TEXT"}}}`,
		},
	}
	for _, f := range Formats() {
		p, ok := programs[f.Client]
		if !ok {
			continue // it writes a call and its output in one record
		}
		for seed := range uint64(20) {
			rng := rand.New(rand.NewPCG(seed, 1))
			kinds := []string{p.title, p.prompt, p.says, p.call, p.output, p.output, p.output, p.output}
			var data bytes.Buffer
			for n := 0; data.Len() < 110<<10; n++ { // all of it is the beginning or the end
				line, text := p.first, strings.TrimSpace(fmt.Sprint(n, " ", strings.Repeat("word ", rng.IntN(200))))
				if n > 0 {
					line = kinds[rng.IntN(len(kinds))]
				}
				if line == p.output {
					text += strings.Repeat(" word", rng.IntN(1500))
				}
				around := fmt.Sprintf(`"uuid":"u%d","sessionId":"s","cwd":"/p","gitBranch":"main","version":"2","timestamp":"TIME"`, n)
				line = strings.NewReplacer("AROUND", around, "TEXT", text, "mN", fmt.Sprint("m", n), "cN", fmt.Sprint("c", n)).Replace(line)
				data.WriteString(strings.ReplaceAll(line, "TIME", at(n)) + "\n")
			}
			k := &scanner{format: f}
			head := data.Bytes()[:headBytes]
			got, err := k.log(bytes.NewReader(data.Bytes()), head, int64(data.Len()), "", session.Facts{})
			want := sessiontest.Read(f, "", data.Bytes())
			if diff := cmp.Diff(want.Facts, got.Facts); diff != "" || err != nil {
				t.Errorf("%s, seed %d: %v -want +got\n%s", f.Client, seed, err, diff)
			}
			if len(want.Messages) > 0 && got.Records == want.Records {
				t.Errorf("%s, seed %d: everything was read", f.Client, seed)
			}
		}
	}
}
