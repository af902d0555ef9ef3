package amp

import (
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// TestOwn: the first choice that is set is the user's mailbox, and no other takes its place.
func TestOwn(t *testing.T) {
	b := twoAgents(t)
	b.agent("eve", "eve@acme.aimaestro.local")
	b.Put("agents/eve/config.json", []byte(`{"agent":{"name":"bob","address":"eve@acme.aimaestro.local"}}`))
	b.Put("agents/alice/keys/private.pem", []byte("a key"))
	b.Mkdir("agents/none/messages/inbox")
	s := b.scan()
	for name, c := range map[string]struct {
		given, alias string
		env          map[string]string
		want, why    string
	}{
		"a name":                  {"alice", "", nil, "agents/alice", ""},
		"an address, capitals":    {"ALICE@acme.aimaestro.local", "", nil, "agents/alice", ""},
		"before all else":         {"alice", "none", map[string]string{"AMP_DIR": b.Path("agents/bob"), "CLAUDE_AGENT_NAME": "bob"}, "agents/alice", ""},
		"not there":               {"zoe", "alice", nil, "", `"signalbox amp init --name zoe"`},
		"an address not there":    {"zoe@x.y", "alice", nil, "", `--name zoe"`},
		"no name":                 {"../zoe", "alice", nil, "", `--name zoe"`},
		"two have the name":       {"bob", "alice", nil, "", `["agents/bob" "agents/eve"]`},
		"one of them by folder":   {"eve", "", nil, "agents/eve", "no private key"},
		"a folder":                {"", "zoe", map[string]string{"AMP_DIR": b.Path("agents/alice"), "CLAUDE_AGENT_NAME": "bob"}, "agents/alice", ""},
		"a folder that is none":   {"", "alice", map[string]string{"AMP_DIR": b.Path("agents/zoe")}, "", "AMP_DIR"},
		"an agent":                {"", "bob", map[string]string{"CLAUDE_AGENT_NAME": "alice"}, "agents/alice", ""},
		"an agent's id first":     {"", "bob", map[string]string{"CLAUDE_AGENT_ID": "alice", "CLAUDE_AGENT_NAME": "bob"}, "agents/alice", ""},
		"an agent's id not there": {"", "alice", map[string]string{"CLAUDE_AGENT_ID": "zoe", "CLAUDE_AGENT_NAME": "alice"}, "", "CLAUDE_AGENT_ID"},
		"an agent not there":      {"", "alice", map[string]string{"CLAUDE_AGENT_NAME": "zoe"}, "", "CLAUDE_AGENT_NAME"},
		"the alias":               {"", "alice", nil, "agents/alice", ""},
		"an alias of nobody":      {"", "dev", nil, "", `--name dev"`},
		"an alias that is none":   {"", "a/b:c", nil, "", "--name NAME"},
		"no alias":                {"", "", nil, "", "no mailbox is chosen"},
		"a mailbox of no address": {"none", "", nil, "agents/none", "no address"},
	} {
		t.Run(name, func(t *testing.T) {
			env := environ.Env{Getenv: func(k string) string { return c.env[k] }, Home: b.Root, Work: b.Root}
			got := ChooseOwn(s, env, environ.Choice{Value: c.given, Origin: "--as"}, c.alias)
			dir := ""
			if got.Mailbox != nil {
				dir = got.Mailbox.Dir
			}
			if dir != c.want || !strings.Contains(got.Why, c.why) || c.why == "" && got.Why != "" {
				t.Errorf("%q: %q", dir, got.Why)
			}
		})
	}
}
