package who

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// Caller is what runs this program: the person, or an agent.
type Caller struct {
	// Agent is set for an agent, and Why is the evidence.
	Agent bool
	Why   string
	// Client is the agent's program, if it is known, and Session its session, if hooks have
	// recorded it.
	Client  string
	Session activity.Session
}

// program is a program of agents: the variable that names its session, what else it sets for the
// commands that it runs, and the names of its processes.
type program struct {
	name, session string
	vars, process []string
}

// clients are the programs of agents.
var clients = []program{
	{"claude", "CLAUDE_CODE_SESSION_ID", []string{"CLAUDECODE", "CLAUDE_CODE"}, []string{"claude"}},
	{"codex", "CODEX_THREAD_ID", []string{"CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_CI"}, []string{"codex"}},
	{"gemini", "GEMINI_SESSION_ID", []string{"GEMINI_CLI"}, []string{"gemini"}},
	{"copilot", "", []string{"COPILOT_CLI"}, []string{"copilot"}},
	{"opencode", "", []string{"OPENCODE"}, []string{"opencode"}},
	{"", "", []string{"CURSOR_AGENT", "CLINE_ACTIVE", "AUGMENT_AGENT", "AI_AGENT"}, []string{"cursor-agent"}},
}

// maxAbove is the number of processes above this one that are examined. A person's shell has
// a handful. If there are more, one of the others may be an agent.
const maxAbove = 64

// Calling finds out who calls. An agent's program sets variables for the programs that it
// runs, and is among the processes above them. above returns these processes; it may be nil.
func Calling(env environ.Env, above func(most int) []activity.Ancestor) Caller {
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
	list := above(maxAbove)
	for i, p := range list {
		for _, c := range clients {
			if name := c.runs(&p); name != "" {
				who := Caller{Agent: true, Why: "it runs below " + name, Client: c.name}
				who.Session = sessionOf(env, c.name, c.session, list[:i+1])
				return who
			}
		}
	}
	if len(list) >= maxAbove {
		return Caller{Agent: true, Why: fmt.Sprintf("%d processes and more stand above it", maxAbove)}
	}
	return Caller{}
}

// interpreters are programs that run clients which are scripts. Node's main thread has a name
// of its own.
var interpreters = []string{"node", "mainthread", "bun", "deno"}

// runs returns the name by which a process is recognized as the client, or "". It is the
// process's own name, perhaps with a suffix for the system, or a name in a path: the path of
// a script that an interpreter runs, or of a program that is named after its version.
func (c *program) runs(p *activity.Ancestor) string {
	name := strings.TrimSuffix(strings.ToLower(p.Name), ".exe")
	for _, own := range c.process {
		if name == own || strings.HasPrefix(name, own+"-") {
			return name
		}
	}
	if slices.Contains(interpreters, name) || name != "" && strings.Trim(name, ".0123456789") == "" {
		return c.path(p.Arguments())
	}
	return ""
}

// path returns the client's name if the arguments of a process, each with a NUL at its end,
// contain it, or "". The name may be the file name of a script, the package of a script, or
// the folder of a program that is named after its version. Other folders do not count, since
// a person's own folder may have such a name.
func (c *program) path(arguments string) string {
	for _, arg := range scripts(arguments) {
		parts := strings.Split(strings.ToLower(filepath.ToSlash(arg)), "/")
		for i, part := range parts {
			pack := i > 0 && parts[i-1] == "node_modules" || i > 1 && parts[i-2] == "node_modules" && strings.HasPrefix(parts[i-1], "@")
			if i < len(parts)-1 && !pack && parts[i+1] != "versions" {
				continue
			}
			for _, own := range c.process {
				if end, ok := strings.CutPrefix(part, own); ok && slices.Contains([]string{"", ".js", ".mjs", "-cli", "-ai", "-code"}, end) {
					return own
				}
			}
		}
	}
	return ""
}

// scripts returns the arguments that may be the program or script of a process. For an
// interpreter they end with the first one that is neither an option nor the possible value of
// an option.
func scripts(arguments string) []string {
	// On macOS other texts come before them, some of them empty.
	args := strings.FieldsFunc(arguments, func(r rune) bool { return r == 0 })
	args = args[:min(maxArgs, len(args))]
	begin := 0
	for i, arg := range args {
		name := strings.TrimSuffix(strings.ToLower(filepath.Base(filepath.ToSlash(arg))), ".exe")
		if slices.Contains(interpreters, name) || begin == i && name == "run" { // "bun run"
			begin = i + 1
		}
	}
	if begin == 0 {
		return args
	}
	for i := begin; i < len(args); i++ {
		if !strings.HasPrefix(args[i], "-") && !strings.HasPrefix(args[i-1], "-") {
			return args[begin : i+1]
		}
	}
	return args[begin:]
}

// maxArgs is the number of arguments that are searched for the path of a client.
const maxArgs = 6

// Decides returns an error unless the person calls: no agent may decide on the requests of an
// agent, neither on its own nor on another one's.
func Decides(env environ.Env, above func(most int) []activity.Ancestor) error {
	if c := Calling(env, above); c.Agent {
		return fmt.Errorf("only the person decides what an agent may do, and an agent calls: %s", c.Why)
	}
	return nil
}

// sessionOf returns the session of a client: the one that a variable identifies or, if it is
// not set, the newest one whose process is in among.
func sessionOf(env environ.Env, client, variable string, among []activity.Ancestor) activity.Session {
	if client == "" {
		return activity.Session{}
	}
	at := activity.At(env.StateDir())
	if id := env.Getenv(variable); variable != "" && id != "" {
		s, _ := at.Read(client, id) // an unreadable session counts as empty
		return s
	}
	if len(among) == 0 {
		return activity.Session{}
	}
	list, _ := at.Peek()
	newest := activity.Session{}
	for _, s := range list {
		if s.Client == client && s.Heard >= newest.Heard && slices.ContainsFunc(among, func(a activity.Ancestor) bool { return s.Process.PID == a.PID && s.Process.Start == a.Start }) {
			newest = s
		}
	}
	return newest
}

// projectVars are the variables in which clients give the folder of a session to the programs
// that they start. Gemini CLI and Copilot CLI also set the variable of Claude Code.
var projectVars = map[string][]string{
	"claude":  {"CLAUDE_PROJECT_DIR"},
	"gemini":  {"GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR"},
	"copilot": {"COPILOT_PROJECT_DIR", "CLAUDE_PROJECT_DIR"},
	"":        {"CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR", "WORKSPACE_FOLDER_PATHS"},
}

// Projects returns the project folders that a client gives. "" means any client.
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

// Together returns the other sessions that have not ended and have the same name in the same
// message directory.
func Together(stateDir string, s *activity.Session, now int64) (list []activity.Session) {
	all, _ := activity.At(stateDir).List(now)
	for i := range all {
		o := &all[i]
		if o.State != activity.Ended && o.Key() != s.Key() && o.Alias == s.Alias && cmp.Or(o.Mail, s.Mail) == s.Mail {
			list = append(list, *o)
		}
	}
	return list
}
