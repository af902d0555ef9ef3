package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the table of attacks into docs/attacks.md, and docs/json")

// attackDir holds one script for each attack that runs against the real program, and
// elsewhere.json, which names the tests of the others.
func attackDir() string { return filepath.Join("..", "..", "testdata", "attacks") }

// TestAttacks runs testdata/attacks: what a stranger may try, each with the harmless
// thing that comes of it.
func TestAttacks(t *testing.T) {
	p := scriptParams()
	p.Dir = attackDir()
	testscript.Run(t, p)
}

// attack is a row of the table: what is tried, what comes of it, and the file that
// holds it, from the root of the repository. A test that is not among the scripts
// has words that stand in its file.
type attack struct {
	Class   string `json:"class"`
	Attack  string `json:"attack"`
	Outcome string `json:"outcome"`
	File    string `json:"file"`
	Words   string `json:"words"`
}

// TestAttackTable holds that the table in docs/attacks.md has the attacks that are
// run, all of them and no others.
func TestAttackTable(t *testing.T) {
	attacks := append(scripted(t), heldElsewhere(t)...)
	if len(attacks) < 25 {
		t.Errorf("only %d attacks", len(attacks))
	}
	slices.SortStableFunc(attacks, func(a, b attack) int {
		return strings.Compare(a.Class+"\x00"+a.Attack, b.Class+"\x00"+b.Attack)
	})
	var table strings.Builder
	table.WriteString("\n| kind | attack | what comes of it | held by |\n|---|---|---|---|\n")
	for i, a := range attacks {
		if i > 0 && a.Attack == attacks[i-1].Attack {
			t.Errorf("%s: %q is listed twice", a.File, a.Attack)
		}
		fmt.Fprintf(&table, "| %s | %s | %s | [%s](../%s) |\n", a.Class, a.Attack, a.Outcome, filepath.Base(a.File), a.File)
	}
	table.WriteString("\n")
	path := filepath.Join("..", "..", "docs", "attacks.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- attacks -->\n", "<!-- end of attacks -->"
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	before, rest, ok := strings.Cut(text, begin)
	have, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no %q and %q", path, begin, end)
	}
	if *update {
		if err := os.WriteFile(path, []byte(before+begin+table.String()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(table.String(), have); diff != "" {
		t.Errorf("the table is not that of the cases, -update writes it (-want +got):\n%s", diff)
	}
}

// scripted reads the heads of the scripts: "# kind: …", "# attack: …", "# outcome: …".
func scripted(t *testing.T) (attacks []attack) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(attackDir(), "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no scripts in %s (%v)", attackDir(), err)
	}
	head := regexp.MustCompile(`^# kind: (.+)\n# attack: (.+)\n# outcome: (.+)\n`)
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		script := strings.ReplaceAll(string(txtar.Parse(data).Comment), "\r\n", "\n")
		m := head.FindStringSubmatch(script)
		if m == nil {
			t.Errorf("%s does not begin with its kind, attack and outcome", name)
			continue
		}
		if !regexp.MustCompile(`(?m)^(\[.*\] )?(! )?(exec|execrc|talk) `).MatchString(script) {
			t.Errorf("%s runs nothing", name)
		}
		attacks = append(attacks, attack{Class: m[1], Attack: m[2], Outcome: m[3], File: "testdata/attacks/" + filepath.Base(name)})
	}
	return attacks
}

// heldElsewhere reads the attacks that other tests hold, whose words must stand in them.
func heldElsewhere(t *testing.T) (attacks []attack) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(attackDir(), "elsewhere.json"))
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&attacks); err != nil {
		t.Fatal(err)
	}
	for _, a := range attacks {
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(a.File)))
		switch {
		case err != nil:
			t.Error(err)
		case a.Class == "" || a.Attack == "" || a.Outcome == "" || a.Words == "":
			t.Errorf("%+v is not whole", a)
		case !bytes.Contains(text, []byte(a.Words)):
			t.Errorf("%s does not hold %q, which is said to hold: %s", a.File, a.Words, a.Attack)
		}
	}
	return attacks
}

// rawBytes writes bytes that a script cannot hold: each \xNN in a file becomes that
// byte: rawbytes file
func rawBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: rawbytes file")
	}
	form := regexp.MustCompile(`\\x[0-9a-f]{2}`)
	text := ts.ReadFile(args[0])
	if !form.MatchString(text) {
		ts.Fatalf("%s holds no \\xNN", args[0])
	}
	text = form.ReplaceAllStringFunc(text, func(s string) string {
		b, err := strconv.ParseUint(s[2:], 16, 8)
		ts.Check(err)
		return string([]byte{byte(b)})
	})
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

// talkTo has a conversation with "signalbox lsp" and writes what the server said to a
// file, a line for each message: talk in out. A line of in is the content of a frame,
// or after "=> " bytes as they are, in Go's quotes. Where it has an id, the answer is
// waited for before the next line is sent; after "until WORD " the request is sent again
// until that word is in the answer, since the server reads the disk beside. The last
// line has to make the server end, with 0.
func talkTo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: talk in out")
	}
	path, err := exec.LookPath("signalbox")
	ts.Check(err)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "lsp")
	cmd.Dir = ts.MkAbs(".")
	for _, name := range [...]string{"HOME", "PATH", "TZ", "SIGNALBOX_AS", "SIGNALBOX_STATE_DIR", "AGENT_MESSAGE_DIR", "SystemRoot", "TMP", "CLAUDECODE"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	in, err := cmd.StdinPipe()
	ts.Check(err)
	stdout, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	output, err := converse(bufio.NewReader(stdout), in, ts.ReadFile(args[0]))
	in.Close()
	if err != nil {
		cancel()
	}
	ended := cmd.Wait()
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(output), 0o600))
	if err = errors.Join(err, ended); err != nil {
		ts.Fatalf("%v, after the server said:\n%s", err, output)
	}
}

func converse(from *bufio.Reader, to io.Writer, script string) (output string, err error) {
	var out strings.Builder
	for line := range strings.Lines(script) {
		line = strings.TrimSuffix(line, "\n")
		text, isRaw := strings.CutPrefix(line, "=> ")
		want := ""
		if rest, ok := strings.CutPrefix(line, "until "); ok {
			want, text, _ = strings.Cut(rest, " ")
		}
		if isRaw {
			if text, err = strconv.Unquote(text); err != nil {
				return out.String(), fmt.Errorf("%s: %w", line, err)
			}
		}
		for done := line == ""; !done; {
			if !isRaw {
				_, err = fmt.Fprintf(to, "Content-Length: %d\r\n\r\n", len(text))
			}
			if _, err2 := io.WriteString(to, text); err != nil || err2 != nil {
				return out.String(), errors.Join(err, err2)
			}
			var m struct{ ID *int }
			// What is malformed has no id, and is not answered to one.
			if isRaw || json.Unmarshal([]byte(text), &m) != nil || m.ID == nil {
				break
			}
			content, err := answerTo(*m.ID, from, &out)
			if err != nil {
				return out.String(), fmt.Errorf("waiting for %d: %w", *m.ID, err)
			}
			done = bytes.Contains(content, []byte(want))
		}
	}
	return out.String(), nil
}

// answerTo reads until the answer with that id, and notes all that was said.
func answerTo(id int, from *bufio.Reader, out *strings.Builder) ([]byte, error) {
	for {
		content, err := readFrame(from)
		if err != nil {
			return nil, err
		}
		out.Write(append(content, '\n'))
		var got struct {
			ID     *int
			Method string
		}
		if json.Unmarshal(content, &got) == nil && got.ID != nil && *got.ID == id && got.Method == "" {
			return content, nil
		}
	}
}

func readFrame(from *bufio.Reader) ([]byte, error) {
	header, err := textproto.NewReader(from).ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	size, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return nil, err
	}
	content := make([]byte, size)
	_, err = io.ReadFull(from, content)
	return content, err
}
