package atsf_test

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// TestFixtures reads everything that other applications wrote, and compares it with the known
// values.
func TestFixtures(t *testing.T) {
	for _, c := range []struct {
		dir, id, refused  string
		entries, torn     int
		mismatches, notes []string
		parent, branch    string
	}{
		{dir: "main/dot-agent/threads/a1b2c3d4-e5f6-4890-abcd-ef1234567890", entries: 2},
		{dir: "worktree/dot-agent/threads/b2c3d4e5-f6a7-4901-bcde-f12345678901", entries: 2, branch: "feature/audio"},
		{dir: "worktree/dot-agent/threads/c3d4e5f6-a7b8-4012-8def-123456789012", entries: 2, branch: "feature/audio", parent: "b2c3d4e5-f6a7-4901-bcde-f12345678901"},
		{dir: "foreign/asset-escape", entries: 1, mismatches: []string{"stats.messageCount", "stats.agentMessageCount", "stats.toolCallCount", "updatedAt"}},
		{dir: "foreign/major-2", entries: 3, refused: "V2"},
		{dir: "foreign/partial-last", entries: 2, torn: 31, mismatches: []string{"stats.messageCount"}},
		{dir: "foreign/unknown-block", entries: 1, mismatches: []string{"stats.messageCount", "stats.agentMessageCount", "stats.toolCallCount", "updatedAt"}, notes: []string{"B2 content[1].type"}},
		{dir: "foreign/unknown-fields", entries: 3},
	} {
		t.Run("T1 M1/"+c.dir, func(t *testing.T) {
			all := fixtures(t, "")
			data := all[c.dir+"/"+atsf.MessagesName]
			l := atsf.ReadLog(data, 0)
			if len(l.Entries) != c.entries || len(data)-l.Next != c.torn {
				t.Errorf("M5: %d entries, %d bytes after them", len(l.Entries), len(data)-l.Next)
			}
			var notes []string
			for _, e := range l.Entries {
				if e.Fault != nil || len(e.Message.Faults) > 0 {
					t.Errorf("line %d: %v %+v", e.Number, e.Fault, e.Message.Faults)
				}
				notes = append(notes, rules(e.Message.Notes)...)
			}
			if !slices.Equal(notes, c.notes) {
				t.Errorf("B2: notes %q", notes)
			}
			th, err := atsf.ParseThread(all[c.dir+"/"+atsf.ThreadName])
			if c.refused != "" {
				if f := fault(t, err); f.Rule != c.refused || !strings.Contains(f.Reason, `"2.0"`) {
					t.Errorf("%+v", f)
				}
				return
			}
			if err != nil || len(th.Faults)+len(th.Notes) > 0 {
				t.Fatalf("%v %+v", err, th.Findings)
			}
			if err := th.CheckDir(path.Base(c.dir)); err != nil {
				t.Errorf("L2: %v", err)
			}
			tree := atsf.Worktree{}
			if th.Context.Worktree != nil {
				tree = *th.Context.Worktree
			}
			if th.ParentID != c.parent || tree.Branch != c.branch {
				t.Errorf("T2: parent %q, branch %q", th.ParentID, tree.Branch)
			}
			tally, _ := atsf.Count(data)
			var got []string
			for _, m := range atsf.Compare(&th, tally) {
				got = append(got, m.Field)
			}
			if !slices.Equal(got, c.mismatches) {
				t.Errorf("T4: %q", got)
			}
		})
	}
}

// TestFixtureAssets: every asset that a readable thread names exists, and names that leave the
// directory are refused.
func TestFixtureAssets(t *testing.T) {
	all := fixtures(t, "")
	good, refused := 0, 0
	for name, data := range fixtures(t, atsf.MessagesName) {
		for _, e := range atsf.ReadLog(data, 0).Entries {
			for _, b := range e.Message.Content {
				if b.AssetRef == "" {
					continue
				}
				n, err := atsf.ParseAssetName(b.AssetRef)
				if err != nil {
					refused++
					continue
				}
				content, ok := all[path.Dir(name)+"/assets/"+n.String()]
				if !ok || n.Check(content) != nil {
					t.Errorf("L4: %s: %s", name, n)
				}
				good++
			}
		}
	}
	if good != 9 || refused != 1 {
		t.Errorf("L4: %d assets, %d refused", good, refused)
	}
}

// TestRoundTrip applies X4, V3, Z2 and T5 to every fixture: an empty edit changes nothing, and
// an edit changes nothing else.
func TestRoundTrip(t *testing.T) {
	for name, data := range fixtures(t, atsf.ThreadName) {
		t.Run("X4/"+name, func(t *testing.T) {
			same, err := atsf.Edit(data)
			if strings.Contains(name, "major-2") {
				fault(t, err)
				return
			}
			if err != nil || !bytes.Equal(same, data) {
				t.Fatalf("no edit: %v", err)
			}
			th, err := atsf.ParseThread(data)
			if err != nil || !bytes.Equal(th.Raw, data) {
				t.Fatal(err)
			}
			edited, err := atsf.Edit(data, atsf.SetTitle("Other"))
			if err != nil {
				t.Fatal(err)
			}
			old, now := `"title": "`+th.Title+`"`, `"title": "Other"`
			if want := strings.Replace(string(data), old, now, 1); string(edited) != want || string(data) == want {
				t.Errorf("title:\n%s", edited)
			}
			edited, err = atsf.Edit(data, atsf.Change{Path: []string{"metadata", "signalbox"}, Value: []byte(`{"a":[1]}`)})
			if err != nil {
				t.Fatal(err)
			}
			want := tree(t, data).(map[string]any)
			want["metadata"].(map[string]any)["signalbox"] = map[string]any{"a": tree(t, []byte("[1]"))}
			if diff := cmp.Diff(any(want), tree(t, edited)); diff != "" {
				t.Errorf("T5: %s", diff)
			}
			// A new member adds only its own lines and a comma.
			if lost := missing(lines(data), lines(edited)); lost > 0 {
				t.Errorf("T5: %d lines of the file were rewritten:\n%s", lost, edited)
			}
		})
	}
	for name, data := range fixtures(t, atsf.ConfigName) {
		if same, err := atsf.Edit(data); err != nil || !bytes.Equal(same, data) {
			t.Errorf("X4: %s: %v", name, err)
		}
	}
	for name, data := range fixtures(t, atsf.MessagesName) {
		l := atsf.ReadLog(data, 0)
		var again []byte
		for _, e := range l.Entries {
			again = append(append(again, e.Message.Raw...), '\n')
		}
		if again = append(again, data[l.Next:]...); !bytes.Equal(again, data) {
			t.Errorf("X4: the lines of %s changed", name)
		}
	}
}

func lines(data []byte) []string {
	list := strings.Split(string(data), "\n")
	for i := range list {
		list[i] = strings.TrimSuffix(list[i], ",")
	}
	return list
}

func missing(want, got []string) (n int) {
	for _, line := range want {
		// An empty object opens when something is put into it.
		if i := slices.Index(got, line); i >= 0 {
			got = slices.Delete(slices.Clone(got), i, i+1)
		} else {
			n++
		}
	}
	return n
}

// TestLayout compares the names of Directory Layout with another application's directory, and
// our .gitignore with its own.
func TestLayout(t *testing.T) {
	all := fixtures(t, "")
	dot := func(name string) string { return strings.Replace(name, ".", "dot-", 1) }
	root := path.Join("main", dot(atsf.DirName))
	thread := path.Join(root, atsf.ThreadsName, "a1b2c3d4-e5f6-4890-abcd-ef1234567890")
	for _, name := range []string{
		path.Join(root, atsf.ConfigName), path.Join(root, dot(atsf.IgnoreName)),
		path.Join(thread, atsf.ThreadName), path.Join(thread, atsf.MessagesName), path.Join(thread, atsf.AssetsName, "sha256-f78324a3d1694c16.png"),
	} {
		if len(all[name]) == 0 {
			t.Errorf("L1: %s is not there", name)
		}
	}
	ignored := func(text string) (list []string) {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				list = append(list, line)
			}
		}
		return list
	}
	if diff := cmp.Diff(ignored(string(all[path.Join(root, dot(atsf.IgnoreName))])), ignored(atsf.Gitignore)); diff != "" {
		t.Errorf("G1: %s", diff)
	}
}
