package worktree_test

import (
	"encoding/binary"
	"encoding/hex"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

// tableRef is a ref as a reftable holds it: a target or a commit, or that it was deleted.
type tableRef struct{ name, target, commit string }

// table returns a reftable with one block of refs.
func table(version byte, refs ...tableRef) []byte {
	out := append([]byte("REFT"), version, 0, 0x10, 0)
	out = append(out, make([]byte, 16)...)
	if version == 2 {
		out = append(out, "s256"...)
	}
	start := len(out)
	out = append(out, 'r', 0, 0, 0)
	before := ""
	for _, r := range refs {
		prefix := 0
		for prefix < min(len(before), len(r.name)) && before[prefix] == r.name[prefix] {
			prefix++
		}
		kind := 0
		switch {
		case r.target != "":
			kind = 3
		case r.commit != "":
			kind = 1
		}
		out = append(out, byte(prefix))
		out = append(out, varint(len(r.name[prefix:])<<3|kind)...)
		out = append(append(out, r.name[prefix:]...), 0)
		if r.target != "" {
			out = append(append(out, varint(len(r.target))...), r.target...)
		} else if r.commit != "" {
			id, _ := hex.DecodeString(r.commit)
			out = append(out, id...)
		}
		before = r.name
	}
	out = append(out, 0, 0, byte(start+4), 0, 1) // one place to start at
	n := len(out)
	out[start+1], out[start+2], out[start+3] = byte(n>>16), byte(n>>8), byte(n)
	return binary.BigEndian.AppendUint32(append(out, make([]byte, 64)...), 0)
}

// varint is a number as git's packs have it.
func varint(n int) []byte {
	out := []byte{byte(n & 0x7f)}
	for n >>= 7; n > 0; n >>= 7 {
		n--
		out = append([]byte{byte(n&0x7f) | 0x80}, out...)
	}
	return out
}

// TestReftable reads what is checked out where refs are in reftables, and says so where that
// cannot be read: no branch is called .invalid, and none is detached that is not.
func TestReftable(t *testing.T) {
	id, long := strings.Repeat("ab", 20), "refs/heads/"+strings.Repeat("long/", 40)+"x"
	whole := string(table(1, tableRef{name: "HEAD", target: "refs/heads/main"}))
	for _, c := range []struct {
		name         string
		tables       []string // the oldest first
		branch, head string
		problem      string
	}{
		{"a branch", []string{whole}, "main", "", ""},
		{"other names before and after", []string{string(table(1, tableRef{name: "AUTO_MERGE", commit: id}, tableRef{name: "HEAD", target: long}, tableRef{name: "refs/heads/x", commit: id}))}, long[11:], "", ""},
		{"the newest that has it", []string{whole, string(table(1, tableRef{name: "HEAD", target: "refs/heads/next"})), string(table(1, tableRef{name: "refs/heads/next", commit: id}))}, "next", "", ""},
		{"detached", []string{string(table(1, tableRef{name: "HEAD", commit: id}))}, "", id, ""},
		{"detached, sha256", []string{string(table(2, tableRef{name: "HEAD", commit: id + id[:24]}))}, "", id + id[:24], ""},
		{"deleted", []string{whole, string(table(1, tableRef{name: "HEAD"}))}, "", "", "cannot be understood"},
		{"no HEAD", []string{string(table(1, tableRef{name: "refs/heads/x", commit: id}))}, "", "", "does not hold HEAD"},
		{"no tables", nil, "", "", "does not hold HEAD"},
		{"cut", []string{whole[:36]}, "", "", "cannot be understood"},
		{"no table", []string{"something else"}, "", "", "cannot be understood"},
		{"an unknown version", []string{"REFT\x03" + whole[5:]}, "", "", "cannot be understood"},
		{"no branch's name", []string{string(table(1, tableRef{name: "HEAD", target: "refs/heads/../x"}))}, "", "", "cannot be understood"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := sandbox(t)
			repo := newRepo(t, filepath.Join(dir, "repo"))
			git(t, repo, "worktree", "add", "-q", "../w")
			write(t, filepath.Join(repo, ".git", "config"), "[core]\n\trepositoryformatversion = 1\n\tbare = false\n[extensions]\n\trefStorage = reftable\n")
			for _, at := range []string{filepath.Join(repo, ".git"), filepath.Join(repo, ".git", "worktrees", "w")} {
				write(t, filepath.Join(at, "HEAD"), "ref: refs/heads/.invalid\n")
				names := ""
				for i, data := range c.tables {
					name := "0x00000000000" + string(rune('1'+i)) + "-0x000000000001-abcd.ref"
					write(t, filepath.Join(at, "reftable", name), data)
					names += name + "\n"
				}
				write(t, filepath.Join(at, "reftable", "tables.list"), names)
			}
			got := find(t, repo)
			for _, tree := range got.Trees {
				if tree.Branch != c.branch || tree.Head != c.head {
					t.Errorf("%q: branch %q, head %q, want %q, %q", tree.Path, tree.Branch, tree.Head, c.branch, c.head)
				}
			}
			if c.problem == "" && len(got.Problems) > 0 {
				t.Errorf("problems %v", got.Problems)
			} else if c.problem != "" {
				wantProblem(t, got, filepath.Join(repo, ".git", "HEAD"), "the branch is not known: its reftable "+c.problem)
			}
		})
	}
}

// FuzzReftable: a table is a stranger's file.
func FuzzReftable(f *testing.F) {
	f.Add(table(1, tableRef{name: "HEAD", target: "refs/heads/main"}))
	f.Add(table(2, tableRef{name: "HEAD", commit: strings.Repeat("ab", 32)}))
	f.Add(table(1, tableRef{name: "AUTO_MERGE", commit: strings.Repeat("ab", 20)}, tableRef{name: "HEAD"}))
	f.Add([]byte("REFT\x01\x00\x10\x00" + strings.Repeat("\xff", 40)))
	f.Fuzz(func(t *testing.T, data []byte) {
		ref, commit, found, err := worktree.HeadIn(data)
		if found == (ref == "" && commit == "") || found && err != nil || ref == "refs/heads/.invalid" {
			t.Errorf("%q %q %v %v", ref, commit, found, err)
		}
	})
}
