package atsf

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// ownMembers are those of a thread.json that writes may change; what stands in
// metadata is looked at member by member.
var ownMembers = []string{
	"updatedAt", "stats.messageCount", "stats.userMessageCount", "stats.agentMessageCount", "stats.toolCallCount",
}

// foreign gives the members of a thread.json that no write may touch, as
// encoding/json finds them, each byte for byte.
func foreign(t *testing.T, data string) map[string]string {
	t.Helper()
	list := make(map[string]string)
	var walk func(data []byte, in string)
	walk = func(data []byte, in string) {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(data, &object); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		for key, value := range object {
			switch at := in + key; {
			case at == "stats" || at == "metadata":
				walk(value, at+".")
			case !slices.Contains(ownMembers, at):
				list[at] = string(value)
			}
		}
	}
	walk([]byte(data), "")
	return list
}

// TestAnyWritesOnDisk makes random sequences of writes to all fixtures through
// the disk and leaves every foreign member, line and asset as it was: ATSF X4 T5
// V3 B2 M5 Z2.
func TestAnyWritesOnDisk(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	for seed := range uint64(6) {
		b := newReadFixture(t)
		b.project("main", "main")
		b.project("worktree", "worktree")
		b.foreign("foreign")
		for _, folder := range []string{"main", "worktree", "foreign"} {
			d := b.open(folder)
			r := rand.New(rand.NewPCG(seed, 3))
			names := b.standing(folder, "")
			for n := range 30 {
				name := names[r.IntN(len(names))]
				before := b.stateOf(folder, name)
				err := b.anyWrite(d, r, name, n)
				if name == "major-2" {
					if broken(err) != "V2" || !maps.Equal(before, b.stateOf(folder, name)) {
						t.Fatalf("V2: %v", err)
					}
					continue
				}
				if err != nil {
					t.Fatalf("seed %d, write %d to %s: %v", seed, n, name, err)
				}
				b.same(before, b.stateOf(folder, name))
			}
			for _, name := range names {
				if name != "major-2" {
					if err := d.Append(t.Context(), name, words("", atsf.RoleUser, "x", 30)); err != nil {
						t.Fatal(err)
					}
					b.right(folder, name)
				}
			}
		}
	}
}

// anyWrite makes one random write.
func (b *readFixture) anyWrite(d *Dir, r *rand.Rand, name string, n int) error {
	ctx := b.t.Context()
	switch r.IntN(3) {
	case 0:
		m := words("", []string{atsf.RoleUser, atsf.RoleAgent, atsf.RoleSystem}[r.IntN(3)], "said\u2028", n)
		m.Tools = []atsf.ToolCall{{ID: "t", Name: "bash", Status: "failed", Duration: int64(n)}}
		return d.Append(ctx, name, m)
	case 1:
		line := fmt.Sprintf(`{"id":%q,"role":"user","timestamp":"2026-02-20T09:00:00Z","content":[{"type":"holo","z":1e400}],"q":{"b":1,"a":2}}`, NewID())
		return d.AppendRaw(ctx, name, []byte(line))
	}
	return d.Append(ctx, name, picture("", gif+fmt.Sprint(n)))
}

// stateOf gives the files of a thread by their path.
func (b *readFixture) stateOf(folder, name string) map[string]string {
	b.t.Helper()
	files := make(map[string]string)
	root := os.DirFS(b.threadPath(folder, name))
	err := fs.WalkDir(root, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, path)
		files[path] = string(data)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		b.t.Fatal(err)
	}
	return files
}

// same holds that nothing foreign changed between two states of a thread.
func (b *readFixture) same(before, after map[string]string) {
	b.t.Helper()
	t := b.t.(*testing.T)
	if diff := cmp.Diff(foreign(t, before[atsf.ThreadName]), foreign(t, after[atsf.ThreadName])); diff != "" {
		t.Fatalf("X4: %s", diff)
	}
	was, is := before[atsf.MessagesName], after[atsf.MessagesName]
	if !strings.HasPrefix(is, was) {
		t.Fatalf("X4: the lines changed: %q, was %q", is, was)
	}
	if added := is[len(was):]; added != "" && was != "" && was[len(was)-1] != '\n' && added[0] != '\n' {
		t.Fatalf("M5: a line was written into another one: %q", added)
	}
	for path, content := range before {
		if path == atsf.ThreadName || path == atsf.MessagesName {
			continue
		}
		got, there := after[path]
		if !there || got != content {
			t.Fatalf("L4: the asset %s changed", path)
		}
	}
	for path := range after {
		if dir, _, _ := strings.Cut(path, "/"); path != atsf.ThreadName && path != atsf.MessagesName && dir != atsf.AssetsName {
			t.Fatalf("L1: %s was left behind", path)
		}
	}
}
