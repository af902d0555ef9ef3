package threads

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/store/conflict"
)

const conflicted = ".sync-conflict-20260101-120000-ABCDEFG"

// TestMerge brings the messages that a conflict copy of a log alone holds to the log,
// behind what stands there, and puts the copy away: ATSF M1 M2 M5 T4.
func TestMerge(t *testing.T) {
	one, two, three := said("1", "one"), said("2", "two"), said("3", "three")
	join := func(lines ...string) string { return strings.Join(append(lines, ""), "\n") }
	for _, c := range []struct {
		name, log, copied, want string
		added, differ           int
	}{
		{"nothing new", join(one, two), join(one), join(one, two), 0, 0},
		{"both went on", join(one, two), join(one, three), join(one, two, three), 1, 0},
		{"M5/the log is unfinished", join(one) + `{"id`, join(one, three), join(one) + `{"id` + "\n" + join(three), 1, 0},
		{"M5/the copy is unfinished", join(one), join(one) + two, join(one), 0, 0},
		{"M2/one message in two states", join(one, two), join(one, said("2", "done"), three), join(one, two, three), 1, 1},
		{"a line that is no message", join(one), join("?", one), join(one, "?"), 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newReadBed(t)
			b.thread("p", "a", 0)
			b.write(c.log, "p", atsf.DirName, atsf.ThreadsName, "a", atsf.MessagesName)
			b.write(c.copied, "p", atsf.DirName, atsf.ThreadsName, "a", "messages"+conflicted+".jsonl")
			if list := b.findings("p", "a"); !slices.Contains(list, "threads/a/messages"+conflicted+".jsonl M1") {
				t.Errorf("it is not told: %q", list)
			}
			d := b.open("p")
			copies, err := d.Copies(t.Context())
			if err != nil || len(copies) != 1 {
				t.Fatal(copies, err)
			}
			m, err := d.Merge(t.Context(), copies[0], b.state)
			if err != nil || m.Added != c.added || m.Differ != c.differ {
				t.Fatalf("%+v, %v", m, err)
			}
			if got := b.read("p", "a", atsf.MessagesName); got != c.want {
				t.Errorf("the log is %q, want %q", got, c.want)
			}
			if got, err := os.ReadFile(m.Where); err != nil || string(got) != c.copied {
				t.Errorf("%q was put away: %q, %v", m.Where, got, err)
			}
			if c.added > 0 && !strings.Contains(c.name, "no message") {
				b.right("p", "a")
			}
			if diff := cmp.Diff([]string{atsf.MessagesName, atsf.ThreadName}, b.standing("p", "a")); diff != "" {
				t.Errorf("left behind: %s", diff)
			}
		})
	}
}

// TestMergeOthers puts away copies of what is counted anew or has its original's bytes, and no
// other: ATSF L4 T4 V2.
func TestMergeOthers(t *testing.T) {
	b := newReadBed(t)
	b.thread("p", "a", 0, said("1", "one"))
	thread := path.Join(atsf.DirName, atsf.ThreadsName, "a")
	for name, text := range map[string]string{
		"thread" + conflicted + ".json":         "{}",
		"assets/sha256-1.png":                   "1",
		"assets/sha256-1" + conflicted + ".png": "1",
		"assets/sha256-2.png":                   "2",
		"assets/sha256-2" + conflicted + ".png": "3",
		"assets/sha256-4" + conflicted + ".png": "4",
	} {
		b.write(text, "p", thread, filepath.FromSlash(name))
	}
	d := b.open("p")
	copies, err := d.Copies(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	away := make(map[string]bool)
	for _, c := range copies {
		m, err := d.Merge(t.Context(), c, b.state)
		if err != nil {
			t.Fatal(err)
		}
		away[strings.TrimPrefix(c.Original, thread+"/")] = m.Where != ""
	}
	want := map[string]bool{"thread.json": true, "assets/sha256-1.png": true, "assets/sha256-2.png": false, "assets/sha256-4.png": false}
	if diff := cmp.Diff(want, away); diff != "" {
		t.Error(diff)
	}
	later := strings.Replace(b.read("p", "a", atsf.ThreadName), `"1.1"`, `"2.0"`, 1)
	b.write(later, "p", thread, atsf.ThreadName)
	b.write(said("2", "two")+"\n", "p", thread, "messages"+conflicted+".jsonl")
	c := conflict.Copy{Path: thread + "/messages" + conflicted + ".jsonl", Original: thread + "/messages.jsonl"}
	if _, err := d.Merge(t.Context(), c, b.state); err == nil || !strings.Contains(err.Error(), "V2") {
		t.Errorf("a later major version: %v", err)
	}
	for _, bad := range []conflict.Copy{{Path: "x", Original: "y"}, {Path: "../.agent/x", Original: ".agent/x"}} {
		if _, err := d.Merge(t.Context(), bad, b.state); err == nil {
			t.Errorf("%+v was merged", bad)
		}
	}
}
