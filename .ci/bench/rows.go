package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// row is one line of the table, or several if it stands beside several programs.
type row struct {
	what   string
	ours   measure
	beside []peer
	within time.Duration // the target of the median, or 0
	memory int64         // the target of the peak, in MB, or 0
}

// peer is what people would use instead, run in turns with ours. Without run it is missing here.
type peer struct {
	name  string
	run   measure
	times float64 // the target: ours may take so many times as long; 0 for none
}

// bench makes the rows.
type bench struct {
	bin     string
	sets    sets
	scratch string
	fresh   int // names of folders in scratch
}

// folder is an empty folder. What uses one that cannot be made fails by itself.
func (b *bench) folder() string {
	b.fresh++
	dir := filepath.Join(b.scratch, fmt.Sprint(b.fresh))
	_ = os.MkdirAll(dir, 0o700)
	return dir
}

// place is where a program runs: its home, state and working directory.
type place struct{ home, state, work string }

func (b *bench) place(home string) place {
	if home == "" {
		home = b.folder()
		return place{home, home + "-state", home}
	}
	return place{home, b.folder(), filepath.Join(home, "work")}
}

// env has nothing that says who runs this: a session of an agent would read as that agent.
func (p place) env() []string {
	list := []string{"HOME=" + p.home, "XDG_STATE_HOME=" + p.state, "XDG_CACHE_HOME=" + p.state, "LANG=C.UTF-8"}
	for _, name := range []string{"PATH", "TMPDIR", "PYENV_ROOT"} {
		if v, ok := os.LookupEnv(name); ok {
			list = append(list, name+"="+v)
		}
	}
	return list
}

func (b *bench) signalbox(p place, args ...string) process {
	return process{args: append([]string{b.bin}, args...), env: p.env(), dir: p.work}
}

// beside runs another program, if it is here.
func (b *bench) beside(name string, times float64, exit int, args ...string) peer {
	path, err := exec.LookPath(args[0])
	if err != nil {
		return peer{name: name, times: times}
	}
	p := b.place("")
	return peer{name, process{args: append([]string{path}, args[1:]...), env: p.env(), dir: b.scratch, exit: exit}.run, times}
}

func (b *bench) ripgrep(word, dir string, times float64) peer {
	return b.beside("`rg`", times, missing(word), "rg", "-uuu", "-i", "-c", "-F", word, dir)
}

// missing is the exit code of a search for a word.
func missing(word string) int {
	if word == nowhere {
		return 1
	}
	return 0
}

// firstPage is how long people wait for the first hits of what stands in many messages.
const firstPage = 200 * time.Millisecond

// inSessions searches what agents' programs recorded.
func (b *bench) inSessions() ([]row, error) {
	const size = 2 << 20
	usual, err := b.sets.sessions(120, size, false)
	if err != nil {
		return nil, err
	}
	repeated, err := b.sets.sessions(120, size, true)
	if err != nil {
		return nil, err
	}
	large, err := b.sets.sessions(500, size, false)
	if err != nil {
		return nil, err
	}
	search := func(home, word string) measure {
		p := b.signalbox(b.place(home), "threads", "search", "--", word)
		p.exit = missing(word)
		return p.run
	}
	rg := func(home, word string, times float64) peer {
		return b.ripgrep(word, filepath.Join(home, ".claude"), times)
	}
	ordinary := func(word string) peer { return peer{"ordinary sessions", search(usual, word), 10} }
	set := "`threads search`, " + megabytes(usual)
	rows := []row{
		{what: set + ": a word that is nowhere", ours: search(usual, nowhere), beside: []peer{rg(usual, nowhere, 4)}, memory: 100},
		{what: set + ": a word in one message, the oldest session", ours: search(usual, once), beside: []peer{rg(usual, once, 4)}, memory: 100},
		{what: set + ": a common word, first page", ours: search(usual, common), beside: []peer{rg(usual, common, 0)}, within: firstPage, memory: 100},
	}
	for _, word := range []string{nowhere, common} {
		rows = append(rows, row{
			what: fmt.Sprintf("the same, ids and times repeat: %s", kinds[word]), ours: search(repeated, word),
			beside: []peer{ordinary(word), rg(repeated, word, 0)}, memory: 100,
		})
	}
	return append(rows, row{
		what: "`threads search`, " + megabytes(large) + ": a word that is nowhere", ours: search(large, nowhere),
		beside: []peer{rg(large, nowhere, 4)}, memory: 100,
	}), nil
}

var kinds = map[string]string{nowhere: "a word that is nowhere", common: "a common word, first page"}

// inMail searches message directories.
func (b *bench) inMail() (rows []row, err error) {
	for _, records := range []int{300_000, 1_000_000} {
		dir, err := b.sets.mail(records, 10)
		if err != nil {
			return nil, err
		}
		for _, word := range []string{nowhere, common} {
			p := b.signalbox(b.place(""), "--dir", dir, "--as", "me", "search", "--", word)
			p.exit = missing(word)
			r := row{what: fmt.Sprintf("`search`, %s messages: %s", count(b.sets.sized(records)), kinds[word]), ours: p.run, memory: 100}
			if word == nowhere {
				r.beside = []peer{b.ripgrep(word, dir, 4)}
			} else {
				r.within, r.beside = firstPage, []peer{b.ripgrep(word, dir, 0)}
			}
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// lists are of 2,000 sessions, by a process that knows none of them, and by one that
// remembers what another one found.
func (b *bench) lists() (rows []row, err error) {
	for _, size := range []int{4 << 10, 1 << 20} {
		home, err := b.sets.sessions(2000, size, false)
		if err != nil {
			return nil, err
		}
		what := fmt.Sprintf("`threads list`, %s sessions of %s", count(b.sets.sized(2000)), bytesOf(size))
		p := b.place(home)
		first := b.signalbox(p, "threads", "list")
		first.piped = true
		first.before = func() error { return os.RemoveAll(p.state) }
		again := b.signalbox(b.place(home), "threads", "list")
		again.piped = true
		rows = append(rows,
			row{what: what + ", first look", ours: first.run, within: 800 * time.Millisecond},
			row{what: what + ", again", ours: again.run, within: 70 * time.Millisecond})
	}
	return rows, nil
}

// inboxes reads mail as an agent and its hook do.
func (b *bench) inboxes() ([]row, error) {
	million, err := b.sets.mail(1_000_000, 10)
	if err != nil {
		return nil, err
	}
	empty, err := b.sets.emptyProgram()
	if err != nil {
		return nil, err
	}
	dir, p := b.folder(), b.place("")
	if err := copied(million, dir); err != nil {
		return nil, err
	}
	me := func(args ...string) process {
		return b.signalbox(p, append([]string{"--dir", dir, "--as", "me"}, args...)...)
	}
	inbox := me("inbox")
	inbox.piped = true
	if _, err := inbox.run(); err != nil { // everything is read
		return nil, err
	}
	hook := me("hook", "claude")
	hook.piped = true
	for _, event := range []string{"SessionStart", "UserPromptSubmit"} {
		hook.in = eventOf(event, b.scratch)
		if _, err := hook.run(); err != nil {
			return nil, err
		}
	}
	hook.in, hook.silent = eventOf("PostToolUse", b.scratch), true
	nothing := b.beside("an empty Go program", 0, 0, empty)
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	over := func(name string, times float64, args ...string) peer {
		return b.beside(name, times, 0, append(args, files...)...)
	}
	in := fmt.Sprintf(", %s messages", count(b.sets.sized(1_000_000)))
	rows := []row{
		{what: "`hook`, nothing new" + in, ours: hook.run, beside: []peer{nothing}, within: 4 * time.Millisecond},
		{what: "`inbox`, nothing new" + in, ours: inbox.run, beside: []peer{nothing, b.agentMessage(dir, "inbox")}, within: 5 * time.Millisecond},
		{what: "`inbox all`" + in + ", a tenth of them listed", ours: me("inbox", "all").run, within: 120 * time.Millisecond, memory: 60, beside: []peer{
			over("`cat`", 0, "cat"),
			over("`json.loads` of Python", 1.0/9, "python3", "-c", "import json, sys\nfor name in sys.argv[1:]:\n  for line in open(name, 'rb'): json.loads(line)"),
			over("`jq`", 0, "jq", "-r", `select(.to == "me") | .id`),
			b.agentMessage(dir, "inbox", "all"),
		}},
	}
	fresh, err := b.allNew()
	return append(rows, fresh), err
}

func eventOf(name, cwd string) string {
	return fmt.Sprintf(`{"session_id":"s","hook_event_name":%q,"cwd":%q,"tool_name":"Bash","tool_input":{"command":"make test"}}`, name, cwd)
}

// agentMessage is the program that published the mail's format.
func (b *bench) agentMessage(dir string, args ...string) peer {
	p := b.beside("`agent-message`", 0, 0, append([]string{"agent-message-cmd"}, args...)...)
	path, err := exec.LookPath("agent-message-cmd")
	if err != nil {
		return p
	}
	// It goes by the name of the folder that it runs in.
	at := filepath.Join(b.folder(), "me")
	ours := process{args: append([]string{path}, args...), env: append(b.place("").env(), "AGENT_MESSAGE_DIR="+dir), dir: at, piped: true}
	ours.before = func() error { return os.MkdirAll(at, 0o700) }
	p.run = ours.run
	return p
}

// allNew reads mail that is all new.
func (b *bench) allNew() (row, error) {
	whole, err := b.sets.mail(1_000_000, 1)
	if err != nil {
		return row{}, err
	}
	dir, p := b.folder(), b.place("")
	inbox := b.signalbox(p, "--dir", dir, "--as", "me", "inbox")
	inbox.piped = true
	inbox.before = func() error {
		for _, path := range []string{dir, p.state} {
			if err := os.RemoveAll(path); err != nil {
				return err
			}
		}
		return copied(whole, dir)
	}
	return row{what: fmt.Sprintf("`inbox`, %s messages, all new", count(b.sets.sized(1_000_000))), ours: inbox.run, memory: 150}, nil
}
