package setup

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

const usual = "/opt/signalbox/bin/signalbox"

// place is a machine of its own.
type place struct {
	t    *testing.T
	home string
	// in is a terminal, or nil.
	in *os.File
	// program is what clients are to start, another than usual if it is set, and search
	// the PATH.
	program, search string
}

func newPlace(t *testing.T, files map[string]string) *place {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, home: home}
	for name, text := range files {
		p.put(name, text)
	}
	return p
}

func (p *place) path(name string) string { return filepath.Join(p.home, filepath.FromSlash(name)) }

func (p *place) put(name, text string) {
	p.t.Helper()
	path := p.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// run runs the command and returns what it writes.
func (p *place) run(args ...string) (out string, err error) {
	p.t.Helper()
	env := map[string]string{"SIGNALBOX_STATE_DIR": p.path("state"), "SIGNALBOX_CONFIG_DIR": p.path("own"), "AppData": p.path("AppData/Roaming"), "PATH": p.search}
	null, err := os.Open(os.DevNull)
	if err != nil {
		p.t.Fatal(err)
	}
	defer null.Close()
	in := null
	if p.in != nil {
		in = p.in
	}
	var b bytes.Buffer
	o := &cli.Options{Program: &cli.Program{
		Env: environ.Env{Getenv: func(k string) string { return env[k] }, Home: p.home, Work: p.path("proj/src")},
		Now: time.Now, In: in, Stdout: &b, Stderr: &b,
	}}
	cmd := Command(o)
	o.Register(cmd)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	program := usual
	if p.program != "" {
		program = p.program
	}
	cmd.SetArgs(append(slices.Clone(args), "--command", program))
	cmd.SetOut(io.Discard)
	err = cmd.ExecuteContext(p.t.Context())
	return b.String(), err
}

// tree returns every file but our own, by name.
func (p *place) tree() map[string]string {
	p.t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(p.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if info, err := os.Stat(path); d.Type()&fs.ModeSymlink != 0 && (err != nil || info.IsDir()) {
			return nil
		}
		name, err := filepath.Rel(p.home, path)
		if name = filepath.ToSlash(name); err != nil || strings.HasPrefix(name, "state/") || strings.HasPrefix(name, "own/") {
			return err
		}
		text, err := os.ReadFile(path)
		files[name] = string(text)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return files
}

// userFiles are the files of each client on Linux, where the tests of bytes run.
var userFiles = map[string][]string{
	"claude":   {".claude.json", ".claude/settings.json", ".claude/CLAUDE.md"},
	"codex":    {".codex/hooks.json", ".codex/config.toml", ".codex/AGENTS.md"},
	"gemini":   {".gemini/settings.json", ".gemini/GEMINI.md"},
	"copilot":  {".copilot/mcp-config.json", ".copilot/hooks/signalbox.json", ".copilot/copilot-instructions.md"},
	"opencode": {".config/opencode/opencode.json", ".config/opencode/plugins/signalbox.js", ".config/opencode/AGENTS.md"},
	"cursor":   {".cursor/mcp.json"},
	"vscode":   {".config/Code/User/mcp.json"},
	"zed":      {".config/zed/settings.json"},
	"windsurf": {".codeium/windsurf/mcp_config.json"},
}

// befores are what a file may hold before, by the end of its name.
var befores = map[string]map[string]string{
	".json": {
		"empty": "", "an object": "{}", "an object with a line end": "{}\n", "over lines": "{\n}\n",
		"others":       "{\n  \"mcpServers\": {\n    \"other\": {\n      \"command\": \"x\"\n    }\n  },\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": []\n      }\n    ]\n  }\n}\n",
		"on one line":  `{"theme":"dark","mcpServers":{"other":{"command":"x"}},"servers":{},"context_servers":{},"mcp":{}}`,
		"tabs":         "{\n\t\"theme\": \"dark\"\n}",
		"Windows":      "{\r\n    \"theme\": \"dark\"\r\n}\r\n",
		"comments":     "// mine\n{\n  /* a, b */\n  \"theme\": \"dark\", // c\n  // d\n}\n",
		"empty values": "{\"hooks\": {}, \"mcpServers\": {}, \"permissions\": {\"allow\": []}}\n",
	},
	".toml": {
		"empty": "", "others": "model = \"x\" # why\n\n[mcp_servers.other]\ncommand = \"y\"\n", "no line end": "model = \"x\"", "Windows": "model = \"x\"\r\n",
	},
	".md": {"empty": "", "text": "# Rules\n\nBe kind.\n", "no line end": "Be kind."},
	".js": {"empty": ""},
}

// TestThereAndBack sets each client up from each state, twice, and takes it back.
func TestThereAndBack(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("paths of clients differ; the files are held on Linux")
		return
	}
	for client, files := range userFiles {
		for _, file := range files {
			cases := befores[filepath.Ext(file)]
			if strings.HasSuffix(file, "hooks/signalbox.json") {
				cases = map[string]string{"empty": ""}
			}
			for name, text := range cases {
				t.Run(client+"/"+filepath.Base(file)+"/"+name, func(t *testing.T) {
					t.Parallel()
					p := newPlace(t, map[string]string{file: text})
					p.thereAndBack(client)
				})
			}
		}
		t.Run(client+"/nothing", func(t *testing.T) { newPlace(t, nil).thereAndBack(client) })
	}
}

func (p *place) thereAndBack(client string) {
	t := p.t
	t.Helper()
	before := p.tree()
	if out, err := p.run(client, "--yes"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	after := p.tree()
	for _, file := range userFiles[client] {
		if !strings.Contains(after[file], "signalbox") {
			t.Errorf("%s does not name us: %q", file, after[file])
		}
	}
	if out, err := p.run(client, "--check"); err != nil || !strings.HasSuffix(out, " set up\n") || strings.Contains(out, "not set up") {
		t.Errorf("checked: %q, %v", out, err)
	}
	if out, err := p.run(client, "--yes"); err != nil || !strings.HasSuffix(out, "Nothing to change.\n") {
		t.Errorf("the second time: %q, %v", out, err)
	}
	if diff := cmp.Diff(after, p.tree()); diff != "" {
		t.Errorf("the second time changed:\n%s", diff)
	}
	if out, err := p.run(client, "--remove", "--yes"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if diff := cmp.Diff(before, p.tree()); diff != "" {
		t.Errorf("taken back (-before +after):\n%s", diff)
	}
	if out, err := p.run(client, "--check"); err != nil || !strings.Contains(out, "not set up") {
		t.Errorf("checked after it: %q, %v", out, err)
	}
}

// TestChangedSince takes back what is ours of files that their programs wrote anew.
func TestChangedSince(t *testing.T) {
	p := newPlace(t, map[string]string{".claude.json": "{\n  \"numStartups\": 1\n}\n", ".claude/settings.json": "{\"theme\":\"dark\"}"})
	if out, err := p.run("claude", "--yes"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p.put(".claude.json", strings.Replace(p.tree()[".claude.json"], `"numStartups": 1`, `"numStartups": 2`, 1))
	if out, err := p.run("claude", "--yes", "--as", "coder"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := p.tree()[".claude.json"]; strings.Count(got, `"signalbox": {`) != 1 || !strings.Contains(got, `"coder"`) {
		t.Errorf("set up anew: %s", got)
	}
	if out, err := p.run("claude", "--yes", "--remove"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := map[string]string{".claude.json": "{\n  \"numStartups\": 2\n}\n", ".claude/settings.json": "{\"theme\":\"dark\"}"}
	if diff := cmp.Diff(want, p.tree()); diff != "" {
		t.Error(diff)
	}
}

// TestLeftAlone names files that cannot be changed, and changes the others.
func TestLeftAlone(t *testing.T) {
	for name, c := range map[string]struct{ file, text, fault string }{
		"no JSON":        {".claude.json", "{\n  \"a\": ", "is no JSON"},
		"another kind":   {".claude.json", `{"mcpServers": 3}`, "it stands in what is no object"},
		"names twice":    {".claude.json", `{"mcpServers": {}, "mcpServers": {}}`, "stands there twice"},
		"UTF-16":         {".claude.json", "\xff\xfe{\x00}\x00", "is no JSON"},
		"no TOML":        {".codex/config.toml", "model = ", "is no TOML"},
		"a server there": {".codex/config.toml", "[mcp_servers.signalbox]\ncommand = \"x\"\n", "is there already, and not as Signalbox wrote it"},
		"a table inside": {".codex/config.toml", "mcp_servers = {other = {command = \"x\"}}\n", "is written on one line"},
		"their server":   {".claude.json", `{"mcpServers": {"signalbox": {"command": "/home/u/own.sh"}}}`, "is there already, and not as Signalbox wrote it"},
		"another plugin": {".config/opencode/plugins/signalbox.js", "export const X = 1\n", "somebody else wrote a file of this name"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, map[string]string{c.file: c.text})
			out, err := p.run("claude", "codex", "opencode", "--yes")
			if err == nil || !strings.Contains(out, c.fault) || !strings.Contains(out, "is left alone") {
				t.Errorf("%v\n%s", err, out)
			}
			if got := p.tree(); got[c.file] != c.text || !strings.Contains(got[".config/opencode/opencode.json"], "signalbox") {
				t.Errorf("afterwards: %q", got)
			}
		})
	}
}

// TestLinks follows a link of the user's own and none that a repository brought.
func TestLinks(t *testing.T) {
	p := newPlace(t, map[string]string{"dotfiles/claude.json": "{}\n", "proj/.git/HEAD": "", "proj/src/x": "", "victim.json": "{}"})
	for link, to := range map[string]string{".claude.json": "dotfiles/claude.json", "proj/.mcp.json": "victim.json"} {
		if err := os.Symlink(p.path(to), p.path(link)); err != nil {
			t.Log("links cannot be made here: ", err)
			return
		}
	}
	if out, err := p.run("claude", "--yes"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if info, err := os.Lstat(p.path(".claude.json")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
	if got := p.tree()["dotfiles/claude.json"]; !strings.Contains(got, "signalbox") {
		t.Errorf("the file behind it holds %q", got)
	}
	if out, err := p.run("claude", "--yes", "--project"); err == nil || !strings.Contains(out, "is a link, which the repository brought") {
		t.Errorf("%v\n%s", err, out)
	}
	if got := p.tree()["victim.json"]; got != "{}" {
		t.Errorf("the victim holds %q", got)
	}
}

// TestProject writes files that can be committed: no path of this machine is in them.
func TestProject(t *testing.T) {
	p := newPlace(t, map[string]string{"proj/.git/HEAD": "", "proj/src/x": ""})
	out, err := p.run("--project", "--yes")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, text := range p.tree() {
		if strings.Contains(text, p.home) || strings.Contains(text, "/opt/") {
			t.Errorf("%s names this machine:\n%s", name, text)
		}
		if !strings.HasPrefix(name, "proj/") {
			t.Errorf("%s is no file of the project", name)
		}
	}
	if out, err := p.run("--project", "--remove", "--yes"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if diff := cmp.Diff(map[string]string{"proj/.git/HEAD": "", "proj/src/x": ""}, p.tree()); diff != "" {
		t.Error(diff)
	}
}

// TestAsks changes nothing without a yes, and nothing at all when it only shows.
func TestAsks(t *testing.T) {
	p := newPlace(t, map[string]string{".claude.json": "{}"})
	for _, args := range [][]string{{"claude"}, {"claude", "--dry-run"}, {"claude", "--check"}} {
		out, err := p.run(args...)
		if (err == nil) != (len(args) > 1) {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
		if diff := cmp.Diff(map[string]string{".claude.json": "{}"}, p.tree()); diff != "" {
			t.Errorf("%v: %s", args, diff)
		}
	}
	for _, args := range [][]string{{"emacs"}, {"claude", "--person", "a b"}, {"--as", "coder"}} {
		if out, err := p.run(args...); err == nil {
			t.Errorf("%v was taken: %s", args, out)
		}
	}
}

// TestShowsNoLogin shows of a file on one line what changes alone.
func TestShowsNoLogin(t *testing.T) {
	login := "secret-" + strings.Repeat("x", 300)
	p := newPlace(t, map[string]string{".claude.json": `{"oauthAccount":"` + login + `"}`})
	out, err := p.run("claude", "--dry-run")
	if err != nil || strings.Contains(out, "secret-") || !strings.Contains(out, `"mcpServers": {"signalbox":`) {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestPerson writes down who the person is.
func TestPerson(t *testing.T) {
	p := newPlace(t, map[string]string{".claude.json": "{}"})
	if out, err := p.run("claude", "--yes", "--person", "dev"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(p.path("own/config.json"))
	if err != nil || !json.Valid(text) || !strings.Contains(string(text), `"person": "dev"`) {
		t.Errorf("%s, %v", text, err)
	}
}

// TestMeanwhile leaves a file alone that another program changes at the same moment.
func TestMeanwhile(t *testing.T) {
	p := newPlace(t, map[string]string{".claude.json": "{}"})
	j, err := openJournal(p.path("state"))
	if err != nil {
		t.Fatal(err)
	}
	m := machine{getenv: func(string) string { return "" }, home: p.home, command: "signalbox"}
	plan, err := add(clientNamed("claude").files(m)[0], "", j)
	if err != nil {
		t.Fatal(err)
	}
	p.put(".claude.json", "{\"numStartups\": 1}")
	if err := plan.apply(t.Context(), j, false); err == nil {
		t.Error("it was overwritten")
	}
	if got := p.tree()[".claude.json"]; got != "{\"numStartups\": 1}" {
		t.Errorf("it holds %q", got)
	}
}

// TestRewritten takes back what is ours of files into which their programs wrote since, and
// nothing else: not even a file that setup made.
func TestRewritten(t *testing.T) {
	codex := "[mcp_servers.other]\ncommand = \"y\"\n\n[tui]\ntheme = \"dark\"\n"
	for name, c := range map[string]struct{ file, put, with, want string }{
		"a login":        {".claude.json", "{\n  \"mcpServers\"", "{\n  \"oauthAccount\": 7,\n  \"mcpServers\"", "{\n  \"oauthAccount\": 7\n}\n"},
		"their text":     {".claude/CLAUDE.md", "", "Be kind.\n", "Be kind.\n"},
		"inside marks":   {".codex/config.toml", "# signalbox: end\n", "\n" + codex + "# signalbox: end\n", "\n" + codex},
		"without marks":  {".codex/config.toml", "# signalbox: begin\n", codex + "\n", codex},
		"their hook":     {".claude/settings.json", "\"timeout\": 10\n          }\n        ]\n      },\n", "\"timeout\": 10\n          },\n          {\n            \"command\": \"own.sh\"\n          }\n        ]\n      },\n", "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n            \"command\": \"own.sh\"\n          }\n        ]\n      }\n    ]\n  }\n}\n"},
		"their variable": {".claude.json", "\"args\": [", "\"env\": {\"A\": \"b\"},\n      \"args\": [", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, map[string]string{".codex/x": "", ".claude/x": ""})
			if out, err := p.run("claude", "codex", "--yes"); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			made := p.tree()[c.file]
			changed := c.with
			if c.put != "" {
				if changed = strings.Replace(made, c.put, c.with, 1); changed == made {
					t.Fatalf("%q is not in:\n%s", c.put, made)
				}
			}
			p.put(c.file, changed)
			if name == "their variable" {
				if out, err := p.run("claude", "--yes", "--as", "coder"); err != nil || !strings.Contains(p.tree()[c.file], `"A": "b"`) {
					t.Errorf("%v\n%s\n%s", err, out, p.tree()[c.file])
				}
			}
			if out, err := p.run("claude", "codex", "--remove", "--yes"); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			got := p.tree()[c.file]
			if filepath.Ext(c.file) == ".json" && c.want != "" {
				var a, b any
				if json.Unmarshal([]byte(got), &a) != nil || json.Unmarshal([]byte(c.want), &b) != nil || !cmp.Equal(a, b) {
					t.Errorf("it holds %s", got)
				}
			} else if got != c.want {
				t.Errorf("it holds %q, want %q", got, c.want)
			}
		})
	}
}

// TestShared leaves files of a project alone, when one client goes, that another needs.
func TestShared(t *testing.T) {
	p := newPlace(t, map[string]string{"proj/.git/HEAD": "", "proj/src/x": ""})
	if out, err := p.run("claude", "copilot", "codex", "--project", "--yes"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := p.run("copilot", "--project", "--remove", "--yes"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := p.tree()
	if got["proj/.mcp.json"] == "" || got["proj/AGENTS.md"] == "" || got["proj/.github/hooks/signalbox.json"] != "" {
		t.Errorf("after Copilot went: %q", got)
	}
	if out, err := p.run("claude", "codex", "--project", "--remove", "--yes"); err != nil || len(p.tree()) != 2 {
		t.Errorf("%v\n%s\n%q", err, out, p.tree())
	}
}
