package session

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/session"
)

// claude returns a transcript of Claude Code's in the checkout p, with a prompt.
func (b *fixture) claude(prompt string) string {
	return fmt.Sprintf(`{"type":"user","uuid":"u-%s","sessionId":"%s","cwd":%q,"timestamp":%q,"message":{"role":"user","content":%q}}`+"\n", prompt, prompt, b.path("p"), at(0), prompt)
}

// TestPlaces finds sessions wherever a program keeps them.
func TestPlaces(t *testing.T) {
	const project = "projects/-p/"
	for _, c := range []struct {
		name string
		make func(b *fixture)
		want []string
	}{
		{"both default folders of Claude Code", func(b *fixture) {
			b.write(b.claude("new"), "home/.claude/"+project+"new.jsonl")
			b.write(b.claude("old"), "home/.config/claude/"+project+"old.jsonl")
		}, []string{"p: new", "p: old"}},
		{"one of them is a link to the other", func(b *fixture) {
			b.write(b.claude("one"), "home/.claude/"+project+"one.jsonl")
			b.mkdir("home", ".config")
			b.ok(os.Symlink(b.path("home", ".claude"), b.path("home", ".config", "claude")))
		}, []string{"p: one"}},
		{"a variable that names several folders", func(b *fixture) {
			b.env["CLAUDE_CONFIG_DIR"] = b.path("work") + "/, ~/own,"
			b.env["XDG_CONFIG_HOME"] = b.path("xdg")
			b.write(b.claude("work"), "work/"+project+"work.jsonl")
			b.write(b.claude("own"), "home/own/"+project+"own.jsonl")
			b.write(b.claude("xdg"), "xdg/claude/"+project+"xdg.jsonl")
			b.write(b.claude("home"), "home/.claude/"+project+"home.jsonl")
		}, []string{"p: home", "p: own", "p: work", "p: xdg"}},
		{"subagents of subagents and of workflows", func(b *fixture) {
			b.write(b.claude("main"), "home/.claude/"+project+"main.jsonl")
			for agent, in := range map[string]string{"a1": "subagents/", "a2": "subagents/workflows/wf_1/", "a3": "subagents/agent-a1/subagents/", "a4": "workflows/wf_2/"} {
				line := strings.Replace(b.claude(agent), `"type"`, `"agentId":"`+agent+`","isSidechain":true,"type"`, 1)
				b.write(line, "home/.claude/"+project+"main/"+in+"agent-"+agent+".jsonl")
				b.write(`{"step":1}`+"\n", "home/.claude/"+project+"main/"+in+"journal.jsonl")
			}
		}, []string{"p: a1", "p: a2", "p: a3", "p: a4", "p: main"}},
		{"archived rollouts, and those of the first versions, which had no folders", func(b *fixture) {
			b.write(meta(1, b.path("p"))+says(0, "archived"), "home/.codex/archived_sessions/"+rolloutName(1)+".jsonl")
			b.write(meta(2, b.path("p"))+says(0, "old"), "home/.codex/sessions/"+rolloutName(2)+".jsonl")
		}, []string{"p: archived", "p: old"}},
		{"rollouts of versions that told the folder to the model alone", func(b *fixture) {
			for n, text := range []string{"<cwd>%s</cwd>\n", "Current working directory: %s\nApproval policy: never\n"} {
				head := fmt.Sprintf(`{"id":%q,"timestamp":%q,"instructions":null}`+"\n", id(n), at(0))
				for _, text := range []string{"<environment_context>\n" + fmt.Sprintf(text, b.path("p")) + "</environment_context>", fmt.Sprint("do ", n)} {
					head += fmt.Sprintf(`{"type":"message","role":"user","content":[{"type":"input_text","text":%q}]}`+"\n", text)
				}
				b.write(head, "home/.codex/sessions/"+rolloutName(n)+".jsonl")
			}
		}, []string{"p: do 0", "p: do 1"}},
		{"chats of Gemini as one document, in a folder named after a hash of the project", func(b *fixture) {
			chat := func(folder, say string) string {
				sum := sha256.Sum256([]byte(folder))
				return fmt.Sprintf("{\n \"sessionId\": %q,\n \"projectHash\": \"%x\",\n \"startTime\": %q,\n \"messages\": [\n  {\"id\": \"u\", \"timestamp\": %q,\n   \"type\": \"user\", \"content\": %q}]}",
					say, sum, at(0), at(1), say)
			}
			b.write(chat(b.path("p"), "here"), "home/.gemini/tmp/0123/chats/session-1.json")
			b.write(chat(b.path("q"), "elsewhere"), "home/.gemini/tmp/0456/chats/session-1.json")
			b.write(chat(b.path("q"), "named"), "home/.gemini/tmp/p/chats/session-2.json")
			b.write(chat(b.path("q"), "resumed"), "home/.gemini/tmp/p/chats/session-3.json")
			b.write(`{"sessionId":"resumed"}`+"\n"+`{"id":"u","type":"user","content":"resumed"}`+"\n", "home/.gemini/tmp/p/chats/session-3.jsonl")
			b.write(b.path("p"), "home/.gemini/tmp/p/.project_root")
		}, []string{"p: here", "p: named", "p: resumed"}},
		{"GEMINI_CLI_HOME", func(b *fixture) {
			b.env["GEMINI_CLI_HOME"] = b.path("g")
			b.write(`{"sessionId":"s","startTime":"`+at(0)+`"}`+"\n"+`{"id":"m1","timestamp":"`+at(1)+`","type":"user","content":"hello"}`+"\n", "g/.gemini/tmp/p/chats/session-1.jsonl")
			b.write(b.path("p"), "g/.gemini/tmp/p/.project_root")
		}, []string{"p: hello"}},
		{"COPILOT_HOME, and a session without a folder", func(b *fixture) {
			b.env["COPILOT_HOME"] = b.path("c")
			event := fmt.Sprintf(`{"type":"session.start","timestamp":%q,"data":{"sessionId":"s","context":{"cwd":%q}}}`+"\n", at(0), b.path("p"))
			event += `{"type":"user.message","timestamp":"` + at(1) + `","data":{"content":"%s"}}` + "\n"
			b.write(fmt.Sprintf(event, "one"), "c/session-state/s/events.jsonl")
			b.write(fmt.Sprintf(event, "two"), "c/session-state/"+id(2)+".jsonl")
		}, []string{"p: one", "p: two"}},
		{"the folder of a project is a link", func(b *fixture) {
			b.write(b.claude("far"), "disk/far.jsonl")
			b.write(strings.Replace(b.claude("sub"), `"type"`, `"agentId":"sub","type"`, 1), "disk/far/subagents/agent-sub.jsonl")
			b.write(`{"name":"Ada"}`, "disk/far/subagents/agent-sub.meta.json")
			b.mkdir("home", ".claude", "projects")
			b.ok(os.Symlink(b.path("disk"), b.path("home", ".claude", "projects", "-p")))
			b.ok(os.Symlink(b.path("disk"), b.path("home", ".claude", "projects", "-q"))) // each session once
		}, []string{"p: far", "p: sub"}},
		{"the folder of all projects is a link, and that of everything", func(b *fixture) {
			b.write(b.claude("one"), "disk/-p/one.jsonl")
			b.mkdir("home", ".claude")
			b.ok(os.Symlink(b.path("disk"), b.path("home", ".claude", "projects")))
			b.write(meta(2, b.path("p"))+says(0, "two"), "other/sessions/2026/02/01/"+rolloutName(2)+".jsonl")
			b.ok(os.Symlink(b.path("other"), b.path("home", ".codex")))
		}, []string{"p: one", "p: two"}},
		{"links that lead back, and nowhere", func(b *fixture) {
			b.write(b.claude("one"), "home/.claude/"+project+"one.jsonl")
			b.ok(os.Symlink(b.path("home", ".claude", "projects"), b.path("home", ".claude", "projects", "all")))
			b.ok(os.Symlink(b.path("home"), b.path("home", ".claude", "projects", "home")))
			b.ok(os.Symlink(b.path("none"), b.path("home", ".claude", "projects", "none")))
		}, []string{"p: one"}},
		{"Gemini begins a second file when it resumes a session", func(b *fixture) {
			head := `{"sessionId":"s","startTime":"` + at(0) + `"}` + "\n"
			b.write(head+`{"id":"m1","timestamp":"`+at(1)+`","type":"user","content":"hello"}`+"\n", "home/.gemini/tmp/p/chats/session-1.jsonl")
			b.write(head, "home/.gemini/tmp/p/chats/session-2.jsonl")
			b.write(b.path("p"), "home/.gemini/tmp/p/.project_root")
		}, []string{"p: hello"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newFixture(t)
			c.make(b)
			s := b.scan("p")
			if d := cmp.Diff(c.want, b.listed(s)); d != "" || len(s.Problems) > 0 {
				t.Errorf("-want +got\n%s%v", d, s.Problems)
			}
			for _, it := range s.Items {
				if p, err := s.Page(t.Context(), it.Key(), Query{}); err != nil || !slices.Contains(texts(p), it.Prompt) {
					t.Errorf("%s says %v, %v", it.Name, p, err)
				}
				if it.Prompt == "sub" && it.Facts.Name != "Ada" {
					t.Errorf("what stands beside it is not read: %q", it.Facts.Name)
				}
			}
		})
	}
}

// TestSameNameElsewhere gives sessions of one name in two places two addresses.
func TestSameNameElsewhere(t *testing.T) {
	b := newFixture(t)
	b.write(b.claude("one"), "home/.claude/projects/-p/s.jsonl")
	b.write(b.claude("two"), "home/.config/claude/projects/-p/s.jsonl")
	s := b.scan("p")
	if len(s.Items) != 2 || s.Items[0].Key() == s.Items[1].Key() || s.Item(s.Items[0].Key()) != s.Items[0] {
		t.Errorf("%+v", s.Items)
	}
}

// TestUnread counts what is a session by its name and in no list, once, and names it. Also
// a second process says so.
func TestUnread(t *testing.T) {
	b := newFixture(t)
	for i := range 4 {
		b.write("x", fmt.Sprintf("home/.codex/sessions/2026/02/01/rollout-%d.jsonl.gz", i))
	}
	b.write("{", "home/.codex/sessions/2026/02/01/.rollout-1.jsonl.swp")
	b.write("{", "home/.codex/sessions/2026/02/01/rollout-1.jsonl.tmp7")
	for n := range memoryWorth {
		b.write(says(0, "where am I"), rollout(n))
	}
	b.write("", rollout(90))
	b.write("{\"sessionId\":\"s\"", "home/.gemini/tmp/p/chats/session-1.json")
	b.ok(os.Symlink(b.path(rollout(1)), b.path(rollout(91))))
	want := []string{
		`Codex: 1 file not a regular file: "` + rolloutName(91) + `.jsonl"`,
		`Codex: 20 files that do not say in which folder they worked: "` + rolloutName(0) + `.jsonl", "` + rolloutName(1) + `.jsonl", "` + rolloutName(2) + `.jsonl" and others`,
		`Codex: 4 files in a form that is not read: "rollout-0.jsonl.gz", "rollout-1.jsonl.gz", "rollout-2.jsonl.gz" and others`,
		`Gemini CLI: 1 file in a form that is not read: "session-1.json"`,
	}
	for range 2 {
		var got []string
		for _, p := range b.scan("p").Problems {
			got = append(got, p.Reason)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	}
}

// TestForeign counts and names what has the name of a session and no lines of records, and
// gives it no row. What is only just begun needs neither.
func TestForeign(t *testing.T) {
	b := newFixture(t)
	record := func(say string) string { return strings.TrimSuffix(b.claude(say), "\n") }
	pretty := strings.NewReplacer("{", "{\n", ",", ",\n", "}", "\n}").Replace(record("p"))
	foreign := map[string]string{
		"a-cr": record("1") + "\r" + record("2") + "\r", "b-cr-lf-last": record("1") + "\r" + record("2") + "\n",
		"c-cr-long":    strings.Repeat(record("1")+"\r", 1000),
		"d-array":      "[" + record("1") + "," + record("2") + "]",
		"e-array-rows": "[\n" + record("1") + ",\n" + record("2") + ",\n" + `{"type":"summary","summary":""}` + "\n]\n",
		"f-pretty":     pretty, "g-pretty-more": strings.Repeat(pretty+"\n", 500), "h-pretty-array": "\ufeff[\n" + pretty + "\n]\n",
		"i-zeros": strings.Repeat("\x00", 100), "j-zeros-long": strings.Repeat("\x00", 1<<20), "k-zeros-lf": strings.Repeat("\x00\n", 9),
		"l-text": "no records\n", "m-utf16": "\xff\xfe{\x00\"\x00a\x00\"\x00\n\x00}\x00\n\x00",
		"n-begun-then-zeros": record("1")[:60] + strings.Repeat("\x00", 60),
	}
	project := "home/.claude/projects/-p/"
	for name, text := range foreign {
		b.write(text, project+name+".jsonl")
	}
	b.write(strings.Repeat("\x00", 100), rollout(1))
	for name, text := range map[string]string{
		"empty": "", "blank": "\n\n", "bom": "\ufeff", "half": record("h")[:60], "no-end": record("h"), "after-zeros": "\x00\x00" + record("h")[:60],
		"long": strings.Replace(record("h"), "h", strings.Repeat("h", 2*headBytes), 1),
	} {
		b.write(text, project+name+".jsonl")
	}
	b.write("", "home/.gemini/tmp/p/chats/session-2.jsonl")
	b.write(b.path("p"), "home/.gemini/tmp/p/.project_root")
	b.write(strings.Repeat("\x00", 2*headBytes)+b.claude("behind a hole"), project+"hole.jsonl")
	b.write("broken\nbroken\n"+b.claude("behind broken lines"), project+"broken.jsonl")
	want := []string{
		fmt.Sprintf(`Claude Code: %d files in a form that is not read: "a-cr.jsonl", "b-cr-lf-last.jsonl", "c-cr-long.jsonl" and others`, len(foreign)),
		`Codex: 1 file in a form that is not read: "` + rolloutName(1) + `.jsonl"`,
	}
	for range 2 { // also a second process says so
		s := b.scan("p")
		var got []string
		for _, p := range s.Problems {
			got = append(got, p.Reason)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
		if d := cmp.Diff([]string{"p: behind a hole", "p: behind broken lines"}, b.listed(s)); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	}
}

// TestCopies shows each message of a session once that /branch wrote twice: the copies, and
// behind all of them the same again.
func TestCopies(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	b := newFixture(t)
	var copies, again strings.Builder
	const messages = 2000
	for i := range messages {
		line := fmt.Sprintf(`{"type":"user","uuid":"u-%d","sessionId":"s","cwd":%q,"message":{"role":"user","content":"word %d and %s"}%%s}`+"\n", i, b.path("p"), i, strings.Repeat("more", 100))
		fmt.Fprintf(&copies, line, fmt.Sprintf(`,"forkedFrom":{"sessionId":"r","messageUuid":"u-%d"}`, i))
		fmt.Fprintf(&again, line, "")
	}
	control := `{"type":"queue-operation","operation":"enqueue","content":"` + strings.Repeat("x", 1<<20) + `"}` + "\n"
	b.write(control+copies.String()+again.String()+b.claude("new"), "home/.claude/projects/-p/s.jsonl")
	s := b.scan("p")
	it, seen := s.Items[0], make(map[string]int)
	for q, more := (Query{Limit: 100}), true; more; {
		p, err := s.Page(t.Context(), it.Key(), q)
		b.ok(err)
		for _, text := range texts(p) {
			seen[text]++
		}
		q.Before, more = p.Before, p.Before != ""
	}
	if len(seen) != messages+1 {
		t.Errorf("%d messages are shown", len(seen))
	}
	for text, n := range seen {
		if n != 1 {
			t.Fatalf("%q is shown %d times", text[:20], n)
		}
	}
	found := make(map[string]bool)
	next, _, err := s.Search(t.Context(), it, 0, 1<<40, nil, func(m *session.Message) bool { found[Cursor(m)] = true; return true })
	if len(found) != messages+1 || next != -1 || err != nil {
		t.Errorf("a search finds %d, %d, %v", len(found), next, err)
	}
}

// TestMoves follows a rollout that is packed and archived while it is followed.
func TestMoves(t *testing.T) {
	l := newFixture(t)
	l.write(meta(1, l.path("p"))+says(0, "hello"), rollout(1))
	live := l.follow("p")
	l.ok(os.Remove(l.path(rollout(1))))
	l.pack(meta(1, l.path("p"))+says(0, "hello"), "home/.codex/archived_sessions/"+rolloutName(1)+".jsonl.zst")
	if s := live.sync(); len(s.Items) != 1 || s.Items[0].Name != id(1) || filepath.Base(filepath.Dir(s.Items[0].File)) != "archived_sessions" {
		t.Errorf("%+v", s.Items)
	}
}
