package atsf

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
)

// findings checks a folder and gives "path rule" for each violation, and
// "path rule note" for each note; with the line number after the path.
func (b *readFixture) findings(folder, name string) (list []string) {
	b.t.Helper()
	at, prefix := b.path(folder), ""
	if name != "" {
		at, prefix = b.threadPath(folder, name), "threads/"+name+"/"
	}
	err := Check(b.t.Context(), at, func(f Finding) {
		text := prefix + strings.TrimPrefix(f.Path, ".agent/")
		if f.Line > 0 {
			text += fmt.Sprint(":", f.Line)
		}
		if text += " " + f.Rule; f.Reason == "" {
			b.t.Errorf("%+v", f)
		}
		if !f.Violation {
			text += " note"
		}
		list = append(list, text)
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return list
}

// TestCheckGood finds nothing in what another application wrote well.
func TestCheckGood(t *testing.T) {
	b := newReadFixture(t)
	b.project("worktree", "p")
	if got := b.findings("p", ""); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

// TestCheckForeign holds the foreign fixtures against every rule. ATSF V2 M5 T4
// L4 B2
func TestCheckForeign(t *testing.T) {
	b := newReadFixture(t)
	b.foreign("p")
	for name, want := range map[string][]string{
		"major-2":        {"thread.json V2"},
		"partial-last":   {"messages.jsonl M5 note", "thread.json T4"},
		"unknown-fields": nil,
		"unknown-block":  {"messages.jsonl:1 B2 note", "thread.json T4", "thread.json T4", "thread.json T4", "thread.json T4"},
		"asset-escape":   {"messages.jsonl:1 L4", "thread.json T4", "thread.json T4", "thread.json T4", "thread.json T4"},
	} {
		var got []string
		for _, f := range b.findings("p", name) {
			got = append(got, strings.TrimPrefix(f, "threads/"+name+"/"))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestCheckFaults finds one fault of each kind. ATSF K3 G1 L1 L2 L4 M1 M2 M5 T1 T4
func TestCheckFaults(t *testing.T) {
	b := newReadFixture(t)
	b.write(`{"specVersion":"1.1","agentSettings":{"a":{"apiKey":"sk-ant-REDACTED"}}}`, "p", atsf.DirName, atsf.ConfigName)
	b.write("x", "p", atsf.DirName, "notes.txt")
	b.write("x", "p", atsf.DirName, atsf.ThreadsName, "a-file")
	b.write("{", "p", atsf.DirName, atsf.ThreadsName, "broken", atsf.ThreadName)
	b.log("p", "broken", said("m1", "x"))
	b.log("p", "no-meta", said("m1", "x"))
	image := func(ref string) string {
		return fmt.Sprintf(`{"id":%q,"role":"agent","timestamp":"2026-02-20T08:00:00.000Z","content":[{"type":"image","assetRef":%q,"mimeType":"image/png"}]}`, ref, ref)
	}
	good := atsf.NameAsset([]byte("x"), "png").String()
	b.thread("p", "rich", 1,
		said("m1", "x"), "no json", said("m1", "twice"), image("sha256-0123456789abcdef.png"), image(good), strings.Repeat("x", MaxLine+1))
	b.appendTo("p", "rich", "{")
	asset := func(content, name string) {
		b.write(content, "p", atsf.DirName, atsf.ThreadsName, "rich", atsf.AssetsName, name)
	}
	asset("x", good)
	asset("y", "sha256-1111111111111111.png")
	asset("z", "picture.png")
	b.write("x", "p", atsf.DirName, atsf.ThreadsName, "rich", "other.txt")
	b.write("x", "p", atsf.DirName, atsf.ThreadsName, "rich", "messages.jsonl.lock")
	b.write(b.meta("another", "Another", 0), "p", atsf.DirName, atsf.ThreadsName, "odd", atsf.ThreadName)
	b.thread("p", "stats", 0, said("m1", "x"))
	want := []string{
		"config.json K3",
		".gitignore G1 note",
		"notes.txt L1 note",
		"threads/a-file L1 note",
		"threads/broken/thread.json T1",
		"threads/no-meta/thread.json L2",
		"threads/odd/thread.json L2",
		"threads/odd/messages.jsonl L1 note",
		"threads/rich/messages.jsonl:2 M1",
		"threads/rich/messages.jsonl:3 M2",
		"threads/rich/messages.jsonl:4 M1 note",
		"threads/rich/messages.jsonl:6 M1",
		"threads/rich/messages.jsonl M5 note",
		"threads/rich/assets/picture.png L4",
		"threads/rich/assets/sha256-1111111111111111.png L4",
		"threads/rich/assets/sha256-1111111111111111.png L4 note",
		"threads/rich/messages.jsonl:4 L4",
		"threads/rich/other.txt L1 note",
		"threads/stats/thread.json T4",
		"threads/stats/thread.json T4",
	}
	if diff := cmp.Diff(want, b.findings("p", "")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"threads/odd/thread.json L2", "threads/odd/messages.jsonl L1 note"}, b.findings("p", "odd")); diff != "" {
		t.Error(diff)
	}
	err := Check(t.Context(), b.path("p"), func(f Finding) {
		if strings.Contains(f.Reason, "0123456789012345") {
			t.Errorf("K3: a secret is quoted: %s", f.Reason)
		}
	})
	if err != nil {
		t.Error(err)
	}
}

// TestCheckHostile meets links and FIFOs, and opens none of them. ATSF L1
func TestCheckHostile(t *testing.T) {
	b := newReadFixture(t)
	b.thread("p", "a", 1)
	b.mkdir("p", atsf.DirName, atsf.ThreadsName, "b")
	disktest.FIFO(t, b.threadPath("p", "b", atsf.ThreadName))
	disktest.FIFO(t, b.threadPath("p", "b", atsf.MessagesName))
	for link, to := range map[string]string{
		b.threadPath("p", "c"):                                 b.threadPath("p", "a"),
		b.threadPath("p", "b", atsf.AssetsName):                b.dir,
		b.path("p", atsf.DirName, atsf.ConfigName):             b.path("elsewhere"),
		b.path("p", atsf.DirName, atsf.ThreadsName, "dangles"): "nowhere",
	} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	got := b.findings("p", "")
	for _, want := range []string{
		"config.json L1", "threads/b/thread.json L1", "threads/b/messages.jsonl L1", "threads/b/assets L1", "threads/c L1 note", "threads/dangles L1 note",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not found: %q", want, got)
		}
	}
	b.write("x", "q", atsf.DirName, atsf.ThreadsName)
	if got := b.findings("q", ""); !slices.Contains(got, "threads L1") {
		t.Errorf("%q", got)
	}
}
