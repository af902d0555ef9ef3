package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// swap replaces a text in a file, which must hold it exactly once: swap file old
// new.
func swap(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: swap file old new")
	}
	name := one(ts, args[0])
	text := ts.ReadFile(name)
	if n := strings.Count(text, args[1]); n != 1 {
		ts.Fatalf("%s holds %q %d times", name, args[1], n)
	}
	info, err := os.Stat(ts.MkAbs(name))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(name), []byte(strings.Replace(text, args[1], args[2], 1)), info.Mode().Perm()))
}

// one gives the one file that a pattern means.
func one(ts *testscript.TestScript, pattern string) string {
	found, err := filepath.Glob(ts.MkAbs(pattern))
	ts.Check(err)
	if len(found) != 1 {
		ts.Fatalf("%s means %d files: %q", pattern, len(found), found)
	}
	return found[0]
}

// repeat replaces a text in a file with another one, many times over: repeat file
// old new count.
func repeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: repeat file old new count")
	}
	n, err := strconv.Atoi(args[3])
	ts.Check(err)
	swap(ts, false, []string{args[0], args[1], strings.Repeat(args[2], n)})
}

// setMember sets a variable to a member of a JSON object: setmember NAME file member. The
// file's last line counts, and of an array its first element.
func setMember(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: setmember variable file member")
	}
	lines := strings.Split(strings.TrimSpace(ts.ReadFile(args[1])), "\n")
	var value any
	ts.Check(json.Unmarshal([]byte(lines[len(lines)-1]), &value))
	for name := range strings.SplitSeq(args[2], ".") {
		if list, ok := value.([]any); ok && len(list) > 0 {
			value = list[0]
		}
		object, ok := value.(map[string]any)
		if !ok {
			ts.Fatalf("%s is in no object", name)
		}
		value = object[name]
	}
	if value == nil {
		ts.Fatalf("there is no %s in %s", args[2], args[1])
	}
	ts.Setenv(args[0], fmt.Sprint(value))
}

// same holds that files have the same bytes, each given by a pattern: same a b. With
// ! they differ.
func same(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] same pattern pattern")
	}
	if (ts.ReadFile(one(ts, args[0])) == ts.ReadFile(one(ts, args[1]))) == neg {
		ts.Fatalf("%s and %s: the same bytes: %t", args[0], args[1], neg)
	}
}

// holdMode holds the permissions of files: mode 0600 pattern…
func holdMode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: mode 0600 pattern…")
	}
	for _, pattern := range args[1:] {
		found, err := filepath.Glob(ts.MkAbs(pattern))
		ts.Check(err)
		if len(found) == 0 {
			ts.Fatalf("%s means no file", pattern)
		}
		for _, path := range found {
			info, err := os.Stat(path)
			ts.Check(err)
			if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[0] {
				ts.Fatalf("%s has the mode %s, want %s", path, got, args[0])
			}
		}
	}
}

// noSecret holds that no private key below a directory is in what was printed last,
// nor in any file of the script but its own: nosecret dir
func noSecret(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: nosecret dir")
	}
	var secrets []string
	ts.Check(filepath.WalkDir(ts.MkAbs(args[0]), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "private.pem" {
			// The last characters are the secret's; the first are the same in all.
			lines := strings.Split(strings.TrimSpace(ts.ReadFile(path)), "\n")
			secrets = append(secrets, lines[1][len(lines[1])-32:])
		}
		return err
	}))
	if len(secrets) == 0 {
		ts.Fatalf("there is no private key in %s", args[0])
	}
	look := func(where, text string) {
		for _, s := range secrets {
			if strings.Contains(text, s) {
				ts.Fatalf("a private key is in %s", where)
			}
		}
	}
	look("stdout", ts.ReadFile("stdout"))
	look("stderr", ts.ReadFile("stderr"))
	ts.Check(filepath.WalkDir(ts.MkAbs("."), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && d.Name() != "private.pem" {
			look(path, ts.ReadFile(path))
		}
		return err
	}))
}

// clientBox makes the mailboxes that an existing client left, of the messages in
// testdata/amp: clientbox dir. When they expire is not signed, and put off, so that
// tests do not.
func clientBox(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: clientbox dir")
	}
	fixtures := ts.Getenv("AMP")
	write := func(data string, parts ...string) {
		path := filepath.Join(append([]string{ts.MkAbs(args[0]), "agents"}, parts...)...)
		ts.Check(os.MkdirAll(filepath.Dir(path), 0o700))
		ts.Check(os.WriteFile(path, []byte(data), 0o600))
	}
	keys, err := filepath.Glob(filepath.Join(fixtures, "keys", "*.public.pem"))
	ts.Check(err)
	for _, key := range keys {
		name := strings.TrimSuffix(filepath.Base(key), ".public.pem")
		domain := "acme.aimaestro.local"
		if name == "carol" {
			domain = "globex.crabmail.ai"
		}
		write(`{"version": "1.1", "agent": {"name": "`+name+`", "tenant": "acme", "address": "`+name+"@"+domain+`"}, "provider": {"domain": "aimaestro.local"}}`, name, "config.json")
		write(ts.ReadFile(key), name, "keys", "public.pem")
	}
	for _, box := range []string{"inbox", "sent"} {
		files, err := filepath.Glob(filepath.Join(fixtures, box, "*.json"))
		ts.Check(err)
		for _, file := range files {
			var m struct {
				Envelope struct{ ID, From, To string }
			}
			text := ts.ReadFile(file)
			ts.Check(json.Unmarshal([]byte(text), &m))
			owner, peer := m.Envelope.To, m.Envelope.From
			if box == "sent" {
				owner, peer = peer, owner
			}
			owner, _, _ = strings.Cut(owner, "@")
			peer = strings.NewReplacer("@", "_", ".", "_").Replace(peer)
			write(strings.Replace(text, "\n    \"expires_at\": \"2026", "\n    \"expires_at\": \"2126", 1), owner, "messages", box, peer, m.Envelope.ID+".json")
		}
	}
}
