package server

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the answers in testdata/transcripts")

// TestTranscripts plays recorded conversations: what a client of the protocol
// can rely on. In the file "transcript" of each archive,
//
//	-> {…}      is a message that the client sends
//	=> "…"      are bytes that it sends, as a Go string
//	.. 100ms    lets time pass
//	!! 3        lets the panel report a change of three threads
//	!! status   lets the panel report its status
//	!! tasks    lets the panel report that it knows a task now
//	<- {…}      is a message that the server sends, each in its order
//	<- end …    is how Serve ended
//
// ["…"] stands for the commands that initialize answers with, which docs/editors.md
// lists, and in all transcripts but one for its documents. A blank line or a line that
// begins with # says nothing. The jsonrpc member is left out on both sides where it is
// "2.0".
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil || len(archive.Files) != 1 || archive.Files[0].Name != "transcript" {
				t.Fatalf("want one file named transcript: %v", err)
			}
			want := string(archive.Files[0].Data)
			whole := strings.HasSuffix(file, "lifecycle.txtar")
			synctest.Test(t, func(t *testing.T) {
				got := replay(t, want)
				got = commandList.ReplaceAllString(got, `$1["…"]`)
				if !whole {
					got = documentList.ReplaceAllString(got, `$1["…"]`)
				}
				if *update {
					archive.Files[0].Data = []byte(got)
					if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
						t.Fatal(err)
					}
					return
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
			})
		})
	}
}

// The lists in the answer to initialize, with which all transcripts would change.
var (
	commandList  = regexp.MustCompile(`("commands":)\["signalbox\.[^\]]*\]`)
	documentList = regexp.MustCompile(`("documents":)\[\{.*?\}\]`)
)

// replay returns a transcript with the server's lines as they are now.
func replay(t *testing.T, script string) string {
	shown := &fakePanel{}
	c := dial(t, func(o *Options) { o.Open = shown.open })
	var out strings.Builder
	ended := false
	for line := range strings.Lines(script) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "<-") {
			continue
		}
		out.WriteString(line + "\n")
		step(t, c, shown, line)
		for _, got := range c.take() {
			out.WriteString("<- " + strings.Replace(got, `"jsonrpc":"2.0",`, "", 1) + "\n")
		}
		select {
		case <-c.done:
			if !ended {
				fmt.Fprintf(&out, "<- end %v\n", c.result)
			}
			ended = true
		default:
		}
	}
	return out.String()
}

func step(t *testing.T, c *client, shown *fakePanel, line string) {
	kind, rest, _ := strings.Cut(line, " ")
	switch {
	case line == "" || kind == "#":
	case kind == "->":
		if !json.Valid([]byte(rest)) {
			t.Fatalf("not JSON: %s", rest)
		}
		c.send(`{"jsonrpc":"2.0",` + rest[1:])
	case kind == "=>":
		raw, err := strconv.Unquote(rest)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		c.raw(raw)
	case kind == "..":
		d, err := time.ParseDuration(rest)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		time.Sleep(d) // in the bubble this takes no time
	case line == "!! status":
		s, _ := shown.Status(t.Context())
		shown.setup.StatusChanged(s)
	case line == "!! tasks":
		shown.learn(t)
	case kind == "!!":
		n, err := strconv.Atoi(rest)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		shown.change(n)
	default:
		t.Fatalf("cannot read %q", line)
	}
}
