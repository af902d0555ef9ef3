package setup

import (
	"reflect"
	"testing"
)

// FuzzTOML holds for any text that its statements are the text, that our tables change
// nothing else in it, and that they can be taken out again.
func FuzzTOML(f *testing.F) {
	for _, seed := range []string{
		"", "a = 1", "[a]\r\nb = '''\n[mcp_servers.signalbox]\n'''\r\n", "x = \"\"\"\\\"\"\"\"\"\n", "[[a]]\nb = [ # ]\n1,\n]\n", "mcp_servers = {}\n", "[hooks.state]\n", "a.\"b=c\".d = {e = '#'}\n",
		"# signalbox: begin\n[mcp_servers.signalbox]\ncommand = \"/opt/signalbox/bin/signalbox\"\nargs = [\"mcp\"]\n[x]\n# signalbox: end\n",
	} {
		f.Add([]byte(seed))
	}
	m := machine{command: usual}
	e := m.codexTools(map[string]string{"h:stop:0:0": "sha256:1"}).edit
	f.Fuzz(func(t *testing.T, text []byte) {
		if got := join(statements(text)); got != string(text) {
			t.Fatalf("the statements of %q are %q", text, got)
		}
		before, err := decode(text)
		if err != nil {
			return
		}
		after, err := e.Add(text, "")
		if err != nil {
			return
		}
		removed, err := e.Remove(after, e.Wrote(""))
		if err != nil {
			t.Fatalf("%q became %q: %v", text, after, err)
		}
		got, err := decode(removed)
		if _, there := server(before); err != nil || !there && !reflect.DeepEqual(pruned(before), pruned(got)) {
			t.Fatalf("%q became %q and then %q: %v", text, after, removed, err)
		}
	})
}
