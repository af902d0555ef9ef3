package session

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/core/session/codex"
)

// sought returns the texts that a search of a file finds, which is told whether it wants more,
// how many bytes it looked through, and how many it allocated.
func sought(t *testing.T, file string, budget int64, more func(text string) bool, words ...string) (texts []string, read int64, allocated uint64) {
	t.Helper()
	var needles []needle.Needle
	for _, w := range words {
		needles = append(needles, needle.New(w))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, read, err := (&Snapshot{}).Search(t.Context(), &Item{File: file, Format: codex.Format()}, 0, budget, needles, func(m *session.Message) bool {
		if !holdAll(m, needles, false) {
			return true
		}
		text, _, _ := strings.Cut(m.Content[0].Text, " of ")
		texts = append(texts, text)
		return more(text)
	})
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return texts, read, after.TotalAlloc - before.TotalAlloc
}

func all(string) bool { return true }

// TestSearchBounds holds what a search reads and keeps of a long session: a part at a time, of
// what it may read, and no more messages than are wanted.
func TestSearchBounds(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, parts ...string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(strings.Join(parts, "")), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	var long strings.Builder
	for i := range 2_000 { // 20 MB
		long.WriteString(says(10+i, strings.Repeat("fill ", 2_000)))
	}
	fill := long.String()
	t.Run("a line longer than any that is searched", func(t *testing.T) {
		file := write("line", says(1, "first of zebras"), says(2, "zebra "+strings.Repeat("x", 32<<20)), says(3, "last of zebras"))
		texts, _, allocated := sought(t, file, 1<<40, all, "zebra")
		if got := strings.Join(texts, "|"); got != "last|first" || allocated > 30<<20 { // the line has 32 MB
			t.Errorf("%q, %d bytes allocated", got, allocated)
		}
	})
	t.Run("a word in every line, and one message is wanted", func(t *testing.T) {
		file := write("common", fill, says(3, "last of the fill"))
		texts, _, allocated := sought(t, file, 1<<40, func(string) bool { return false }, "fill")
		if len(texts) == 0 || len(texts) > 400 || allocated > 16<<20 {
			t.Errorf("%d messages, %d bytes allocated", len(texts), allocated)
		}
	})
	t.Run("a budget", func(t *testing.T) {
		file := write("budget", fill, says(3, "last of zebras"))
		if texts, read, _ := sought(t, file, 1<<20, all, "zebra"); len(texts) > 0 || read > 1<<20+searchWindow {
			t.Errorf("%q after %d bytes", texts, read)
		}
	})
	t.Run("two words that stand apart", func(t *testing.T) {
		file := write("apart", says(1, "first of zebras"), fill, says(3, "last of okapis"))
		if texts, _, allocated := sought(t, file, 1<<40, all, "zebra", "okapi"); len(texts) > 0 || allocated > 16<<20 {
			t.Errorf("%q, %d bytes allocated", texts, allocated)
		}
	})
}

// parts are a file that is nowhere: texts, each repeated up to a length.
type parts []struct {
	text   string
	length int64
}

func (p parts) ReadAt(b []byte, from int64) (n int, err error) {
	for _, part := range p {
		for n < len(b) && from < part.length {
			text := part.text[from%int64(len(part.text)):]
			did := copy(b[n:], text[:min(int64(len(text)), part.length-from)])
			n, from = n+did, from+int64(did)
		}
		from = max(0, from-part.length)
	}
	if n < len(b) {
		err = io.EOF
	}
	return n, err
}

// TestLarge searches a session of 2 GB with lines of 500 MB, and reads its newest page, in
// memory that has a limit.
func TestLarge(t *testing.T) {
	var p parts
	size := int64(0)
	add := func(text string, times int) {
		p = append(p, parts{{text, int64(times * len(text))}}...)
		size += int64(times * len(text))
	}
	add(says(2, "first of zebras"), 1)
	for chunk := range 4 {
		add(strings.Repeat("x", 1<<20), 500)
		add("\n", 1)
		for i := range 100 {
			add(says(200*chunk+10+2*i, strings.Repeat("fill ", 2_000)), 1)
		}
	}
	add(says(4, "last of zebras"), 1)
	r := func() *reader {
		return &reader{ctx: t.Context(), item: &Item{Format: codex.Format()}, f: &lines{ReaderAt: p}, size: size, end: size}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	page, err := r().page(Query{Limit: 20})
	if err != nil || len(page.Messages) != 20 || page.Before == "" {
		t.Fatal(len(page.Messages), err)
	}
	var found []string
	w := &wordSearch{reader: r(), covered: size, words: []needle.Needle{needle.New("zebra")}, found: func(m *session.Message) bool {
		found = append(found, m.Content[0].Text)
		return true
	}}
	read, err := w.whole()
	runtime.ReadMemStats(&after)
	if got := strings.Join(found, "|"); err != nil || read != size || got != "last of zebras|first of zebras" {
		t.Errorf("%.99q in %d of %d bytes: %v", got, read, size, err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 100<<20 {
		t.Errorf("%d MB were allocated", n>>20)
	}
}

// TestSearchGrows searches a session to which a line is added for each that is found, and one
// that is cut meanwhile: it ends with what was there.
func TestSearchGrows(t *testing.T) {
	const count = 200
	var lines bytes.Buffer
	for i := range count {
		lines.WriteString(says(i, "a zebra"+strings.Repeat(" x", 4_000)))
	}
	for name, change := range map[string]func(file string) error{
		"longer": func(file string) error {
			f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = f.WriteString(says(count, "another zebra"))
			return err
		},
		"shorter": func(file string) error { return os.Truncate(file, int64(lines.Len()/2)) },
		"empty":   func(file string) error { return os.Truncate(file, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "s")
			if err := os.WriteFile(file, lines.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			texts, read, _ := sought(t, file, 1<<40, func(string) bool {
				if err := change(file); err != nil {
					t.Error(err)
				}
				return true
			}, "zebra")
			if read > int64(lines.Len()) || name == "longer" && len(texts) < count {
				t.Errorf("%d messages in %d bytes", len(texts), read)
			}
			for _, s := range texts {
				if strings.HasPrefix(s, "another") {
					t.Fatal("what came later is found")
				}
			}
		})
	}
}
