package source

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/sourcetest"
)

// TestSource runs the suite of all sources on this one.
func TestSource(t *testing.T) {
	sourcetest.Run(t, sourcetest.Case{
		New: New, Word: "word", Asks: 2,
		Fill: func(t *testing.T, home string) {
			threads := []string{"release", "login", "billing"}
			for i := range 9 {
				from := []string{"alice", "carol"}[i%2]
				to := []string{"bob", "dave"}[i%4/2]
				appendLog(t, home, from, recordLine(t, int64(1000+100*i), from, to, threads[i%3], fmt.Sprint("word ", i)))
			}
			appendLog(t, home, "alice", recordLine(t, 2000, "alice", "bob", "release", "which word?"))
			appendLog(t, home, "bob", recordLine(t, 2001, "bob", "alice", "release", "this word"))
			appendLog(t, home, "carol", recordLine(t, 2002, "carol", "bob", "release", "really that word?\n- [ ] yes\n- [ ] no"))
			appendLog(t, home, "carol", recordLine(t, 2004, "carol", "bob", "billing", "one word more?"))
			appendLog(t, home, "alice", recordLine(t, 2003, "alice", "carol", "login", "is the word asked of another?"))
			text, err := json.Marshal(sourcetest.Hostile)
			name, bad := json.Marshal("about " + sourcetest.Hostile)
			if err != nil || bad != nil {
				t.Fatal(err, bad)
			}
			for _, line := range []string{
				`{"ts":500,"from":"mallory","to":TEXT,"thread":NAME,"body":TEXT,"id":NAME}`,
				`{"ts":501,"from":"mallory","to":"bob","thread":NAME,"body":TEXT}`,
				`{"ts":502,"from":TEXT,"to":"bob","thread":"login","body":TEXT}`,
				`{"ts":503,"from":"alice","to":"bob","thread":"login","body":"said by somebody else"}`,
				"{broken " + sourcetest.Hostile, `{"ts":7}`,
			} {
				appendLog(t, home, "mallory", strings.NewReplacer("TEXT", string(text), "NAME", string(name)).Replace(line)+"\n")
			}
		},
		Setting: func(home string) (panel.Settings, []string) {
			return panel.Settings{Alias: "bob", Directories: []string{home}}, nil
		},
		Grow: func(t *testing.T, home string) {
			appendLog(t, home, "alice", recordLine(t, 5000, "alice", "bob", "login", "new"))
		},
	})
}

func recordLine(t *testing.T, ts int64, from, to, thread, body string) string {
	t.Helper()
	r, err := samp.Build(from, to, thread, body, ts, samp.V1)
	if err != nil {
		t.Fatal(err)
	}
	return string(r.Append(nil))
}

func appendLog(t *testing.T, home, alias, text string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(home, samp.LogName(alias)), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}
