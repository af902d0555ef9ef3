package hooks_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"github.com/signalbox-dev/signalbox/lsp/hooks"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// place makes a project with a config.json of hooks, and a worktree beside it.
func place(t *testing.T, config string) (project, tree string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	project, tree = filepath.Join(dir, "project"), filepath.Join(dir, "tree")
	mkdir(t, project)
	mkdir(t, tree)
	if config != "" {
		write(t, filepath.Join(project, ".agent", "config.json"), `{"specVersion":"1.1","defaults":{"agentId":"claude-code"},"worktreeHooks":`+config+`}`)
	}
	return project, tree
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	mkdir(t, filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, project, tree string) hooks.Plan {
	t.Helper()
	p, err := hooks.Read(project, tree, "linux")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestRead: the plan is what the file says, with defaults, and names what cannot
// be done (ATSF H1, H3, Z10).
func TestRead(t *testing.T) {
	project, tree := place(t, `{
		"symlinks": [{"source": "deps"}, {"source": ".env.local", "target": "conf/.env"}, {"source": "../x"}, {"source": "absent"}],
		"postSetupCommands": [
			{"command": "make", "label": "Build"},
			{"command": "slow", "timeout": 5000, "continueOnError": true},
			{"command": "zero", "timeout": 0},
			{"command": "elsewhere", "platforms": ["win32", "darwin"]},
			{"command": "here", "platforms": ["linux"]},
			{"command": "nowhere", "platforms": []},
			{"command": "bell\u0007"}
		],
		"initialPrompt": "Begin."
	}`)
	mkdir(t, filepath.Join(project, "deps"))
	write(t, filepath.Join(project, ".env.local"), "")
	write(t, filepath.Join(tree, "conf", ".env"), "")
	p := read(t, project, tree)
	want := hooks.Plan{
		Project: project, Worktree: tree, File: filepath.Join(project, ".agent", "config.json"), Agent: "claude-code", Prompt: "Begin.",
		Links: []hooks.Link{
			{Source: filepath.Join(project, "deps"), Target: filepath.Join(tree, "deps")},
			{Source: filepath.Join(project, ".env.local"), Target: filepath.Join(tree, "conf", ".env"), TargetExists: true},
			{Source: "../x", Target: "../x", Problem: "-"},
			{Source: filepath.Join(project, "absent"), Target: filepath.Join(tree, "absent"), Problem: "the source does not exist"},
		},
		Commands: []hooks.Command{
			{Text: "make", Label: "Build", Timeout: 2 * time.Minute},
			{Text: "slow", Timeout: 5 * time.Second, ContinueOnError: true},
			{Text: "zero", Timeout: 2 * time.Minute},
			{Text: "elsewhere", Timeout: 2 * time.Minute, Other: true},
			{Text: "here", Timeout: 2 * time.Minute},
			{Text: "nowhere", Timeout: 2 * time.Minute, Other: true},
			{Text: "bell\a", Timeout: 2 * time.Minute, Problem: "-"},
		},
	}
	for _, problem := range []*string{&p.Links[2].Problem, &p.Commands[6].Problem} {
		if *problem == "" {
			t.Error("a hook that must not run has no problem")
		}
		*problem = "-"
	}
	if diff := gocmp.Diff(want, p, cmpopts.IgnoreUnexported(hooks.Plan{}, hooks.Link{})); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if p.Empty() || p.Commands[0].Name() != "Build" || p.Commands[1].Name() != "slow" {
		t.Errorf("empty %v, names %q %q", p.Empty(), p.Commands[0].Name(), p.Commands[1].Name())
	}
}

func TestReadNone(t *testing.T) {
	project, tree := place(t, "")
	if p := read(t, project, tree); !p.Empty() {
		t.Errorf("%+v", p)
	}
	for name, text := range map[string]string{"no JSON": "{", "a later version": `{"specVersion":"2.0","worktreeHooks":{}}`, "huge": `{"specVersion":"1.1","x":"` + strings.Repeat("x", 1<<20) + `"}`} {
		write(t, filepath.Join(project, ".agent", "config.json"), text)
		if p, err := hooks.Read(project, tree, "linux"); err == nil || !p.Empty() {
			t.Errorf("%s: %+v, error %v", name, p, err)
		}
	}
}

func TestPlatform(t *testing.T) {
	for goos, want := range map[string]string{"windows": "win32", "darwin": "darwin", "linux": "linux"} {
		if got := hooks.Platform(goos); got != want {
			t.Errorf("%s is %q", goos, got)
		}
	}
	// cmd.exe would run the first line of what was shown.
	project, tree := place(t, `{"postSetupCommands":[{"command":"one\ntwo"}]}`)
	p, err := hooks.Read(project, tree, "win32")
	if err != nil || p.Commands[0].Problem == "" {
		t.Errorf("%+v, error %v", p.Commands, err)
	}
	if p := read(t, project, tree); p.Commands[0].Problem != "" {
		t.Errorf("%+v", p.Commands)
	}
}

// TestRunChanged: nothing runs if the file is not the one that was shown (ATSF
// Z11: consent is to what was shown).
func TestRunChanged(t *testing.T) {
	const config = `{"symlinks":[{"source":"file"}],"postSetupCommands":[{"command":"echo ran > ran"}]}`
	for name, change := range map[string]func(t *testing.T, file string){
		"one byte":  func(t *testing.T, file string) { write(t, file, readFile(t, file)+" ") },
		"removed":   func(t *testing.T, file string) { rename(t, file, file+".old") },
		"to a link": func(t *testing.T, file string) { rename(t, file, file+".old"); symlink(t, "config.json.old", file) },
		"to evil": func(t *testing.T, file string) {
			write(t, file, strings.Replace(readFile(t, file), "echo ran", "echo evil", 1))
		},
		"to a directory": func(t *testing.T, file string) { rename(t, file, file+".old"); mkdir(t, file) },
	} {
		t.Run(name, func(t *testing.T) {
			project, tree := place(t, config)
			write(t, filepath.Join(project, "file"), "")
			p := read(t, project, tree)
			change(t, p.File)
			r := p.Run(context.Background(), hooks.Options{Env: os.Environ()})
			if r.Refused == nil || len(r.Links)+len(r.Commands) > 0 {
				t.Errorf("%+v", r)
			}
			if name == "one byte" && !errors.Is(r.Refused, hooks.ErrChanged) {
				t.Errorf("refused: %v", r.Refused)
			}
			if entries, err := os.ReadDir(tree); err != nil || len(entries) > 0 {
				t.Errorf("in the worktree: %v, %v", entries, err)
			}
		})
	}
	t.Run("appeared", func(t *testing.T) {
		project, tree := place(t, "")
		p := read(t, project, tree)
		write(t, p.File, `{"specVersion":"1.1"}`)
		if r := p.Run(context.Background(), hooks.Options{}); !errors.Is(r.Refused, hooks.ErrChanged) {
			t.Errorf("%+v", r)
		}
	})
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func symlink(t *testing.T, to, at string) {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		t.Fatal(err)
	}
}
