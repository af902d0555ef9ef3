package check_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/check"
)

const (
	logBob     = "/m/log-bob.jsonl"
	turnsFile  = "/p/.agent/threads/t1/messages.jsonl"
	threadFile = "/p/.agent/threads/t1/thread.json"
	configFile = "/p/.agent/config.json"
	letterFile = "/a/messages/inbox/alice/msg_1_a.json"
	markNow    = 1777000000
)

// with gives a text in which one thing is another. In what is new, « and » stand
// around what has to be found.
func with(text string, changes ...string) string {
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(text, changes[i]) {
			panic(changes[i])
		}
		text = strings.Replace(text, changes[i], changes[i+1], 1)
	}
	return text
}

// marked takes the marks out of a text and gives what they stand around, in order.
func marked(text string) (plain string, spans [][2]int) {
	var b strings.Builder
	var open []int
	for _, r := range text {
		switch r {
		case '«':
			open = append(open, len(spans))
			spans = append(spans, [2]int{b.Len(), -1})
		case '»':
			spans[open[len(open)-1]][1] = b.Len()
			open = open[:len(open)-1]
		default:
			b.WriteRune(r)
		}
	}
	return b.String(), spans
}

const (
	turn  = `{"id":"m1","role":"user","timestamp":"2026-02-20T09:00:00.000Z","content":[{"type":"text","text":"x"}]}` + "\n"
	tools = `{"id":"m1","role":"agent","timestamp":"2026-02-20T09:00:00.000Z","content":[],"toolCalls":[{"toolCallId":"c","name":"n","status":"completed"}]}` + "\n"
	whole = `{"specVersion":"1.1","threadId":"t1","title":"x","createdAt":"2026-02-20T09:00:00.000Z","updatedAt":"2026-02-20T09:00:00.000Z",` +
		`"agent":{"id":"a","name":"A"},"context":{"workingDir":"/p"},"stats":{"messageCount":2,"userMessageCount":1,"agentMessageCount":1,"toolCallCount":0}}`
	signedMail = `{"envelope": {"version": "amp/0.1", "id": "msg_1795249958_30328b7b", "from": "alice@acme.example", "to": "bob@acme.example", "subject": "s", ` +
		`"priority": "normal", "timestamp": "2026-11-21T08:32:38Z", "thread_id": "msg_1795249958_30328b7b", "expires_at": "2026-11-28T08:32:38Z", ` +
		`"signature": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="}, ` +
		`"payload": {"type": "request", "message": "m", "context": {}, "attachments": [{"id": "att_1_a", "filename": "f.txt", "content_type": "text/plain", "size": 1, ` +
		`"digest": "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "url": "https://x.example/f", "scan_status": "clean", ` +
		`"uploaded_at": "2026-11-21T08:32:38Z", "expires_at": "2026-11-28T08:32:38Z"}]}, "local": {"status": "unread", "received_at": "2026-11-21T08:32:38Z"}, "security": {"trust_level": "verified"}}`
)

// rangeCases has a case for every rule that these files may break.
func rangeCases(t testing.TB) []rangeCase {
	r := built(t, "bob", "hi there", markNow-50)
	rec := strings.TrimSuffix(string(r.Append(nil)), "\n")
	stolen := built(t, "mallory", "pay", markNow-40)
	copied := built(t, "alice", "hello", 1776999990)
	id := `"id": "` + r.ID + `"`
	big := strings.Repeat("x", 65537)
	long := built(t, "bob", "x", 1)
	long.Body = big
	long.ID = samp.ID(&long, samp.V1)
	early := built(t, "bob", "x", 1)
	early.TS = -5
	early.ID = samp.ID(&early, samp.V1)
	return []rangeCase{
		{"sound log", logBob, rec + "\n", nil},
		{"blank lines", logBob, "\n \r\n" + rec + "\r\n", nil},
		{"ts a string", logBob, with(rec, fmt.Sprint(r.TS), `«"1"»`) + "\n", []string{"R1"}},
		{"ts a fraction", logBob, rec + "\n" + with(rec, fmt.Sprint(r.TS), `«1.5»`) + "\n", []string{"R1"}},
		{"ts before 1970", logBob, with(strings.TrimSpace(string(early.Append(nil))), "-5", "«-5»") + "\n", []string{"R1"}},
		{"not UTF-8 on disk", logBob, "{\"body\": \"«\ufffd»\ufffd\ufffd\"}\n" + rec + "\n", []string{"R2"}},
		{"half a character", logBob, "«{»" + with(rec, id, `"id": "`+halfID(t)+`"`, "hi there", `\ud800`)[1:] + "\n", []string{"R2"}},
		{"not JSON", logBob, rec + "\n«garbage»\n" + rec + "\n", []string{"R3"}},
		{"cut off", logBob, "«" + rec[:20] + "»\n" + rec + "\n", []string{"R3"}},
		{"NULs", logBob, "«\x00\x00»\n", []string{"R3"}},
		{"an array", logBob, "«[]»\n", []string{"R3"}},
		{"deep", logBob, strings.Repeat(`{"a":`, 64) + "«{»" + `"a":1` + strings.Repeat("}", 65) + "\n", []string{"R3"}},
		{"byte order mark", logBob, "«\ufeff»" + rec + "\n", []string{"R3"}},
		{"no body", logBob, "«{»\"id\": \"\", \"ts\": 1, \"from\": \"bob\", \"to\": \"c\", \"thread\": \"t\"}\n", []string{"R3"}},
		{"a key twice", logBob, with(rec, `, "to"`, `, «"from"»: "bob", "to"`) + "\n", []string{"R3"}},
		{"to a number", logBob, with(rec, `"to": "carol"`, `"to": «7»`) + "\n", []string{"R3"}},
		{"a long body", logBob, with(strings.TrimSpace(string(long.Append(nil))), `"`+big+`"`, `«"`+big+`"»`) + "\n", []string{"R4"}},
		{"to nobody", logBob, with(rec, `"carol"`, `«"no body"»`, id, `"id": «"`+r.ID+`"»`) + "\n", []string{"I1", "L2"}},
		{"claims another", logBob, with(strings.TrimSpace(string(stolen.Append(nil))), `"mallory"`, `«"mallory"»`) + "\n", []string{"L4"}},
		{"replica", logBob, with(strings.TrimSpace(string(copied.Append(nil))), `"alice"`, `«"alice"»`) + "\n", []string{"S1"}},
		{"wrong id", logBob, with(rec, id, `"id": «"0000000000000000"»`) + "\n", []string{"I1"}},
		{"no id", logBob, "«{»" + strings.TrimPrefix(rec, `{`+id+", ") + "\n", []string{"I3"}},
		{"empty id", logBob, with(rec, id, `"id": «""»`) + "\n", []string{"I3"}},
		{"torn", logBob, rec + "\n" + rec[:len(rec)-1] + "«}»", []string{"W3"}},
		{"torn and no record", logBob, rec + "\n«" + rec[:29] + "«" + rec[29:30] + "»»", []string{"R3", "W3"}},
		{"a copy's name", "/m/log-bob.sync-conflict-1.jsonl", "«" + with(rec[:80], `"bob"`, `«"bob"»`) + "»" + rec[80:] + "\n", []string{"S1", "S1"}},
		{"a name that is none", "/m/log-b b.jsonl", "«" + `{"id": "", "body": «1», "from": "", "thread": ""}` + "»\n", []string{"L2", "R3"}},
		{"case alone", "/m/log-zoe.jsonl", "«»\n", []string{"L2"}},

		{"sound turns", turnsFile, turn + "\r\n\n", nil},
		{"turn not JSON", turnsFile, turn + "«x»\n", []string{"M1"}},
		{"turn too early", turnsFile, turn + with(turn, "m1", "m2", `"2026`, `«"2025`, `Z"`, `Z"»`), []string{"M1"}},
		{"turn id twice", turnsFile, turn + with(turn, `"m1"`, `«"m1"»`), []string{"M2"}},
		{"turn without role", turnsFile, "«{»" + with(turn, `"role":"user",`, "")[1:], []string{"M2"}},
		{"turn of nobody", turnsFile, with(turn, `"user"`, `«"nobody"»`), []string{"M2"}},
		{"turn model", turnsFile, with(turn, `"content"`, `"model":«1»,"content"`), []string{"M3"}},
		{"turn unfinished", turnsFile, turn + "«" + turn[:40] + "»", []string{"M5"}},
		{"turn time", turnsFile, with(turn, `"2026-02-20T09:00:00.000Z"`, `«"yesterday"»`), []string{"X1"}},
		{"turn block", turnsFile, with(turn, `[{"type":"text","text":"x"}]`, `[«{»"type":"text"}]`), []string{"B1"}},
		{"turn unknown block", turnsFile, with(turn, `"type":"text"`, `"type":«"hologram"»`), []string{"B2"}},
		{"turn asset", turnsFile, with(turn, `"type":"text","text":"x"`, `"type":"image","mimeType":"a/b","assetRef":«"../x"»`), []string{"L4"}},
		{"turn tool status", turnsFile, with(tools, `"completed"`, `«"done"»`), []string{"TC1"}},
		{"turn tool input", turnsFile, with(tools, `"completed"`, `"completed","input":«7»`), []string{"TC2"}},

		{"sound thread", threadFile, whole, nil},
		{"thread counts", threadFile, with(whole, `Count":2`, `Count":«3»`), []string{"T4"}},
		{"thread title", threadFile, with(whole, `"x"`, "«7»"), []string{"T1"}},
		{"thread protocol", threadFile, with(whole, `"A"`, `"A","protocol":«"smtp"»`), []string{"T2"}},
		{"thread relative", threadFile, with(whole, `"/p"`, `«"p"»`), []string{"T3"}},
		{"thread time", threadFile, with(whole, `"createdAt":"2026-02-20T09:00:00.000Z"`, `"createdAt":«"x"»`), []string{"X1"}},
		{"thread of another name", threadFile, with(whole, `"t1"`, `«"t2"»`), []string{"L2"}},
		{"thread of no name", threadFile, with(whole, `"t1"`, `««"../t"»»`), []string{"L3", "L2"}},
		{"thread of 2.0", threadFile, with(whole, `"1.1"`, `«"2.0"»`), []string{"V2"}},
		{"thread of a number", threadFile, with(whole, `"1.1"`, `«1.1»`), []string{"V1"}},
		{"config not JSON", configFile, "«[»]", []string{"K1"}},
		{"config default", configFile, `{"specVersion":"1.1","defaults":{"useWorktree":«1»}}`, []string{"K2"}},
		{"config secret", configFile, `{"specVersion":"1.1","agentSettings":{"a":{"apiKey":«"sk-abcdefghijklmnopqrstuvwx"»}}}`, []string{"K3"}},
		{"config link", configFile, `{"specVersion":"1.1","worktreeHooks":{"symlinks":[{"source":«"../x"»}]}}`, []string{"H1"}},
		{"config commands", configFile, `{"specVersion":"1.1","worktreeHooks":{"postSetupCommands":[{"command":«""»}]}}`, []string{"H3"}},
	}
}

type rangeCase struct {
	name, file, text string
	want             []string // nil: whatever is there is named by other tests
}

func halfID(t testing.TB) string {
	t.Helper()
	r, err := samp.Parse([]byte(`{"id":"x","ts":1776999950,"from":"bob","to":"carol","thread":"t","body":"\ud800"}`))
	if err != nil {
		t.Fatal(err)
	}
	return samp.ID(&r, samp.V1)
}

// TestDiagnosticRanges: each finding lies where it is, its page explains its rule,
// and each rule of these files has a case.
func TestDiagnosticRanges(t *testing.T) {
	stores := neighbours(t)
	seen := map[string]bool{}
	for _, tt := range rangeCases(t) {
		t.Run(tt.name, func(t *testing.T) {
			text, spans := marked(tt.text)
			c, err := check.Check(t.Context(), document(tt.file, text), stores, nil)
			if err != nil || c == nil {
				t.Fatalf("%+v, %v", c, err)
			}
			slices.SortStableFunc(c.Found, func(a, b check.Diagnostic) int { return a.Start - b.Start })
			var want []string
			for i, s := range spans {
				want = append(want, fmt.Sprintf("%s at %d to %d", tt.want[i], s[0], s[1]))
			}
			if diff := cmp.Diff(want, placed(t, text, c.Found)); diff != "" {
				t.Error(diff)
			}
			for _, d := range c.Found {
				seen[path.Base(tt.file)[:4]+" "+d.Rule] = true
			}
		})
	}
	for name, rules := range map[string]string{
		"log-": "R1 R2 R3 R4 L2 L4 S1 I1 I3 W3",
		"mess": "M1 M2 M3 M5 X1 B1 B2 L4 TC1 TC2", "thre": "T1 T2 T3 T4 X1 L2 L3 V1 V2", "conf": "K1 K2 K3 H1 H3",
	} {
		for rule := range strings.FieldsSeq(rules) {
			if !seen[name+" "+rule] {
				t.Errorf("no case of %s… finds %s", name, rule)
			}
		}
	}
}

// TestThreadWithoutLog offers no count of zero where a thread's messages are elsewhere,
// as in a clone whose logs git ignores: ATSF T4.
func TestThreadWithoutLog(t *testing.T) {
	doc := check.Document{File: threadFile, Path: filepath.Join(t.TempDir(), "thread.json"), Text: whole}
	c, err := check.Check(t.Context(), doc, check.NoStores{}, nil)
	if err != nil || len(c.Found) > 0 {
		t.Errorf("%+v, %v", c, err)
	}
}

// placed gives rules and places, and holds what every finding must be.
func placed(t *testing.T, text string, found []check.Diagnostic) (list []string) {
	t.Helper()
	for _, d := range found {
		list = append(list, fmt.Sprintf("%s at %d to %d", d.Rule, d.Start, d.End))
		if d.Start < 0 || d.Start > d.End || d.End > len(text) || d.Message == "" || strings.ContainsAny(d.Message, "\n\x1b\x00") {
			t.Errorf("%+v", d)
		}
		explained(t, d.About)
	}
	return list
}

// explained holds that a page has the heading that an address ends with.
func explained(t *testing.T, about string) {
	t.Helper()
	name, heading, ok := strings.Cut(about[strings.LastIndexByte(about, '/')+1:], "#")
	if !ok {
		t.Errorf("%q names no heading", about)
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(string(page), -1) {
		slug := strings.ReplaceAll(regexp.MustCompile(`[^\pL\pN _-]`).ReplaceAllString(strings.ToLower(line[1]), ""), " ", "-")
		if slug == heading {
			return
		}
	}
	t.Errorf("%s has no heading %q", name, heading)
}
