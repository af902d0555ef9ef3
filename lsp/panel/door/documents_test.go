package door_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// TestDiagnoseInStore: a message that is open is held against those that the
// directory has of its task, and never against its own file.
func TestDiagnoseInStore(t *testing.T) {
	all := chain(t)
	b := newBoard(t, panel.Settings{}, all[:3]...)
	b.ready()
	const name = "review_request-T-2026-044-1772117287001.json"
	own := filepath.Join(b.ssot, "messages", chainTask, name)
	edited := bytes.Replace(all[2], []byte(`"reject_count": 0`), []byte(`"reject_count": 1`), 1)
	other := bytes.ReplaceAll(edited, []byte("T-2026-044"), []byte("T-2026-045"))
	for _, tt := range []struct {
		name, path string
		text       []byte
		want       []string
	}{
		{"its own file", own, all[2], nil},
		{"its own file, changed (AGN Q5)", own, edited, []string{"Q5"}},
		{"its own file through a link", filepath.Join(b.home, "link", "messages", chainTask, name), edited, []string{"Q5"}},
		{"its own file, under another id", own, bytes.Replace(all[2], []byte("287001"), []byte("287002"), 1), nil},
		{"another file of the name of one", filepath.Join(b.home, "task_dispatch-T-2026-044-1772116327001.json"), bytes.Replace(all[2], []byte("287001"), []byte("287002"), 1), nil},
		{"a copy of it", filepath.Join(b.home, "draft.json"), all[2], nil},
		{"another message of its id (AGN E1)", filepath.Join(b.home, "draft.json"), edited, []string{"E1", "Q5"}},
		{"never saved", "", edited, []string{"E1", "Q5"}},
		{"of a task that is not known, in the directory (AGN Q6)", filepath.Join(b.ssot, "new.json"), other, []string{"Q6", "Q6", "Q5", "E10", "E10"}},
		{"of a task that is not known, elsewhere", filepath.Join(b.home, "draft.json"), other, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			checked, err := check.Check(t.Context(), check.Document{File: filepath.ToSlash(tt.path), Path: tt.path, Language: "json", Text: string(tt.text)}, b, nil)
			if err != nil || checked == nil {
				t.Fatalf("%+v, %v", checked, err)
			}
			var got []string
			for _, d := range checked.Found {
				got = append(got, d.Rule)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	list, err := check.Fixes(t.Context(), check.Document{Path: own, Language: "json", Text: string(edited)}, b, 0, len(edited))
	if err != nil || len(list) != 1 || list[0].Title != "Set reject_count to 0, the number of rejections so far" {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestLogsAsValidate: an editor shows of a log what "signalbox validate" reports,
// on the same lines, as grave, under the same rule.
func TestLogsAsValidate(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "mail")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "..", "testdata", "samp", "store-spaced"))); err != nil {
		t.Fatal(err)
	}
	hello := rec(7, "alice", "carol", "t", "hello")
	for name, text := range map[string]string{
		"log-mallory.jsonl":                  string(hello.Append(nil)) + "x\n{}\n[1]\n\n" + `{"ts":1,"from":"nobody here","to":"b","thread":"","body":""}` + "\n" + string(hello.Append(nil))[:30],
		"log-alice.sync-conflict-1.jsonl":    string(hello.Append(nil)),
		"log-Bob.jsonl":                      "\x00\n" + strings.Repeat(`{"a":`, 70) + "\n",
		"log-eve.jsonl":                      "{\"body\": \"\xff\", \"from\": \"eve\", \"thread\": \"\"}\nabc\xfe\n" + strings.TrimSpace(string(hello.Append(nil))),
		"log-zoe.jsonl":                      `{"id":"0000000000000000","ts":-1,"from":"zoe","to":"a","thread":"","body":"\ud800"}`,
		"log-nobody's (conflict copy).jsonl": "",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	opened, err := sampstore.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	want := map[string]int{}
	if _, err := opened.Examine(t.Context(), func(p sampstore.Problem) {
		if strings.HasPrefix(p.File, "log-") {
			want[fmt.Sprintf("%s:%d %s %v", p.File, max(1, p.Line), p.Rule, p.Violation)]++
		}
	}); err != nil {
		t.Fatal(err)
	}
	d := openTestDoor(t, home, panel.Settings{Directories: []string{dir}}, nil, nil)
	if err := d.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, log := range must(filepath.Glob(filepath.Join(dir, "log-*"))) {
		// An editor shows what is no UTF-8 so.
		text := strings.ToValidUTF8(string(must(os.ReadFile(log))), "\ufffd\ufffd")
		c, err := check.Check(t.Context(), check.Document{File: filepath.ToSlash(log), Path: log, Text: text}, d, nil)
		if err != nil || c == nil {
			t.Fatalf("%s: %+v, %v", log, c, err)
		}
		for _, f := range c.Found {
			line := 1 + strings.Count(text[:f.Start], "\n")
			got[fmt.Sprintf("%s:%d %s %v", filepath.Base(log), line, f.Rule, f.Severity == check.Error)]++
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 15 {
		t.Errorf("%d findings: %s", len(want), diff)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
