package session

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/core/session/claude"
	"github.com/signalbox-dev/signalbox/core/session/codex"
	"github.com/signalbox-dev/signalbox/core/session/copilot"
	"github.com/signalbox-dev/signalbox/core/session/gemini"
	"github.com/signalbox-dev/signalbox/core/session/sessiontest"
)

// holdAll reports whether a masked message holds all words, in what the transcript says
// itself or, with notes, in what the program words.
func holdAll(m *session.Message, words []needle.Needle, notes bool) bool {
	var texts []string
	for i := range m.Content {
		if b := &m.Content[i]; notes || b.Type != session.TypeNote {
			texts = append(texts, b.Text)
		}
	}
	for i := range m.Tools {
		c := &m.Tools[i]
		texts = append(texts, c.Title, c.Name, c.Input, c.Output)
	}
	return m.Gap == "" && !slices.ContainsFunc(words, func(w needle.Needle) bool { return !slices.ContainsFunc(texts, w.In) })
}

// compareSearch searches a file and compares with who reads all of it, masks it and looks.
// Notes that the program words are found by chance.
func compareSearch(t *testing.T, f *session.Format, file string, query ...string) {
	t.Helper()
	compareWithin(t, []int64{1 << 40, 1}, f, file, query...)
}

func compareWithin(t *testing.T, budgets []int64, f *session.Format, file string, query ...string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var words []needle.Needle
	for _, w := range query {
		words = append(words, needle.New(w))
	}
	want, may := make(map[string]bool), make(map[string]bool)
	log := sessiontest.Read(f, "", data[:bytes.LastIndexByte(data, '\n')+1])
	for i := range log.Messages {
		m := &log.Messages[i]
		m.Mask()
		if holdAll(m, words, false) {
			want[Cursor(m)] = true
		}
		may[Cursor(m)] = holdAll(m, words, true)
	}
	for _, budget := range budgets {
		got := make(map[string]bool)
		for at := int64(0); at >= 0; {
			part := make(map[string]bool)
			at, _, err = (&Snapshot{}).Search(t.Context(), &Item{File: file, Format: f}, at, budget, words, func(m *session.Message) bool {
				m.Mask()
				if !holdAll(m, words, true) {
					return true
				}
				if got[Cursor(m)] || !may[Cursor(m)] {
					t.Errorf("%q in %s: the message at %s is found in two parts, or has other words: %v", query, file, Cursor(m), got[Cursor(m)])
				}
				part[Cursor(m)] = true
				return true
			})
			if err != nil {
				t.Fatal(err)
			}
			maps.Copy(got, part)
		}
		for cursor := range want {
			if !got[cursor] {
				t.Errorf("%q in %s: the message at %s is not found", query, file, cursor)
			}
		}
	}
}

// TestSearchFar looks for words that stand far apart in one message: in a call and its answer,
// and in parts of one message with others between them.
func TestSearchFar(t *testing.T) {
	var b bytes.Buffer
	line := func(kind, id, block string) {
		fmt.Fprintf(&b, `{"type":"%s","timestamp":"2026-11-23T02:00:00Z","message":{"id":"%s","role":"%s","content":[%s]}}`+"\n", kind, id, kind, block)
	}
	fill := func(bytes int) {
		for n := 0; n < bytes; n += 50_000 {
			line("user", "", `{"type":"text","text":"`+strings.Repeat("fill ", 10_000)+`"}`)
		}
	}
	line("assistant", "m0", `{"type":"text","text":"kelvin alone"}`)
	line("assistant", "m1", `{"type":"tool_use","id":"call1","name":"Bash","input":{"command":"quetzal run"}}`)
	fill(700_000)
	line("user", "", `{"type":"tool_result","tool_use_id":"call1","content":"kelvin ran"}`)
	fill(300_000)
	line("assistant", "m2", `{"type":"tool_use","id":"call2","name":"Bash","input":{"command":"kelvin once"}}`)
	fill(1_600_000)
	line("user", "", `{"type":"tool_result","tool_use_id":"call2","content":"the quetzal flew"}`)
	line("assistant", "m3", `{"type":"text","text":"quetzal first"}`)
	fill(800_000)
	line("assistant", "m3", `{"type":"text","text":"kelvin last"}`)
	line("user", "", `{"type":"text","text":"quetzal alone"}`)
	line("assistant", "m4", `{"type":"text","text":"zyzzyva"}`)
	line("assistant", "m4", `{"type":"tool_use","id":"call4","name":"Bash","input":{"command":"look"}}`)
	fill(300_000)
	line("user", "", `{"type":"tool_result","tool_use_id":"call4","content":"it is seen"}`)
	file := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, query := range [][]string{{"kelvin", "quetzal"}, {"quetzal", "kelvin"}, {"ran", "run"}, {"last", "first"}, {"flew", "once"}, {"flew", "ran"}, {"nowhere", "ran"}, {"zyzzyva", "seen"}} {
		compareSearch(t, claude.Format(), file, query...)
	}
}

// TestSearchParts holds that a message of which the word stands behind the end of a part is
// found once, though another one with the word has it read in both parts.
func TestSearchParts(t *testing.T) {
	var b bytes.Buffer
	fill := strings.Repeat("fill ", 4_000)
	for i := range 100 { // 2 MB
		fmt.Fprintf(&b, `{"type":"assistant","message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"call%d","name":"Bash","input":{"command":"run"}}]}}`+"\n", i, i)
		fmt.Fprintf(&b, `{"type":"assistant","message":{"id":"t%d","role":"assistant","content":[{"type":"text","text":"kelvin %s"}]}}`+"\n", i, fill)
		if i >= 2 {
			fmt.Fprintf(&b, `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"call%d","content":"kelvin"}]}}`+"\n", i-2)
		}
	}
	file := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	compareSearch(t, claude.Format(), file, "kelvin")
}

// TestSearchFixtures looks for the words of recorded sessions of all programs.
func TestSearchFixtures(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	word := regexp.MustCompile(`[\pL\pN_./-]{3,20}`)
	for _, f := range []*session.Format{claude.Format(), codex.Format(), gemini.Format(), copilot.Format()} {
		t.Run(f.Client, func(t *testing.T) {
			files := recorded(t, filepath.Join("..", "..", "core", "session", f.Client, "testdata"))
			rng := rand.New(rand.NewPCG(1, 2))
			for _, file := range files {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				// The names of Codex's MCP tools are put together of two members.
				all := word.FindAllString(sessiontest.Text(sessiontest.Read(f, "", data)), -1)
				all = slices.DeleteFunc(all, func(w string) bool { return strings.HasPrefix(w, "mcp__") })
				for range 12 {
					at := rng.IntN(len(all))
					compareSearch(t, f, file, all[at])
					compareSearch(t, f, file, all[at], all[min(len(all)-1, at+rng.IntN(4))])
				}
			}
		})
	}
}

// recorded lists the transcripts below a folder.
func recorded(t *testing.T, folder string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, session.Plain) {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	return files
}

// FuzzSearch compares over sessions made by chance: blocks of one message with others between
// them, results far behind their calls, letters by their numbers, decomposed ones, long lines,
// secrets, a last line that was cut, and in some of them ids that repeat.
func FuzzSearch(f *testing.F) {
	if testing.Short() {
		f.Skip()
	}
	for seed := range uint64(12) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 7))
		file := filepath.Join(t.TempDir(), "s.jsonl")
		repeated, budgets := seed%3 == 0, []int64{1 << 40, 1}
		if repeated {
			budgets = budgets[:1] // such a message is found in each part that has some of it
		}
		if err := os.WriteFile(file, madeUp(rng, repeated), 0o600); err != nil {
			t.Fatal(err)
		}
		queries := [][]string{{"caf\u00e9"}, {"Zu\u0308rich"}, {"quetzal"}, {"kelvin"}, {"\U0001f389"}, {"ghp_0123456789abcdef"}, {"red fox"}, {"quetzal", "red"}, {"nowhere"}}
		for range 3 {
			query := queries[rng.IntN(len(queries))]
			compareWithin(t, budgets, claude.Format(), file, query...)
		}
	})
}

func madeUp(rng *rand.Rand, repeated bool) []byte {
	texts := []string{
		"a caf\u00e9", `a caf\u00E9`, `cafe\u0301`, "cafe\u0301", `{\"path\": \"caf\\u00e9\"}`, "Z\u00dcRICH", `Zu\u0308rich`, "QUETZAL red", `q\u0075etzal`, `\u212aelvin`, "\U0001f389", `\ud83c\udf89`,
		"token ghp_0123456789abcdef0123456789abcdef0123", `red\n fox`, "red fox", `\\u0041 \u0041\u0042`, "plain", "plain", "plain", "plain",
	}
	var b bytes.Buffer
	var open []int
	id := 0
	for i := range 20 + rng.IntN(30) {
		text := texts[rng.IntN(len(texts))]
		if rng.IntN(4) == 0 {
			text += strings.Repeat(" x", rng.IntN(80_000))
		}
		if id += rng.IntN(2); repeated {
			id = rng.IntN(4)
		}
		block, kind := fmt.Sprintf(`{"type":"text","text":"%s"}`, text), "assistant"
		switch n := rng.IntN(4); {
		case n == 0:
			block = fmt.Sprintf(`{"type":"tool_use","id":"call%d","name":"Bash","input":{"command":"%s"}}`, i, text)
			open = append(open, i)
		case n == 1 && len(open) > 0:
			k := rng.IntN(len(open))
			block, kind = fmt.Sprintf(`{"type":"tool_result","tool_use_id":"call%d","content":"%s"}`, open[k], text), "user"
			open = slices.Delete(open, k, k+1)
		}
		fmt.Fprintf(&b, `{"type":"%s","uuid":"u%d","timestamp":"2026-11-23T02:%02d:%02dZ","message":{"id":"m%d","role":"%s","content":[%s]}}`+"\n", kind, i, i/60, i%60, id, kind, block)
	}
	return b.Bytes()[:b.Len()-rng.IntN(20)]
}

// TestSearchRepeated holds that of a session whose ids of messages and calls repeat, so that
// messages are spread over all of it, each line is parsed about once.
func TestSearchRepeated(t *testing.T) {
	var b bytes.Buffer
	for i := 0; b.Len() < 3<<20; i++ {
		fill := strings.Repeat("kelvin and the fill ", 150)
		fmt.Fprintf(&b, `{"type":"assistant","uuid":"a%d","timestamp":"2026-11-23T02:00:%02dZ","message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"call%d","name":"Bash","input":{"command":"kelvin"}}]}}`+"\n", i, i%60, i%10, i%10)
		fmt.Fprintf(&b, `{"type":"user","uuid":"u%d","timestamp":"2026-11-23T02:00:%02dZ","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"call%d","content":%q}]}}`+"\n", i, i%60, i%10, fill)
	}
	file := filepath.Join(t.TempDir(), "a.jsonl")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	found := 0
	_, _, err := (&Snapshot{}).Search(t.Context(), &Item{File: file, Format: claude.Format()}, 0, 1<<40, []needle.Needle{needle.New("kelvin")}, func(*session.Message) bool {
		found++
		return true
	})
	runtime.ReadMemStats(&after)
	if times := float64(after.TotalAlloc-before.TotalAlloc) / float64(b.Len()); err != nil || found != 10 || times > 6 {
		t.Errorf("%d messages, and %.1f times the session was allocated: %v", found, times, err)
	}
}

// TestSearchEnds holds that a search reads no further back than what is wanted, also past
// a line that is too long to be searched, and otherwise everything once.
func TestSearchEnds(t *testing.T) {
	var b bytes.Buffer
	line := func(text string) {
		fmt.Fprintf(&b, `{"type":"user","timestamp":"2026-11-23T02:00:00Z","message":{"role":"user","content":[{"type":"text","text":%q}]}}`+"\n", text)
	}
	for i := range 400 {
		if i == 200 {
			line(strings.Repeat("x", maxSearched+1))
		}
		line(fmt.Sprint("kelvin ", i, strings.Repeat(" fill", 5000)))
	}
	file := filepath.Join(t.TempDir(), "a.jsonl")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	words := []needle.Needle{needle.New("kelvin")}
	for _, all := range []bool{false, true} {
		got := make(map[string]bool)
		next, read, err := (&Snapshot{}).Search(t.Context(), &Item{File: file, Format: claude.Format()}, 0, 1<<40, words, func(m *session.Message) bool {
			got[Cursor(m)] = true
			return all
		})
		if whole := read == int64(b.Len()); err != nil || next != -1 || whole != all || !all && read > 2*firstPart || all && len(got) < 400 || len(got) == 0 {
			t.Errorf("all %v: %d messages in %d of %d bytes, then %d: %v", all, len(got), read, b.Len(), next, err)
		}
	}
}
