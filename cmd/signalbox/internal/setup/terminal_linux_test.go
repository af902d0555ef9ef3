package setup

import (
	"os"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/ptytest"
)

// typed returns a terminal on which somebody has typed a text.
func typed(t *testing.T, text string) *os.File {
	t.Helper()
	keys, terminal, err := ptytest.Open(80, 24)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { keys.Close(); terminal.Close() })
	if _, err := keys.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return terminal
}

// TestAsksPerson asks once who the person is.
func TestAsksPerson(t *testing.T) {
	for _, c := range []struct{ name, config, typed, want, fault string }{
		{name: "a name", typed: "kim\ny\n", want: `"person": "kim"`},
		{name: "known", config: `{"person": "dev"}`, typed: "y\n", want: `"person": "dev"`},
		{name: "no alias", typed: "k i m\ny\n", fault: "is not allowed"},
		{name: "the proposal", typed: "\ny\n", want: `"person": "`},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{".claude.json": "{}"}
			if c.config != "" {
				files["own/config.json"] = c.config
			}
			p := newPlace(t, files)
			p.in = typed(t, c.typed)
			out, err := p.run("claude")
			if c.fault != "" {
				if err == nil || !strings.Contains(err.Error(), c.fault) {
					t.Errorf("%v\n%s", err, out)
				}
				return
			}
			text, _ := os.ReadFile(p.path("own/config.json"))
			if err != nil || !strings.Contains(string(text), c.want) || strings.Contains(out, "Which name") != (c.config == "") {
				t.Errorf("%v, %s\n%s", err, text, out)
			}
			if !strings.Contains(p.tree()[".claude.json"], "signalbox") {
				t.Error("nothing was set up")
			}
		})
	}
}
