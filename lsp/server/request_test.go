package server

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"unicode/utf8"

	"golang.org/x/tools/txtar"
)

// FuzzRequest: whatever the parameters of whichever method are, a request has one
// answer, which is no internal error, a notification has none, and the server goes on.
// The seeds are what the clients of the transcripts send.
func FuzzRequest(f *testing.F) {
	files, err := filepath.Glob("testdata/transcripts/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.Lines(string(archive.Files[0].Data)) {
			var m struct {
				Method string
				Params json.RawMessage
			}
			sent, ok := strings.CutPrefix(strings.TrimSpace(line), "-> ")
			if ok && json.Unmarshal([]byte(sent), &m) == nil && m.Method != "" {
				f.Add(m.Method, string(m.Params))
			}
		}
	}
	for _, uri := range []string{
		"signalbox://message/../../x", "signalbox://thread/%2e%2e", "signalbox:", "file:///etc/passwd", "file://host/x", "file:///c:/x", "\\u0000", "%zz", "",
	} {
		f.Add("textDocument/didOpen", `{"textDocument":{"uri":"`+uri+`","languageId":"markdown","version":1,"text":"signalbox://message/0123456789abcdef"}}`)
		f.Add("signalbox/link/locate", `{"tokens":["`+uri+`"]}`)
		f.Add("workspace/didChangeWorkspaceFolders", `{"event":{"added":[{"uri":"`+uri+`","name":"x"}],"removed":[]}}`)
	}
	f.Add("signalbox/status", `""`)
	f.Fuzz(func(t *testing.T, name, params string) {
		// What is no JSON, or no UTF-8, is the codec's and has no id: see FuzzCodec. The
		// fake panel fails, or waits to be cancelled, where a transcript asks it to.
		if params != "" && !json.Valid([]byte(params)) || !utf8.ValidString(params) ||
			slices.ContainsFunc([]string{"broken", "panics", `"slow"`}, func(s string) bool { return strings.Contains(params, s) }) {
			return
		}
		method, err := json.Marshal(name)
		if err != nil || name == "exit" || name == "shutdown" || name == "initialize" || strings.HasPrefix(name, "$/") || name == "" {
			return
		}
		synctest.Test(t, func(t *testing.T) {
			c := dial(t)
			c.begin()
			message := `{"jsonrpc":"2.0","id":"fuzz","method":` + string(method)
			if params != "" {
				message += `,"params":` + params
			}
			c.send(message + `}`)
			answers := slices.DeleteFunc(c.take(), func(s string) bool { return !strings.Contains(s, `"id":"fuzz"`) })
			if len(answers) != 1 || strings.Contains(answers[0], `"code":-32603`) {
				t.Fatalf("%s %s: answers %q", name, params, answers)
			}
			c.send(strings.Replace(message, `"id":"fuzz",`, "", 1) + `}`)
			// With parameters that are a single value it is no message at all, and who
			// sends that is told so.
			single := params != "" && !strings.ContainsRune("{[", rune(strings.TrimSpace(params)[0]))
			for _, got := range c.take() {
				if strings.Contains(got, `"id":null`) && !(single && strings.Contains(got, `"code":-32600`)) {
					t.Fatalf("a notification %s %s is answered: %s", name, params, got)
				}
			}
			if got := c.ask("signalbox/status", "{}"); !strings.HasPrefix(got, "{") {
				t.Fatalf("after %s %s: %s", name, params, got)
			}
		})
	})
}
