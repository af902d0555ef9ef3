package check_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/check"
)

// TestDiagnose: what is wrong is found at its place, and a secret (ATSF K3)
// never stands in the words about it.
func TestDiagnose(t *testing.T) {
	const config, thread = "/p/.agent/config.json", "/p/.agent/threads/t1/thread.json"
	whole := `{"specVersion":"1.1","threadId":"t1","title":"x","createdAt":"2026-02-20T09:00:00.000Z","updatedAt":"2026-02-20T09:00:00.000Z",` +
		`"agent":{"id":"a","name":"A"},"context":{"workingDir":"/p"},"stats":{"messageCount":0,"userMessageCount":0,"agentMessageCount":0,"toolCallCount":0}}`
	for _, tt := range []struct {
		name, file, text string
		want             []string // rule and what is underlined
	}{
		{"sound config", config, `{"specVersion":"1.1"}`, nil},
		{"secret", config, `{"specVersion":"1.1","agentSettings":{"a":{"apiKey":"sk-abcdefghijklmnopqrstuvwx"}}}`, []string{`K3 "sk-abcdefghijklmnopqrstuvwx"`}},
		{"no object", config, `[]`, []string{"K1 ["}},
		{"not JSON", config, `{"specVersion":"1.1",`, []string{"K1 ,"}},
		{"hook that leads out", config, `{"specVersion":"1.1","worktreeHooks":{"symlinks":[{"source":"../x"}]}}`, []string{`H1 "../x"`}},
		{"version 2", config, `{"specVersion":"2.0"}`, []string{`V2 "2.0"`}},
		{"sound thread", thread, whole, nil},
		{"another id", thread, strings.Replace(whole, `"t1"`, `"t2"`, 1), []string{`L2 "t2"`}},
		{"wrong kind", thread, strings.Replace(whole, `"x"`, `7`, 1), []string{"T1 7"}},
		{"empty", thread, "", []string{"T1 "}},
		{"too large", thread, strings.Repeat(" ", 5<<20), []string{"T1 "}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			found, known := diagnosed(t, check.Document{File: tt.file, Text: tt.text}, check.NoStores{})
			if !known {
				t.Error("it is not known")
			}
			for _, d := range found {
				got = append(got, d.Rule+" "+tt.text[d.Start:d.End])
				if strings.Contains(d.Message, "sk-") || d.Severity != check.Error && d.Rule != "K3" {
					t.Errorf("%+v", d)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	for file, want := range map[string]bool{
		config: true, thread: true, "/p/config.json": false, "/p/.agent/threads/thread.json": false, "/p/threads/t/thread.json": false,
		"thread.json": false, "": false, "/p/.agent/threads/t/messages.jsonl": true, "/p/.agent/messages.jsonl": false, ".agent/config.json": true,
	} {
		if _, known := diagnosed(t, check.Document{File: file, Text: "{}"}, check.NoStores{}); known != want {
			t.Errorf("%q is diagnosed: %v", file, !want)
		}
	}
}

func FuzzDiagnose(f *testing.F) {
	f.Add(`{"specVersion":"1.1","agentSettings":{"token":"\"`)
	f.Add("{\"a\":\xff\"")
	f.Add(turn + turn[:20])
	f.Add(signedMail)
	f.Add(`{"id":"","ts":1,"from":"bob","to":"a","thread":"","body":"x"}` + "\n{}\nx")
	f.Fuzz(func(t *testing.T, text string) {
		for _, file := range []string{configFile, threadFile, logBob, turnsFile, letterFile} {
			doc := document(file, text)
			c, err := check.Check(t.Context(), doc, neighbours(t), nil)
			if err != nil || c == nil {
				t.Fatalf("%s: %+v, %v", file, c, err)
			}
			list, err := check.Fixes(t.Context(), doc, neighbours(t), 0, len(text))
			if err != nil {
				t.Fatal(err)
			}
			for i := range list {
				edited(t, text, &list[i])
			}
			for _, d := range c.Found {
				if d.Start < 0 || d.Start > d.End || d.End > len(text) || strings.ContainsAny(d.Message, "\n\x1b") {
					t.Errorf("%s: %+v in %q", file, d, text)
				}
			}
		}
	})
}
