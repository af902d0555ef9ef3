//go:build editors

package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// The task of testdata/agn/amp-chain that is locked, and the escalation that says so.
const editorTask, editorEscalation = "T-2026-044", "escalation-T-2026-044-1772120327001"

// editorFixture is what an editor is tried on: a folder with the program, one message
// to bob and the task messages of testdata/agn/amp-chain.
type editorFixture struct {
	dir    string // the workspace, and home
	mail   string
	record samp.Record
	out    string // the file that the editor's script leaves its answers in, as JSON
}

func newEditorFixture(t *testing.T) *editorFixture {
	t.Helper()
	dir := t.TempDir()
	d := &editorFixture{dir: dir, mail: filepath.Join(dir, "mail"), out: filepath.Join(dir, "answers.json")}
	// SIGNALBOX_BIN is the program that make has built.
	err := os.Symlink(os.Getenv("SIGNALBOX_BIN"), filepath.Join(dir, "signalbox"))
	if os.Getenv("SIGNALBOX_BIN") == "" {
		err = exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dir, "signalbox"), ".").Run()
	}
	if err != nil {
		t.Fatal(err)
	}
	if d.record, err = samp.Build("alice", "bob", "login", "The **login** bug is back.", 1_777_075_200, samp.V1); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(d.mail, 0o700); err != nil {
		t.Fatal(err)
	}
	d.write(t, "mail/log-alice.jsonl", string(d.record.Append(nil)))
	if err := os.CopyFS(filepath.Join(dir, "ssot"), os.DirFS("../../testdata/agn/amp-chain")); err != nil {
		t.Fatal(err)
	}
	return d
}

// write writes a file of the workspace and gives its path.
func (d *editorFixture) write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(d.dir, filepath.FromSlash(name))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// environ is the environment of everything that runs in the workspace, with the
// program on its PATH.
func (d *editorFixture) environ() []string {
	return append(os.Environ(), "HOME="+d.dir, "XDG_STATE_HOME="+filepath.Join(d.dir, "state"), "XDG_CONFIG_HOME="+d.dir,
		"XDG_CACHE_HOME="+d.dir, "XDG_DATA_HOME="+d.dir, "PATH="+d.dir+string(os.PathListSeparator)+os.Getenv("PATH"),
		"AGENT_MESSAGE_DIR="+d.mail, "SIGNALBOX_AS=bob", "SIGNALBOX_ID="+d.record.ID, "SIGNALBOX_OUT="+d.out)
}

// program is what a command line's first word stands for there.
func (d *editorFixture) program(name string) string { return filepath.Join(d.dir, name) }

// git makes a repository of the workspace.
func (d *editorFixture) git(t *testing.T) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", d.dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// run runs an editor in the workspace and decodes the answers that its script left.
func (d *editorFixture) run(t *testing.T, answers any, env []string, name string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	editor := exec.CommandContext(ctx, name, args...)
	editor.Dir, editor.Env = d.dir, append(d.environ(), env...)
	if out, err := editor.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", name, err, out)
	}
	data, err := os.ReadFile(d.out)
	if err == nil {
		err = json.Unmarshal(data, answers)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// resumed holds that the escalation was answered on disk (AGN X9).
func (d *editorFixture) resumed(t *testing.T, action, text string) {
	t.Helper()
	resume, err := os.ReadFile(filepath.Join(d.dir, "ssot", "resumes", editorEscalation+".json"))
	if err != nil || !strings.Contains(string(resume), `"text": "`+text+`"`) || !strings.Contains(string(resume), `"action": "`+action+`"`) {
		t.Errorf("the answer is %q, %v", resume, err)
	}
}

// sent gives the records that bob's log has.
func (d *editorFixture) sent(t *testing.T) (list []samp.Record) {
	t.Helper()
	wrote, err := os.ReadFile(filepath.Join(d.mail, "log-bob.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(wrote)) {
		r, err := samp.Parse([]byte(strings.TrimSuffix(line, "\n")))
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		list = append(list, r)
	}
	return list
}
