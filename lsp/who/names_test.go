package who

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// machine is one with repositories.
type machine struct {
	*testing.T
	top string
}

func newMachine(t *testing.T) *machine {
	m := &machine{t, Real(t.TempDir())}
	lay(t, m.top, map[string]string{"mail/": "", "home/": ""})
	return m
}

func (m *machine) path(name string) string { return filepath.Join(m.top, filepath.FromSlash(name)) }

// repository makes a git directory.
func (m *machine) repository(common string) {
	lay(m.T, m.top, map[string]string{common + "/HEAD": "ref: refs/heads/main\n", common + "/objects/": "", common + "/refs/": ""})
}

// linked makes a worktree of a repository.
func (m *machine) linked(tree, common string) {
	admin := common + "/worktrees/" + filepath.Base(tree)
	lay(m.T, m.top, map[string]string{
		tree + "/.git":        "gitdir: " + m.path(admin) + "\n",
		admin + "/HEAD":       "ref: refs/heads/x\n",
		admin + "/commondir":  "../..\n",
		admin + "/gitdir":     m.path(tree+"/.git") + "\n",
		common + "/HEAD":      "ref: refs/heads/main\n",
		common + "/objects/":  "",
		common + "/refs/":     "",
		tree + "/src/deep/.x": "",
	})
}

func (m *machine) query(work string) Query {
	return Query{
		Env:  environ.Env{Getenv: func(string) string { return "" }, Home: m.path("home"), Work: m.path(work)},
		Mail: m.path("mail"), Person: "dev", Caller: Caller{Agent: true}, Strict: true, Note: true,
	}
}

func (m *machine) find(work string) Who {
	m.Helper()
	return Find(m.query(work))
}

// TestPluginFolder: the folder of the plugin that started this names no one, though it is in a
// work tree. A folder that the client says is open does.
func TestPluginFolder(t *testing.T) {
	m := newMachine(t)
	m.repository("plugins/.git")
	m.repository("coder/.git")
	lay(t, m.top, map[string]string{"plugins/mail/plugin.json": "{}"})
	q := m.query("plugins/mail")
	q.Env.Getenv = func(name string) string { return map[string]string{"PLUGIN_ROOT": m.path("plugins/mail")}[name] }
	if got := Find(q); got.Err == nil {
		t.Errorf("the plugin's folder names %+v", got)
	}
	q.Folders = []string{m.path("coder")}
	if got := Find(q); got.Value != "coder" || got.Err != nil {
		t.Errorf("the open folder names %+v", got)
	}
	if got := m.find("plugins/mail"); got.Value != "plugins" {
		t.Errorf("without a plugin it is %+v", got)
	}
}

// TestOneTreeEach: a name belongs to one work tree, whatever the folders are called.
func TestOneTreeEach(t *testing.T) {
	type want struct{ work, name, also, takenBy string }
	for name, c := range map[string]struct {
		lay  func(*machine)
		want []want
	}{
		"two bare layouts": {func(m *machine) {
			m.linked("shop/main", "shop/.bare")
			m.linked("shop/fix", "shop/.bare")
			m.linked("blog/main", "blog/.bare")
		}, []want{{"shop/main/src/deep", "shop", "main", ""}, {"blog/main", "blog", "", "shop/main"}, {"shop/fix", "shop-fix", "fix", ""}, {"shop/main", "shop", "main", ""}}},
		"two clones of one name": {
			func(m *machine) { m.repository("x/app/.git"); m.repository("y/app/.git") },
			[]want{{"x/app", "app", "", ""}, {"y/app", "y-app", "", "x/app"}, {"x/app", "app", "", ""}},
		},
		"a worktree called as a clone": {
			func(m *machine) { m.repository("x/app/.git"); m.linked("wt/app", "y/shop/.git") },
			[]want{{"x/app", "app", "", ""}, {"wt/app", "shop-app", "", "x/app"}},
		},
		"one committed file": {func(m *machine) {
			m.linked("wt/one", "shop/.git")
			m.linked("wt/two", "shop/.git")
			lay(m.T, m.top, map[string]string{"wt/one/.agent-message": "coder\n", "wt/two/.agent-message": "coder\n"})
		}, []want{{"wt/one", "coder", "", ""}, {"wt/two", "shop-two", "", "wt/one"}}},
		"a name that is known": {
			func(m *machine) {
				m.linked("shop/main", "shop/.bare")
				lay(m.T, m.top, map[string]string{"mail/log-main.jsonl": ""})
			},
			[]want{{"shop/main", "main", "", ""}},
		},
		"a repository's name that is known": {func(m *machine) {
			m.linked("shop/main", "shop/.bare")
			lay(m.T, m.top, map[string]string{"mail/.seen-shop": "{}"})
		}, []want{{"shop/main", "shop-main", "main", ""}}},
		"only case": {
			func(m *machine) { m.repository("x/app/.git"); m.repository("y/APP/.git") },
			[]want{{"x/app", "app", "", ""}, {"y/APP", "y-APP", "", "x/app"}},
		},
		"no alias": {
			func(m *machine) { m.repository("x/my app/.git") },
			[]want{{"x/my app", "my-app", "", ""}},
		},
		"a bare repository beside": {
			func(m *machine) { m.linked("main", "shop.git") },
			[]want{{"main", "shop", "main", ""}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			c.lay(m)
			for _, w := range c.want {
				got := m.find(w.work)
				takenBy := ""
				if w.takenBy != "" {
					takenBy = m.path(w.takenBy)
				}
				if got.Value != w.name || got.Also != w.also || got.TakenBy != takenBy || got.Err != nil {
					t.Errorf("%s: %+v, want %+v", w.work, got, w)
				}
			}
		})
	}
}

// TestGone frees the name of a work tree that is gone, or was moved.
func TestGone(t *testing.T) {
	m := newMachine(t)
	m.repository("x/app/.git")
	m.find("x/app")
	lay(t, m.top, map[string]string{"z/": ""})
	if err := os.Rename(m.path("x/app"), m.path("z/app")); err != nil {
		t.Fatal(err)
	}
	if got := m.find("z/app"); got.Value != "app" {
		t.Errorf("%+v", got)
	}
}

// TestNoteLost makes the names again from the sessions that are known: from nothing, from
// garbage and from a folder in its place.
func TestNoteLost(t *testing.T) {
	for name, lose := range map[string]func(path string) error{
		"removed": os.Remove,
		"garbage": func(path string) error { return os.WriteFile(path, []byte("\x00{"), 0o600) },
		"another": func(path string) error {
			return os.WriteFile(path, []byte(`{"names":[{"name":"../x","tree":"y"}]}`), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.repository("x/app/.git")
			m.repository("y/app/.git")
			state := m.query("x/app").Env.StateDir()
			m.find("x/app")
			me := m.find("y/app")
			if err := activity.At(state).Change(t.Context(), "claude", "s1", func(s *activity.Session) bool {
				s.Alias, s.Project, s.Mail = me.Value, me.Tree, m.path("mail")
				s.Become(activity.Idle, "", 1_795_000_000_000)
				return true
			}); err != nil {
				t.Fatal(err)
			}
			if err := lose(filepath.Join(state, "names.json")); err != nil {
				t.Fatal(err)
			}
			if got := m.find("y/app"); got.Value != "y-app" {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestNowhereToNote gives a work tree the same name each time where nothing can be written
// down.
func TestNowhereToNote(t *testing.T) {
	m := newMachine(t)
	m.linked("shop/main", "shop/.bare")
	lay(t, m.top, map[string]string{"home/.local": "no folder"})
	for range 2 {
		if got := m.find("shop/main"); got.Value != "shop" || got.Err != nil {
			t.Errorf("%+v", got)
		}
	}
}

// TestNamedAtOnce: two work trees that are named at the same time have two names.
func TestNamedAtOnce(t *testing.T) {
	m := newMachine(t)
	var wg sync.WaitGroup
	names := make([]string, 8)
	for i := range names {
		tree := "x/app"
		if i%2 == 1 {
			tree = "y/app"
		}
		m.repository(tree + "/.git")
		wg.Go(func() { names[i] = Find(m.query(tree)).Value })
	}
	wg.Wait()
	for i := range names {
		if names[i] != names[i%2] || names[0] == names[1] {
			t.Fatalf("%q", names)
		}
	}
}

// TestWho takes the name that was given, the person's, the session's, or the work tree's.
func TestWho(t *testing.T) {
	m := newMachine(t)
	m.repository("shop/.git")
	m.repository("shop/vendor/lib/.git")
	m.repository("home/.git")
	lay(t, m.top, map[string]string{"plain/": "", "named/.agent-message": "coder\n", "bad/.git/": "", "bad/.agent-message": "\n", "same/.git/": "", "same/.agent-message": "Dev\n"})
	for name, c := range map[string]struct {
		work   string
		change func(*Query)
		want   string
		fault  string
	}{
		"a person":                 {"shop", func(q *Query) { q.Caller = Caller{} }, "dev", ""},
		"a person nobody knows":    {"shop", func(q *Query) { q.Caller, q.Person, q.Strict = Caller{}, "", false }, "shop", ""},
		"in a plain folder":        {"plain", func(q *Query) { q.Caller, q.Person, q.Strict = Caller{}, "", false }, "plain", ""},
		"an agent":                 {"shop", func(*Query) {}, "shop", ""},
		"in a nested one":          {"shop/vendor/lib", func(*Query) {}, "lib", ""},
		"whose session has a name": {"shop/vendor/lib", func(q *Query) { q.Caller.Session = activity.Session{Alias: "shop", Mail: q.Mail} }, "shop", ""},
		"with other mail":          {"shop/vendor/lib", func(q *Query) { q.Caller.Session = activity.Session{Alias: "shop", Mail: "/x"} }, "lib", ""},
		"given":                    {"shop", func(q *Query) { q.Given = environ.Choice{Value: "me", Origin: "--as"} }, "me", ""},
		"by the client's project":  {"shop/vendor/lib", func(q *Query) { q.Folders = []string{m.path("plain"), m.path("shop")} }, "shop", ""},
		"by a file outside":        {"named", func(*Query) {}, "coder", ""},
		"in a plain folder, too":   {"plain", func(*Query) {}, "", "lies in no git work tree"},
		"at home":                  {"home", func(*Query) {}, "", "lies in no git work tree"},
		"with a file of nobody":    {"bad", func(*Query) {}, "", "names nobody"},
		"with the person's name":   {"same", func(*Query) {}, "", "who is the person"},
		"by a session of theirs":   {"shop", func(q *Query) { q.Caller.Session = activity.Session{Alias: "dev"} }, "shop", ""},
	} {
		t.Run(name, func(t *testing.T) {
			q := m.query(c.work)
			c.change(&q)
			got := Find(q)
			if c.fault == "" && (got.Value != c.want || got.Check() != nil) {
				t.Errorf("%+v, want %s", got, c.want)
			}
			if c.fault != "" && (got.Check() == nil || !strings.Contains(got.Check().Error(), c.fault)) {
				t.Errorf("%+v, want %s", got, c.fault)
			}
		})
	}
}

// TestCalling tells an agent from the person, and which session calls.
func TestCalling(t *testing.T) {
	m := newMachine(t)
	env := m.query("home").Env
	for id, process := range map[string]activity.Process{"s1": {PID: 40, Start: "7"}, "s2": {PID: 41, Start: "8"}} {
		if err := activity.At(env.StateDir()).Change(t.Context(), "claude", id, func(s *activity.Session) bool {
			s.Alias, s.Process = "of-"+id, process
			s.Become(activity.Working, "", 1)
			return true
		}); err != nil {
			t.Fatal(err)
		}
	}
	chain := func(names ...string) func(int) []activity.Ancestor {
		return func(most int) (list []activity.Ancestor) {
			for i, name := range names {
				list = append(list, activity.Ancestor{Process: activity.Process{PID: 38 + i, Start: "7"}, Name: name})
			}
			return list[:min(most, len(list))]
		}
	}
	for name, c := range map[string]struct {
		vars  map[string]string
		above func(int) []activity.Ancestor
		agent bool
		alias string
	}{
		"a terminal":           {nil, chain("bash", "tmux", "systemd"), false, ""},
		"nothing known":        {nil, nil, false, ""},
		"a variable":           {map[string]string{"CLAUDECODE": "1"}, nil, true, ""},
		"turned off":           {map[string]string{"CLAUDECODE": "0"}, chain("zsh"), false, ""},
		"with its session":     {map[string]string{"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s2"}, nil, true, "of-s2"},
		"a process":            {nil, chain("sh", "zsh", "claude", "bash"), true, "of-s1"},
		"on Windows":           {nil, chain("pwsh.exe", "Codex.exe"), true, ""},
		"an editor's terminal": {map[string]string{"CLAUDE_CODE_SSE_PORT": "1"}, chain("zsh", "code"), false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			env := env
			env.Getenv = func(k string) string { return c.vars[k] }
			got := Calling(env, c.above)
			if got.Agent != c.agent || got.Session.Alias != c.alias || got.Agent != (got.Why != "") {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestDecides lets nobody decide what an agent may do but the person: below each client's
// program an agent calls, however it is installed, and with each variable that one sets.
func TestDecides(t *testing.T) {
	m := newMachine(t)
	env := m.query("home").Env
	env.Getenv = func(string) string { return "" }
	above := func(list ...activity.Ancestor) func(int) []activity.Ancestor {
		return func(int) []activity.Ancestor { return list }
	}
	named := func(names ...string) (list []activity.Ancestor) {
		for _, name := range names {
			list = append(list, activity.Ancestor{Name: name})
		}
		return list
	}
	if err := Decides(env, above(named("zsh", "tmux: server", "systemd")...)); err != nil {
		t.Error(err)
	}
	if err := Decides(env, above(named("bash", "ptyhost", "code", "node")...)); err != nil {
		t.Error(err)
	}
	// Below more shells than anybody has, an agent may stand.
	if err := Decides(env, above(named(slices.Repeat([]string{"bash"}, maxAbove)...)...)); err == nil || !strings.Contains(err.Error(), "64 processes and more stand above it") {
		t.Error(err)
	}
	for _, name := range []string{
		"claude", "codex", "codex-x86_64-un", "codex-aarch64-a", "gemini", "copilot", "opencode", "opencode.exe", "cursor-agent", "Claude.exe",
	} {
		if err := Decides(env, above(named("bash", name, "zsh")...)); err == nil || !strings.Contains(err.Error(), "it runs below") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range clients {
		for _, name := range c.vars {
			env := env
			env.Getenv = func(k string) string { return map[string]string{name: "1"}[k] }
			if err := Decides(env, nil); err == nil || !strings.Contains(err.Error(), name+" is set") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestScripts knows clients that are scripts, by what their interpreter runs.
func TestScripts(t *testing.T) {
	for args, want := range map[string]string{
		"node\x00/usr/lib/node_modules/@google/gemini-cli/dist/index.js\x00-p":     "gemini",
		"node\x00--no-warnings\x00/usr/local/bin/gemini":                           "gemini",
		"node\x00/home/dev/.npm/lib/node_modules/@anthropic-ai/claude-code/cli.js": "claude",
		"node\x00/x/node_modules/@openai/codex/bin/codex.js":                       "codex",
		"node\x00/x/node_modules/@github/copilot/index.js":                         "copilot",
		"bun\x00/x/node_modules/opencode-ai/bin/opencode":                          "opencode",
		"/home/dev/.local/share/claude/versions/2.1.332\x00daemon":                 "claude",
		"node\x00--require\x00./trace.js\x00/usr/local/bin/gemini":                 "gemini",
		"deno\x00run\x00-A\x00npm:@google/gemini-cli":                              "gemini",
		"bun\x00run\x00gemini":                               "gemini",
		"node\x00/home/dev/src/codex/codex-cli/bin/codex.js": "codex",
		// A person's folder may be called so.
		"node\x00--test\x00/home/dev/src/codex/e2e/story.test.mjs":                      "",
		"node\x00/usr/lib/code-server/out/node/entry\x00/home/dev/src/gemini-cli":       "",
		"/usr/lib/code-server/lib/node\x00/home/dev/codex/.vscode-server/out/server.js": "",
		// As macOS has them.
		"\x02\x00\x00\x00/opt/homebrew/bin/node\x00\x00\x00\x00\x00node\x00/opt/homebrew/bin/gemini\x00-p\x00PATH=/bin\x00": "gemini",
		"node\x00/usr/lib/code-server/out/node/entry\x00--port\x008080":                                                     "",
		"node\x00/home/dev/codexample/server.js":                                                                            "",
		"node\x00server.js\x00a\x00b\x00c\x00d\x00/usr/local/bin/gemini":                                                    "",
	} {
		got := ""
		for i := range clients {
			if name := clients[i].path(args); name != "" {
				got = name
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", args, got, want)
		}
	}
}
