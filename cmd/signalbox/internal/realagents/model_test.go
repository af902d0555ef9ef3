//go:build agents

package realagents

import (
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// turn is one answer of the model.
type turn struct {
	// when is a text that the request must hold to be this turn. One without it is
	// answered with "ok".
	when string
	// sees are texts that the request must hold.
	sees []string
	// once are texts that it must hold exactly once.
	once []string
	// never are texts that it must not hold.
	never []string
	// before runs when the request has come and is not answered yet.
	before func()
	// call is the tool of ours that the model calls, args its arguments, worked out from
	// what the model was sent.
	call string
	args func(text string) map[string]any
	say  string
	// instead is what it calls as long as that tool is not offered: some programs begin before
	// our server is there. It may be nil.
	instead func() call
}

// model plays a language model for one client: it answers requests with the prompt, or what the
// next turn waits for, in them turn by turn, and all others, such as those for a title, with "ok".
type model struct {
	*httptest.Server
	t      *testing.T
	prompt string

	mu    sync.Mutex
	turns []turn
	// asked are the texts of the requests, one a turn. last are those of the newest, in
	// the pieces that they came in.
	asked []string
	last  []string
	calls int
	done  chan struct{}
}

func newModel(t *testing.T, prompt string, turns []turn) *model {
	m := &model{t: t, prompt: prompt, turns: turns, done: make(chan struct{})}
	m.Server = httptest.NewServer(m)
	t.Cleanup(m.Close)
	return m
}

// tool is a tool that a request offers, and for Responses the namespace that it is in.
type tool struct{ name, namespace string }

// request is a request in any of the four forms.
type request struct {
	body map[string]any
	// text is the conversation, pieces are what it consists of.
	text   string
	pieces []string
	tools  []tool
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := form(r.URL.Path)
	if r.Method == http.MethodGet || answer == nil {
		// The list of models, or a count of tokens.
		writeJSON(w, object{"data": []any{}, "models": []any{}, "input_tokens": 1, "totalTokens": 1})
		return
	}
	q, err := readRequest(r)
	if err != nil {
		m.t.Errorf("%s %s: %v", r.Method, r.URL, err)
		return
	}
	say, calls := m.next(q)
	stream := q.body["stream"] == true || strings.HasSuffix(r.URL.Path, ":streamGenerateContent")
	answer(w, stream, say, calls)
}

func readRequest(r *http.Request) (*request, error) {
	in := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, err
		}
		in = z
	}
	q := &request{}
	if err := json.NewDecoder(in).Decode(&q.body); err != nil {
		return nil, err
	}
	for _, key := range []string{"messages", "input", "contents"} {
		q.pieces = texts(q.pieces, q.body[key])
	}
	q.text = strings.Join(q.pieces, "\n")
	q.tools = append(offered(q.body["tools"], ""), offered(q.body["input"], "")...)
	return q, nil
}

// next returns what the model answers.
func (m *model) next(q *request) (say string, calls []call) {
	if len(q.tools) == 0 {
		return "ok", nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(m.asked)
	// Gemini CLI may go on with a session before it has read what was said in it.
	awaited := n < len(m.turns) && m.turns[n].when != "" && strings.Contains(q.text, m.turns[n].when)
	if !awaited && !strings.Contains(q.text, m.prompt) {
		return "ok", nil
	}
	m.last = q.pieces
	if n < len(m.turns) && !strings.Contains(q.text, m.turns[n].when) {
		return "ok", nil
	}
	if n < len(m.turns) && m.turns[n].instead != nil && q.find(m.turns[n].call).name == m.turns[n].call {
		m.calls++
		c := m.turns[n].instead()
		c.id = fmt.Sprintf("call_%d", m.calls)
		return "I look.", []call{c}
	}
	m.asked = append(m.asked, q.text)
	if n >= len(m.turns) {
		m.t.Errorf("request %d came after the last turn; it holds\n%s", n+1, tail(q.text))
		return "ok", nil
	}
	t := &m.turns[n]
	m.check(n, t, q.text)
	if names := q.ours("check_mail"); len(names) > 1 {
		m.t.Errorf("turn %d: our tools are offered under several names: %v", n+1, names)
	}
	if t.before != nil {
		m.mu.Unlock()
		t.before()
		m.mu.Lock()
	}
	if t.call != "" {
		m.calls++
		c := call{tool: q.find(t.call), id: fmt.Sprintf("call_%d", m.calls), args: map[string]any{}}
		if t.args != nil {
			c.args = t.args(q.text)
		}
		calls = append(calls, c)
	}
	if n == len(m.turns)-1 {
		close(m.done)
	}
	return cmp.Or(t.say, "I go on."), calls // Gemini CLI asks again for an answer without a text
}

// turn returns how many turns were asked for.
func (m *model) turn() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.asked)
}

// sent reports whether the model was asked for a turn, and sent a text with it.
func (m *model) sent(turn int, text string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.asked) > turn && strings.Contains(m.asked[turn], text)
}

// saw reports whether the newest request holds a text.
func (m *model) saw(text string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return strings.Contains(strings.Join(m.last, "\n"), text)
}

// logOnFailure has a test that fails log the conversation of the newest request, its
// pieces cut short.
func (m *model) logOnFailure(name string) {
	m.t.Cleanup(func() {
		if !m.t.Failed() {
			return
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		var text strings.Builder
		for _, piece := range m.last[max(0, len(m.last)-80):] {
			fmt.Fprintf(&text, "\t%.300q\n", piece)
		}
		m.t.Logf("%s answered %d of %d turns; the newest request ends with\n%s", name, len(m.asked), len(m.turns), text.String())
	})
}

func (m *model) check(n int, t *turn, text string) {
	for _, want := range t.sees {
		if !strings.Contains(text, want) {
			m.t.Errorf("turn %d: the model does not see %q; it sees\n%s", n+1, want, tail(text))
		}
	}
	for _, want := range t.once {
		if got := strings.Count(text, want); got != 1 {
			m.t.Errorf("turn %d: the model sees %q %d times; it sees\n%s", n+1, want, got, tail(text))
		}
	}
	for _, not := range t.never {
		if strings.Contains(text, not) {
			m.t.Errorf("turn %d: the model sees %q; it sees\n%s", n+1, not, tail(text))
		}
	}
}

// tail is the end of a request, which begins with pages of the client's own.
func tail(text string) string { return text[max(0, len(text)-3000):] }

// named finds tools in texts: Claude Code offers some by name alone.
var named = regexp.MustCompile(`mcp__\w+`)

// find returns the offered tool of ours with a name.
func (q *request) find(name string) tool {
	if list := q.ours(name); len(list) > 0 {
		return list[0]
	}
	return tool{name: name}
}

// ours returns the offered tools of ours with a name, each once.
func (q *request) ours(name string) (list []tool) {
	all := q.tools
	for _, word := range named.FindAllString(q.text, -1) {
		all = append(all, tool{name: word})
	}
	for _, o := range all {
		if full := o.namespace + "-" + o.name; strings.Contains(full, "signalbox") && strings.HasSuffix(full, name) && !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	return list
}

// texts collects all texts in a JSON value.
func texts(list []string, v any) []string {
	switch v := v.(type) {
	case string:
		list = append(list, v)
	case []any:
		for _, e := range v {
			list = texts(list, e)
		}
	case map[string]any:
		for _, key := range keysInOrder(v) {
			list = texts(list, v[key])
		}
	}
	return list
}

// offered collects the tools of a request in any of the four forms.
func offered(v any, namespace string) (list []tool) {
	entries, _ := v.([]any)
	for _, e := range entries {
		m, _ := e.(map[string]any)
		if f, ok := m["function"].(map[string]any); ok {
			m = f
		}
		name, _ := m["name"].(string)
		switch {
		case m["tools"] != nil:
			list = append(list, offered(m["tools"], name)...)
		case m["functionDeclarations"] != nil:
			list = append(list, offered(m["functionDeclarations"], namespace)...)
		case name != "" && m["call_id"] == nil: // an earlier call offers nothing
			list = append(list, tool{name, namespace})
		}
	}
	return list
}
