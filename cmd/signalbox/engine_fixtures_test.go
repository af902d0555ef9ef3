//go:build !noengine && !race

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/samp"
)

func glob(t *testing.T, pattern ...string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(pattern...))
	if err != nil || len(found) == 0 {
		t.Fatalf("%q: %d files, %v", pattern, len(found), err)
	}
	for i := range found {
		if found[i], err = filepath.Abs(found[i]); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// fixtures runs each command over what lies below testdata, whole and broken.
func (l lab) fixtures(t *testing.T) {
	data := filepath.Join("..", "..", "testdata")
	t.Run("SAMP", func(t *testing.T) {
		for _, dir := range append(glob(t, data, "samp", "store-*"), broken(t)) {
			for _, args := range [][]string{
				{"inbox"},
				{"inbox", "all"},
				{"inbox", "raw"},
				{"inbox", "3"},
				{"inbox", "all", "--profile", "v1-compact"},
				{"raw"},
				{"raw", "all"},
				{"validate"},
				{"compact", "--all"},
				{"compact", "--all", "--profile", "v1-compact"},
			} {
				args = append(args, "--dir", ".")
				l.both(t, dir, "", args...)
				l.both(t, dir, "", append(args, "--json")...)
			}
			for _, name := range glob(t, dir, "log-*.jsonl") {
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				l.both(t, "", string(text), "samp", "id")
				l.both(t, "", string(text), "samp", "id", "--profile", "v1-compact")
				l.both(t, "", string(text), "samp", "thread", "--from", "bob", "--date", "2026-04-25", "--profile", "v1-compact")
			}
		}
	})
	t.Run("AMP", func(t *testing.T) {
		keys := glob(t, data, "amp", "keys")[0]
		names := append(glob(t, data, "amp", "*", "*.json"), bad(t)...)
		for _, name := range names {
			l.both(t, "", "", "amp", "check", "--notes", "--json", name)
			l.both(t, "", "", "amp", "verify", "--keys", keys, "--json", name)
		}
		for _, extra := range [][]string{nil, {"--json"}} {
			l.both(t, "", "", slices.Concat([]string{"amp", "check"}, extra, names)...)
			l.both(t, "", "", slices.Concat([]string{"amp", "verify", "--keys", keys}, extra, names, names[:3])...)
			l.both(t, "", "", slices.Concat([]string{"amp", "verify", "--now", "2026-11-22", "--keys", keys}, extra, names)...)
		}
	})
	t.Run("AGN", func(t *testing.T) {
		for _, name := range append(glob(t, data, "agn", "*", "*.json"), bad(t)...) {
			l.both(t, "", "", "task", "check", "--notes", "--json", name)
			l.both(t, "", "", "task", "check", name)
		}
		for _, dir := range glob(t, data, "agn", "*") {
			l.both(t, "", "", "task", "check", dir)
			l.both(t, "", "", "task", "check", "--payload", "dispatch", "--json", dir)
		}
	})
	t.Run("ATSF", func(t *testing.T) {
		for _, dir := range glob(t, data, "atsf", "*") {
			l.both(t, dir, "", "threads", "check", "--notes", ".")
			l.both(t, dir, "", "threads", "check", "--json", ".")
		}
		threads := append(glob(t, data, "atsf", "foreign", "*", "thread.json"), glob(t, data, "atsf", "*", "dot-agent", "threads", "*", "thread.json")...)
		for _, file := range threads {
			dir := filepath.Dir(file)
			l.both(t, dir, "", "threads", "check", "--notes", ".")
			for _, wrong := range []bool{false, true} {
				folder := project(t, dir, wrong)
				l.both(t, folder, "", "threads", "check", "--notes", ".")
				l.both(t, folder, "", "threads", "repair", filepath.Base(dir))
				l.both(t, folder, "", "threads", "repair", "--json", filepath.Base(dir))
			}
		}
	})
}

// broken makes a message directory in which every rule is broken: late and future
// mail, forgeries, replicas, torn and unreadable lines, and marks.
func broken(t *testing.T) string {
	t.Helper()
	record := func(from, rest string) string {
		return `{"ts": 1700000000, "from": "` + from + `", "to": "bob", "thread": "t", "body": "` + rest + "\n"
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"log-alice.jsonl": record("alice", `one"}`) + record("alice", `one"}`) + "\n{\n" + record("mallory", `forged"}`) +
			record("alice", `two\ud800", "id": "x"}`) + record("alice", `three", "p": 1}`) +
			`{"ts": 9000000000, "from": "alice", "to": "bob", "thread": "t", "body": "from the future"}` + "\n" +
			`{"ts": -5, "from": "a/b", "to": "bob", "thread": "t", "body": "\u202e"}` + "\n" + `{"ts": 1700000009, "from": "al`,
		"log-carol.jsonl":                    record("carol", `old"}`) + record("alice", `one"}`) + "[]\n{\"ts\":1,\"ts\":2}\n",
		"log-carol.sync-conflict-1.jsonl":    record("carol", `old"}`) + record("carol", `only here"}`),
		"log-a b.jsonl":                      record("a b", `no alias"}`),
		samp.WatermarkName("bob"):            `{"ts": 1700000000, "ids": ["x", "carol:none"]}`,
		samp.WatermarkName("carol"):          `{"ts": "no"}`,
		filepath.Join("state", "not a file"): "",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// bad makes files that are no message of any format, and one whose sender is
// nobody.
func bad(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "amp", "inbox", "01-plain.json"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{
		"empty.json": "", "list.json": "[]", "cut.json": "{\n  \"envelope\": {\"id\": ", "twice.json": `{"a":1,"a":2}`,
		"latin1.json": "{\"a\":\"\xe9\"}", "deep.json": strings.Repeat(`{"a":`, 70) + "1" + strings.Repeat("}", 70),
		"number.json": `{"a": 01}`, "long.json": `{"a":"` + strings.Repeat("x", 600<<10) + `"}`,
		"ack.json":    "{\"format\": \"signalbox-ack/1\",\n \"msg_id\": 7}",
		"resume.json": `{"format": "signalbox-resume/1", "msg_id": "x", "action": "dance"}`,
		"task.json":   `{"format": "signalbox-task/9"}`,
		"nobody.json": strings.Replace(string(text), `"from": "`, `"from": "/`, 1),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return glob(t, dir, "*")
}

// project makes a folder that holds a copy of one thread, with a count that is
// wrong or as it is.
func project(t *testing.T, thread string, wrong bool) (folder string) {
	t.Helper()
	folder = t.TempDir()
	dir := filepath.Join(folder, ".agent", "threads", filepath.Base(thread))
	if err := os.CopyFS(dir, os.DirFS(thread)); err != nil {
		t.Fatal(err)
	}
	config := "{\"specVersion\": \"1.0\", \"token\": \"sk-aaaaaaaaaaaaaaaaaaaaaaaa\"}"
	if err := os.WriteFile(filepath.Join(folder, ".agent", "config.json"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	if !wrong {
		return folder
	}
	path := filepath.Join(dir, "thread.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text = regexp.MustCompile(`"messageCount": *\d+`).ReplaceAll(text, []byte(`"messageCount": 77`))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}
