package atsf_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

const hooksText = `{"specVersion":"1.1","createdBy":{"name":"MyAgentApp","version":"1.0.0"},` +
	`"defaults":{"agentId":"claude-code","interactionMode":"plan","modelId":"m","useWorktree":true},"agentSettings":{"claude-code":{"model":"sonnet"}},` +
	`"worktreeHooks":{"symlinks":[{"source":".env.local"},{"source":"a//./b\\c/","target":"x/y"}],` +
	`"postSetupCommands":[{"command":"npm install","label":"Installing","timeout":300000},{"command":"chmod +x a\n","continueOnError":true,"platforms":["linux","darwin"]}],` +
	`"initialPrompt":"Read CONTRIBUTING.md"}}`

// TestConfig reads every member (K1, K2, H1, H3, H5).
func TestConfig(t *testing.T) {
	got, err := atsf.ParseConfig([]byte(hooksText))
	if err != nil {
		t.Fatal(err)
	}
	yes := true
	want := atsf.Config{
		Raw: []byte(hooksText), Version: atsf.Version{Major: 1, Minor: 1}, CreatedBy: &atsf.CreatedBy{Name: "MyAgentApp", Version: "1.0.0"},
		Defaults:      atsf.Defaults{AgentID: "claude-code", InteractionMode: "plan", ModelID: "m", UseWorktree: &yes},
		AgentSettings: []byte(`{"claude-code":{"model":"sonnet"}}`),
		Hooks: atsf.Hooks{
			Symlinks: []atsf.Symlink{{Source: ".env.local", Target: ".env.local"}, {Source: "a/b/c", Target: "x/y"}},
			Commands: []atsf.Command{
				{Command: "npm install", Label: "Installing", Timeout: 300000},
				{Command: "chmod +x a\n", Timeout: atsf.DefaultTimeout, ContinueOnError: true, Platforms: []string{"linux", "darwin"}},
			},
			InitialPrompt: "Read CONTRIBUTING.md",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("K1 K2 H1 H3 H5: %s", diff)
	}
	c := got.Hooks.Commands
	if !c[0].RunsOn("win32") || c[1].RunsOn("win32") || !c[1].RunsOn("linux") || (&atsf.Command{Platforms: []string{}}).RunsOn("linux") {
		t.Error("H3: a platform is wrong")
	}
	if c[0].Name() != "Installing" || c[1].Name() != "chmod +x a\n" {
		t.Error("H3: a name is wrong")
	}
}

// TestConfigFaults breaks one member at a time.
func TestConfigFaults(t *testing.T) {
	for _, c := range []struct {
		name, old, now string
		faults, notes  []string
	}{
		{"K1 no version", `"specVersion":"1.1",`, ``, []string{"K1 specVersion"}, nil},
		{"K1 no name", `"name":"MyAgentApp",`, ``, []string{"K1 createdBy.name"}, nil},
		{"K1 no app version", `,"version":"1.0.0"`, ``, []string{"K1 createdBy.version"}, nil},
		{"K1 createdBy is text", `"createdBy":{`, `"createdBy":"x","z":{`, []string{"K1 createdBy"}, nil},
		{"K2 useWorktree is text", `:true}`, `:"yes"}`, []string{"K2 defaults.useWorktree"}, nil},
		{"K2 agentSettings is a list", `{"claude-code":{"model":"sonnet"}}`, `[]`, []string{"K2 agentSettings"}, nil},
		{"H3 hooks is a list", `"worktreeHooks":{`, `"worktreeHooks":[],"z":{`, []string{"H3 worktreeHooks"}, nil},
		{"H1 no source", `{"source":".env.local"}`, `{}`, []string{"H1 worktreeHooks.symlinks[0].source"}, nil},
		{"H1 link is text", `{"source":".env.local"}`, `"a"`, []string{"H1 worktreeHooks.symlinks[0]"}, nil},
		{"H1 source leaves", `.env.local`, `../x`, []string{"H1 worktreeHooks.symlinks[0].source"}, nil},
		{"H1 target leaves", `x/y`, `x/../../y`, []string{"H1 worktreeHooks.symlinks[1].target"}, nil},
		{"H1 target empty", `x/y`, ``, []string{"H1 worktreeHooks.symlinks[1].target"}, nil},
		{"H1 target null", `"x/y"`, `null`, nil, nil},
		{"H3 no command", `"command":"npm install",`, ``, []string{"H3 worktreeHooks.postSetupCommands[0].command"}, nil},
		{"H3 empty command", `npm install`, ` \n`, []string{"H3 worktreeHooks.postSetupCommands[0].command"}, nil},
		{"H3 hidden command", `npm install`, `npm\u001b[8m install`, []string{"H3 worktreeHooks.postSetupCommands[0].command"}, nil},
		{"H3 NUL in a command", `npm install`, `npm\u0000`, []string{"H3 worktreeHooks.postSetupCommands[0].command"}, nil},
		{"H3 timeout is text", `300000`, `"5m"`, []string{"H3 worktreeHooks.postSetupCommands[0].timeout"}, nil},
		{"H3 timeout negative", `300000`, `-1`, []string{"H3 worktreeHooks.postSetupCommands[0].timeout"}, nil},
		{"Z10 timeout 0", `300000`, `0`, nil, []string{"Z10 worktreeHooks.postSetupCommands[0].timeout"}},
		{"Z10 timeout below 1", `300000`, `0.5`, nil, []string{"Z10 worktreeHooks.postSetupCommands[0].timeout"}},
		{"H3 timeout of a year", `300000`, `31536000000`, nil, []string{"H3 worktreeHooks.postSetupCommands[0].timeout"}},
		{"H3 continueOnError is 1", `"continueOnError":true`, `"continueOnError":1`, []string{"H3 worktreeHooks.postSetupCommands[1].continueOnError"}, nil},
		{"H3 platforms is text", `["linux","darwin"]`, `"linux"`, []string{"H3 worktreeHooks.postSetupCommands[1].platforms"}, nil},
		{"H3 platform is a number", `["linux"`, `[1`, []string{"H3 worktreeHooks.postSetupCommands[1].platforms"}, nil},
		{"H3 unknown platform", `"darwin"`, `"macos"`, nil, []string{"H3 worktreeHooks.postSetupCommands[1].platforms"}},
		{"H5 prompt is a list", `"Read CONTRIBUTING.md"`, `[]`, []string{"H3 worktreeHooks.initialPrompt"}, nil},
		{"X4 unknown members", `"symlinks":[`, `"copy":[".env"],"symlinks":[`, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(hooksText, c.old, c.now, 1)
			if text == hooksText {
				t.Fatal("nothing was replaced")
			}
			cfg, err := atsf.ParseConfig([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if got := rules(cfg.Faults); !slices.Equal(got, c.faults) {
				t.Errorf("faults %q, want %q", got, c.faults)
			}
			if got := rules(cfg.Notes); !slices.Equal(got, c.notes) {
				t.Errorf("notes %q, want %q", got, c.notes)
			}
			refused := 0
			for _, l := range cfg.Hooks.Symlinks {
				if l.Fault != nil {
					refused++
				}
			}
			for _, cmd := range cfg.Hooks.Commands {
				if cmd.Fault != nil {
					refused++
				}
				if cmd.Timeout < 1 || cmd.Timeout > atsf.MaxTimeout {
					t.Errorf("timeout %d", cmd.Timeout)
				}
			}
			if isHook := len(c.faults) == 1 && strings.Contains(c.faults[0], "["); isHook != (refused == 1) {
				t.Errorf("%d hooks are refused", refused)
			}
		})
	}
	for _, c := range []struct{ text, rule string }{{"[]", "K1"}, {"", "K1"}, {"\xff", "X1"}, {`{"specVersion":"2.0"}`, "V2"}} {
		if _, err := atsf.ParseConfig([]byte(c.text)); fault(t, err).Rule != c.rule {
			t.Errorf("%q: %v, want %s", c.text, err, c.rule)
		}
	}
}

// TestHookPath confines paths (H1) as far as a text can show.
func TestHookPath(t *testing.T) {
	for _, c := range []struct{ path, want, reason string }{
		{".env.local", ".env.local", ""},
		{"node_modules", "node_modules", ""},
		{"./a//b/./c/", "a/b/c", ""},
		{`a\b`, "a/b", ""},
		{"...a", "...a", ""},
		{".github/x", ".github/x", ""},
		{".gitignore", ".gitignore", ""},
		{"", "", "is empty"},
		{"  ", "", "is empty"},
		{".", "", "is the tree itself"},
		{"./", "", "is the tree itself"},
		{"..", "", `leaves the tree by ".."`},
		{"../a", "", `leaves the tree by ".."`},
		{"a/..", "", `leaves the tree by ".."`},
		{"a/../../b", "", `leaves the tree by ".."`},
		{`a\..\..\b`, "", `leaves the tree by ".."`},
		{"/etc/passwd", "", "is absolute"},
		{`\x`, "", "is absolute"},
		{`\\host\share`, "", "is absolute"},
		{"C:/x", "", "has a drive letter"},
		{"c:x", "", "has a drive letter"},
		{"a:b/c", "", "has a drive letter"},
		{"ab:c", "", "holds a colon"},
		{"a\x00b", "", "holds a control character"},
		{"a\nb", "", "holds a control character"},
		{"a/.. /b", "", "has a name of dots and spaces"},
		{"a/.../b", "", "has a name of dots and spaces"},
		{".git", "", "leads into git's own files"},
		{"a/.GIT/hooks", "", "leads into git's own files"},
		{".git. /x", "", "leads into git's own files"},
		{"git~1", "", "leads into git's own files"},
		{strings.Repeat("a", 1025), "", "is too long"},
	} {
		t.Run("H1/"+c.path[:min(len(c.path), 20)], func(t *testing.T) {
			if got, bad := atsf.CleanHookPath(c.path); got != c.want || bad != c.reason {
				t.Errorf("%q, %q, want %q", got, bad, c.reason)
			}
		})
	}
}

// TestSecrets lists what K3 forbids, without quoting it.
func TestSecrets(t *testing.T) {
	for _, c := range []struct{ name, text, field string }{
		{"api key", `{"agentSettings":{"x":{"apiKey":"hunter2secret"}}}`, "agentSettings.x.apiKey"},
		{"snake case", `{"a":{"API_KEY":"hunter2secret"}}`, "a.API_KEY"},
		{"token in a list", `{"tokens":["x"],"token":["hunter2secret"]}`, "token[0]"},
		{"password", `{"db-password":"hunter2secret"}`, "db-password"},
		{"form", `{"x":"sk-aaaaaaaaaaaaaaaaaaaaaaaa"}`, "x"},
		{"private key", `{"x":"-----BEGIN RSA PRIVATE KEY-----\n"}`, "x"},
		{"long name", `{"` + strings.Repeat("é", 60) + `":{"token":"hunter2secret"}}`, strings.Repeat("é", 40) + "….token"},
		{"long name cut within a character", `{"x` + strings.Repeat("é", 60) + `":{"token":"hunter2secret"}}`, "x" + strings.Repeat("é", 39) + "….token"},
		{"escaped name", `{"\u0074oken":"hunter2secret"}`, "token"},
		{"names a variable", `{"token":"$TOKEN","apiKey":"${KEY}","secret":"env:X","password":"","passwd":"%PW%"}`, ""},
		{"numbers", `{"maxTokens":100,"token":1,"tokenizer":"bpe"}`, ""},
		{"no JSON", `{"token":"x"`, ""},
		{"the specification's own", hooksText, ""},
	} {
		t.Run("K3/"+c.name, func(t *testing.T) {
			got := atsf.Secrets([]byte(c.text))
			if c.field == "" {
				if len(got) > 0 {
					t.Errorf("%+v", got)
				}
				return
			}
			if len(got) != 1 || got[0].Field != c.field || got[0].Rule != "K3" || strings.Contains(got[0].Reason, "hunter2") || strings.Contains(got[0].Reason, "aaaa") {
				t.Errorf("%+v", got)
			}
		})
	}
}
