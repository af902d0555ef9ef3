package setup

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/setup/edit"
)

// TestCopy replaces a copy, also one that cannot be replaced while it runs.
func TestCopy(t *testing.T) {
	for _, have := range []string{"", "old", "folder"} {
		dir := t.TempDir()
		from, to := filepath.Join(dir, "from"), filepath.Join(dir, "state", "bin", "signalbox")
		put := func(path, text string) {
			t.Helper()
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o700)); err != nil {
				t.Fatal(err)
			}
		}
		put(from, "new")
		switch have {
		case "old":
			put(to, "old")
		case "folder": // a rename over a folder that is not empty fails
			put(filepath.Join(to, "running"), "x")
		}
		if err := copyProgram(from, to); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(to)
		info, e := os.Stat(to)
		if err != nil || e != nil || string(text) != "new" || info.Mode().Perm()&0o100 == 0 {
			t.Errorf("where there was %q it holds %q, %v, %v", have, text, err, e)
		}
	}
	if err := copyProgram(filepath.Join(t.TempDir(), "none"), filepath.Join(t.TempDir(), "x")); err == nil {
		t.Error("a program that is not there was copied")
	}
}

// TestCopyKept goes by versions, so that two editions of an editor do not take turns.
func TestCopyKept(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"program": "same", "same": "same", "other": "else"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, copied, version, ours string
		want                        bool
	}{
		{"no copy", "none", "", "1.2.0", false},
		{"it does not answer", "same", "", "1.2.0", false},
		{"an older one", "other", "1.9.0", "1.10.0", false},
		{"a newer one", "other", "1.10.0", "1.9.0", true},
		{"a newer one, seen from a preview", "other", "1.2.0", "1.2.0-rc1", true},
		{"a preview, seen from the release", "other", "1.2.0-rc1", "1.2.0", false},
		{"two previews", "other", "1.2.0-rc1", "1.2.0-rc2", false},
		{"the same", "same", "1.2.0", "1.2.0", true},
		{"another build of the same version", "other", "1.2.0", "1.2.0", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &setup{Options: &cli.Options{Version: c.ours}}
			if got := s.keeps(filepath.Join(dir, "program"), filepath.Join(dir, c.copied), c.version); got != c.want {
				t.Errorf("kept: %v", got)
			}
		})
	}
}

// TestInCache: what npx runs is copied; "make test-packages" runs it so.
func TestInCache(t *testing.T) {
	for program, want := range map[string]bool{
		"/home/kim/.npm/_npx/3c1f/node_modules/@signalbox/cli-linux-x64/bin/signalbox":        true,
		"/home/kim/.cache/pnpm/dlx/3c1f/node_modules/.pnpm/x/bin/signalbox":                   true,
		"/usr/lib/node_modules/signalbox/node_modules/@signalbox/cli-linux-x64/bin/signalbox": false,
		"/home/kim/bin/signalbox": false,
	} {
		if got := inCache(program); got != want {
			t.Errorf("inCache(%q) = %v", program, got)
		}
	}
}

// TestAliasOf makes aliases of what people are called.
func TestAliasOf(t *testing.T) {
	for word, want := range map[string]string{
		"Dana": "dana", "Renée": "renee", "Müller-Lüdenscheidt": "muller-ludenscheidt", "O'Brien": "obrien", "J.": "j", "李雷": "", "": "",
		"Łukasz": "", "a/b": "", "--as": "", "CON": "", "x\x1b[2J": "", strings.Repeat("x", 65): "",
	} {
		if got := aliasOf(word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

// TestProposal proposes the name of the user's own git configuration, never a repository's,
// and none that an agent has.
func TestProposal(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	p := newPlace(t, map[string]string{".gitconfig": "[user]\nname = Project Dana Smith\n", "proj/src/x": ""})
	t.Setenv("XDG_CONFIG_HOME", p.path(".config"))
	for _, args := range [][]string{{"init", "-q"}, {"config", "user.name", "Mallory"}} {
		cmd := exec.Command(git, args...)
		cmd.Dir = p.path("proj")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	s := &setup{machine: machine{getenv: func(string) string { return filepath.Dir(git) }, home: p.home}}
	if got := s.proposeName(t.Context(), "project"); got != "dana" {
		t.Errorf("proposed: %q", got)
	}
}

// TestFacts tells an editor what it can set up.
func TestFacts(t *testing.T) {
	p := newPlace(t, map[string]string{".claude/x": "", "own/config.json": `{"person": "dev"}`, "proj/.git/HEAD": "", "proj/src/x": ""})
	out, err := p.run("--editor")
	var f Facts
	if err != nil || json.Unmarshal([]byte(out), &f) != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if f.Person != "dev" || f.Agent != "proj" || len(f.Clients) != 1 || f.Clients[0].Client != "claude" {
		t.Errorf("%s", out)
	}
	if info, err := os.Stat(f.Program); err != nil || info.Mode().Perm() != 0o700 || f.Program != p.path("state/bin/signalbox") {
		t.Errorf("the copy: %q, %v", f.Program, err)
	}
	// Clients that start the copy are set up, whoever looks.
	if out, err := p.run("claude", "--yes"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	settings := p.tree()[".claude.json"]
	for name, text := range p.tree() {
		p.put(name, strings.ReplaceAll(text, "/opt/signalbox/bin/signalbox", f.Program))
	}
	if p.tree()[".claude.json"] == settings {
		t.Fatal("no client starts the copy")
	}
	if out, err := p.run("claude", "--check"); err != nil || !strings.HasSuffix(out, " set up\n") {
		t.Errorf("checked: %q, %v", out, err)
	}
}

// TestRenewCopy makes no copy where there is none.
func TestRenewCopy(t *testing.T) {
	p := newPlace(t, nil)
	if out, err := p.run("--renew-copy"); err != nil || out != "" {
		t.Errorf("%q, %v", out, err)
	}
	if _, err := os.Stat(p.path("state")); err == nil {
		t.Error("it made something")
	}
	p.put("state/bin/signalbox", "old")
	if err := os.Chtimes(p.path("state/bin/signalbox"), time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if out, err := p.run("--renew-copy"); err != nil || out != "" {
		t.Errorf("%q, %v", out, err)
	}
	if info, err := os.Stat(p.path("state/bin/signalbox")); err != nil || info.Size() < 1000 {
		t.Errorf("it is the old one: %v", err)
	}
}

// TestPlan tells a program what the files will hold, and what is left alone.
func TestPlan(t *testing.T) {
	files := map[string]string{".claude.json": "{\n  \"münze\": 1\n}\n", ".claude/CLAUDE.md": "Be kind.\r\n", ".gemini/settings.json": "{"}
	p := newPlace(t, files)
	out, err := p.run("claude", "gemini", "--dry-run", "--json", "--person", "dev")
	if err == nil {
		t.Error("what is left alone was not told")
	}
	if got := p.tree(); got[".claude.json"] != files[".claude.json"] {
		t.Errorf("it changed something: %q", got)
	}
	var plans []Plan
	for line := range strings.Lines(out) {
		var plan Plan
		if json.Unmarshal([]byte(line), &plan) == nil {
			plans = append(plans, plan)
		}
	}
	if len(plans) != 2 || len(plans[1].Left) != 1 || plans[1].Left[0].Path != p.path(".gemini/settings.json") {
		t.Fatalf("%s", out)
	}
	want := make(map[string]string)
	for _, f := range plans[0].Files {
		name, err := filepath.Rel(p.home, f.Path)
		if err != nil {
			t.Fatal(err)
		}
		before, there := p.tree()[filepath.ToSlash(name)]
		if there == f.New {
			t.Errorf("%s is new: %v", name, f.New)
		}
		want[filepath.ToSlash(name)] = string(edit.Apply([]byte(before), f.Edits))
	}
	if out, err := p.run("claude", "--yes"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, text := range want {
		if got := p.tree()[name]; got != text {
			t.Errorf("%s: planned %q, written %q", name, text, got)
		}
	}
	if len(want) != 3 {
		t.Errorf("planned: %q", want)
	}
}

// TestPersonAlone says who the person is where there is no client.
func TestPersonAlone(t *testing.T) {
	p := newPlace(t, nil)
	if out, err := p.run("--yes"); err == nil {
		t.Errorf("nothing was set up, and nothing said: %s", out)
	}
	if out, err := p.run("--yes", "--person", "dev"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	p.put(".claude.json", "{}")
	if out, err := p.run("--yes", "--person", "kim", "--only-person"); err != nil || p.tree()[".claude.json"] != "{}" {
		t.Errorf("%v\n%s", err, out)
	}
	if text, err := os.ReadFile(p.path("own/config.json")); err != nil || !strings.Contains(string(text), `"person": "kim"`) {
		t.Errorf("%s, %v", text, err)
	}
}
