package who

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/agents/session"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// Caller is what runs this program: the person, or an agent.
type Caller struct {
	// Agent is set for an agent, and Why says by what it is known.
	Agent bool
	Why   string
	// Client is the agent's program where it is known, and Session its session where hooks
	// told of it.
	Client  string
	Session session.Session
}

// clients are the programs of agents: what they set for the commands that they run, and the
// names of their processes.
var clients = []struct {
	name, session string
	vars, process []string
}{
	{"claude", "CLAUDE_CODE_SESSION_ID", []string{"CLAUDECODE", "CLAUDE_CODE"}, []string{"claude"}},
	{"codex", "CODEX_THREAD_ID", []string{"CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_CI"}, []string{"codex"}},
	{"gemini", "GEMINI_SESSION_ID", []string{"GEMINI_CLI"}, []string{"gemini"}},
	{"copilot", "", []string{"COPILOT_CLI"}, []string{"copilot"}},
	{"opencode", "", []string{"OPENCODE"}, []string{"opencode"}},
	{"", "", []string{"CURSOR_AGENT", "CLINE_ACTIVE", "AUGMENT_AGENT", "AI_AGENT"}, []string{"cursor-agent"}},
}

// Above is how many processes above this one are asked for: an agent's shell may run
// scripts that run others.
const Above = 16

// Calling finds out who calls: an agent's program sets variables for what it runs, and
// stands among the processes above. above returns those; it may be nil.
func Calling(env environ.Env, above func(most int) []session.Ancestor) Caller {
	for _, c := range clients {
		for _, name := range c.vars {
			if off := env.Getenv(name); off == "" || off == "0" || off == "false" {
				continue
			}
			who := Caller{Agent: true, Why: name + " is set", Client: c.name}
			who.Session = sessionOf(env, c.name, c.session, nil)
			return who
		}
	}
	if above == nil {
		return Caller{}
	}
	list := above(Above)
	for i, p := range list {
		name := strings.TrimSuffix(strings.ToLower(p.Name), ".exe")
		for _, c := range clients {
			if slices.Contains(c.process, name) {
				who := Caller{Agent: true, Why: "it runs below " + name, Client: c.name}
				who.Session = sessionOf(env, c.name, c.session, list[:i+1])
				return who
			}
		}
	}
	return Caller{}
}

// sessionOf returns the session of a client that a variable names, else the one whose
// process is among some.
func sessionOf(env environ.Env, client, variable string, among []session.Ancestor) session.Session {
	if client == "" {
		return session.Session{}
	}
	at := session.At(env.StateDir())
	if id := env.Getenv(variable); variable != "" && id != "" {
		s, _ := at.Read(client, id) // one that cannot be read tells nothing
		return s
	}
	if len(among) == 0 {
		return session.Session{}
	}
	list, _ := at.Peek()
	newest := session.Session{}
	for _, s := range list {
		if s.Client == client && s.Heard >= newest.Heard && slices.ContainsFunc(among, func(a session.Ancestor) bool { return s.Process.PID == a.PID && s.Process.Start == a.Start }) {
			newest = s
		}
	}
	return newest
}

// projectVars are what clients say is the folder of a session, for the programs that they
// start. Gemini CLI and Copilot CLI set that of Claude Code, too.
var projectVars = map[string][]string{
	"claude":  {"CLAUDE_PROJECT_DIR"},
	"gemini":  {"GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR"},
	"copilot": {"COPILOT_PROJECT_DIR", "CLAUDE_PROJECT_DIR"},
	"":        {"CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR", "WORKSPACE_FOLDER_PATHS"},
}

// Projects returns the folders that a client says are its project: any client for "".
func Projects(env environ.Env, client string) (list []string) {
	for _, name := range projectVars[client] {
		for path := range strings.SplitSeq(env.Getenv(name), ",") {
			if filepath.IsAbs(path) {
				list = append(list, filepath.Clean(path))
			}
		}
	}
	return list
}

// Together returns the other sessions under way that share a work tree and its name.
func Together(stateDir string, s *session.Session, now int64) (list []session.Session) {
	all, _ := session.At(stateDir).List(now)
	for i := range all {
		o := &all[i]
		if o.State != session.Ended && o.Key() != s.Key() && o.Alias == s.Alias && cmp.Or(o.Mail, s.Mail) == s.Mail {
			list = append(list, *o)
		}
	}
	return list
}
