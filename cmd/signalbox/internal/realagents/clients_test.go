//go:build agents

package realagents

import (
	"fmt"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
)

// client is what the programs differ in.
type client struct {
	// name is setup's word, command what starts the program and program where npm puts it.
	name, command, program string
	env                    func(url string) []string
	// before writes what the client needs before setup, as a user has it.
	before func(d *fixture, url string)
	// list shows the servers of tools that the client knows, or with listsOwn only those
	// of the user's own files.
	list     []string
	listsOwn bool
	// also are clients that are set up beside it, since it reads their files.
	also []string
	// project are arguments with which it trusts what the repository says. trust writes
	// what it writes when the person says so in its terminal.
	project []string
	trust   func(d *fixture)
	// session runs the client with a prompt, unattended.
	session func(d *fixture, more []string, prompt string)
	// staysIdle says that the program lives on after the session.
	staysIdle bool
	// tellsTools says that hooks note the tool calls under way.
	tellsTools bool
}

var clients = []client{
	{
		name: "claude", command: "claude", program: "@anthropic-ai/claude-code-linux-x64/claude",
		env: func(url string) []string {
			return []string{
				"ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=sk-ant-dummy",
				"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
			}
		},
		list: []string{"mcp", "list"},
		trust: func(d *fixture) {
			d.write("home/.claude.json", fmt.Sprintf(`{"projects":{%q:{"hasTrustDialogAccepted":true}}}`, d.coder))
		},
		session: once(),
	},
	{
		name: "codex", command: "codex", program: ".bin/codex",
		env: func(string) []string { return []string{"SCRIPTED_KEY=dummy"} },
		before: func(d *fixture, url string) {
			// Without the tables it waits for hosts that it cannot reach.
			d.write("home/.codex/config.toml", fmt.Sprintf(`model = "gpt-5.4"
model_provider = "scripted"
check_for_update_on_startup = false
[analytics]
enabled = false
[features]
plugins = false
[model_providers.scripted]
name = "scripted"
base_url = "%s/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
`, url))
		},
		list:    []string{"mcp", "list"},
		project: []string{"--trust", "--dangerously-bypass-hook-trust"},
		session: once("exec"),
	},
	{
		name: "gemini", command: "gemini", program: ".bin/gemini",
		env: func(url string) []string {
			return []string{"GEMINI_API_KEY=dummy", "GOOGLE_GEMINI_BASE_URL=" + url, "GEMINI_CLI_TRUST_WORKSPACE=true"}
		},
		before: func(d *fixture, _ string) {
			d.write("home/.gemini/settings.json", `{"security":{"auth":{"selectedType":"gemini-api-key"}},"privacy":{"usageStatisticsEnabled":false},"general":{"enableAutoUpdate":false}}`)
		},
		list:    []string{"mcp", "list"},
		session: once("-m", "gemini-2.5-pro"), tellsTools: true,
	},
	{
		name: "copilot", command: "copilot", program: ".bin/copilot-linux-x64",
		env: func(url string) []string {
			return []string{
				"COPILOT_PROVIDER_BASE_URL=" + url + "/v1", "COPILOT_PROVIDER_API_KEY=dummy", "COPILOT_MODEL=scripted",
				"COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false",
			}
		},
		list: []string{"mcp", "list"}, listsOwn: true,
		also:    []string{"claude"},
		project: []string{"--trust-folder"},
		session: once("-s", "--allow-tool", "signalbox", "--disable-client-telemetry"),
	},
	{
		name: "opencode", command: "opencode", program: "opencode-linux-x64/bin/opencode",
		env: func(string) []string {
			return []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1"}
		},
		before: func(d *fixture, url string) {
			d.write("coder/opencode.json", fmt.Sprintf(`{"autoupdate":false,"share":"disabled","model":"scripted/m1","small_model":"scripted/m1",
"provider":{"scripted":{"npm":"@ai-sdk/openai-compatible","options":{"baseURL":"%s/v1","apiKey":"dummy"},"models":{"m1":{"limit":{"context":200000,"output":8000}}}}}}`, url))
			// It installs a package beside plugins, and waits for a minute where there is no
			// network.
			d.write("home/.npmrc", "offline=true\nfetch-retries=0\n")
		},
		list:      []string{"mcp", "list"},
		session:   served,
		staysIdle: true,
	},
}

// opening is what a program asks before its first prompt in a terminal.
type opening struct {
	// trust writes what the program does once a person has said yes.
	trust func(d *fixture)
	// first is a part of what it asks all the same.
	first string
}

var openings = map[string]opening{
	"claude": {trust: trustClaude},
	"codex": {trust: func(d *fixture) {
		d.write("home/.codex/config.toml", d.files()[d.home+"/.codex/config.toml"]+fmt.Sprintf("[projects.%q]\ntrust_level = \"trusted\"\n", d.coder))
	}},
	"copilot": {first: "trust the files"},
}

// trustClaude writes what Claude Code remembers of a first run.
func trustClaude(d *fixture) {
	d.t.Helper()
	d.merge("home/.claude.json", fmt.Sprintf(`{"hasCompletedOnboarding":true,"theme":"dark",
"customApiKeyResponses":{"approved":["sk-ant-dummy"],"rejected":[]},
"projects":{%q:{"hasTrustDialogAccepted":true,"hasCompletedProjectOnboarding":true}}}`, d.coder))
}

// connected returns a fixture on which a client is set up, with a model that it asks.
func connected(t *testing.T, name string, m *model) *fixture {
	t.Helper()
	c := &clients[slices.IndexFunc(clients, func(c client) bool { return c.name == name })]
	d := newFixture(t, c)
	d.env = append(d.env, c.env(m.URL)...)
	if c.before != nil {
		c.before(d, m.URL)
	}
	d.must("signalbox", "setup", c.name, "--yes", "--person", "dev")
	if trust := openings[name].trust; trust != nil {
		trust(d)
	}
	return d
}

// open starts the client in a terminal, as a person does, and waits until its session has begun.
func (d *fixture) open(args ...string) *terminal {
	d.t.Helper()
	d.t.Cleanup(d.endAll)
	p := openTerminal(d.t, d.command(d.t.Context(), d.client.command, args...))
	if first := openings[d.client.name].first; first != "" {
		await(d.t, "its first question", func() bool { return p.shows(first) })
		p.pressUntil(d.t, "\r", "the session to begin", func() bool {
			list := d.sessions()
			return len(list) == 1 && list[0].State != activity.Ended
		})
	}
	return p
}

// once runs a client that takes its prompt as the last argument, or of -p, and ends when
// it is done.
func once(args ...string) func(*fixture, []string, string) {
	return func(d *fixture, more []string, prompt string) {
		if d.client.name != "codex" {
			more = append(slices.Clone(more), "-p")
		}
		out := d.must(d.client.command, append(slices.Concat(args, more), prompt)...)
		d.t.Logf("it said %q", out)
	}
}

// served runs opencode with a server, without which it ends where it could be held.
func served(d *fixture, _ []string, prompt string) {
	d.t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		d.t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	_, port, _ := net.SplitHostPort(address)
	server := d.command(d.t.Context(), "opencode", "serve", "--port", port)
	if err := server.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	await(d.t, "opencode's server", func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	d.must("opencode", "run", "--attach", "http://"+address, "--title", "t", prompt)
}

// await waits until something holds.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	awaitUntil(t, time.Now().Add(runLimit), what, holds)
}

// awaitUntil is await with an end that several waits share.
func awaitUntil(t *testing.T, end time.Time, what string, holds func() bool) {
	t.Helper()
	for ; !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited too long for %s", what)
		}
	}
}
