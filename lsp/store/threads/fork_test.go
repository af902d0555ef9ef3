package threads

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// TestFork continues what another application wrote in a thread of its own, with
// its assets, and leaves the parent as it is: ATSF X4 T5 L3 L4.
func TestFork(t *testing.T) {
	const parent = "b2c3d4e5-f6a7-4901-bcde-f12345678901"
	b := newReadBed(t)
	b.project("worktree", "p")
	d := b.open("p")
	before := b.read("p", parent, atsf.MessagesName) + b.read("p", parent, atsf.ThreadName)
	name, err := d.Fork(t.Context(), parent, atsf.ForkPlan{Title: "Another way", Created: begun})
	if err != nil {
		t.Fatal(err)
	}
	th := b.right("p", name)
	if th.ID != name || th.ParentID != parent || th.Title != "Another way" || th.Created.Millis != begun || len(th.Faults) > 0 {
		t.Errorf("L3: %+v", th)
	}
	if b.read("p", name, atsf.MessagesName) != b.read("p", parent, atsf.MessagesName) {
		t.Error("X4: lines changed")
	}
	if got := b.read("p", parent, atsf.MessagesName) + b.read("p", parent, atsf.ThreadName); got != before {
		t.Error("X4: the parent was changed")
	}
	refs := b.standing("p", parent, atsf.AssetsName)
	if diff := cmp.Diff(refs, b.standing("p", name, atsf.AssetsName)); diff != "" || len(refs) != 3 {
		t.Errorf("L4: %s", diff)
	}
	// It stands on its own.
	if err := os.RemoveAll(b.threadPath("p", parent)); err != nil {
		t.Fatal(err)
	}
	for _, ref := range refs {
		n, err := atsf.ParseAssetName(ref)
		if err != nil || n.Check([]byte(b.read("p", name, atsf.AssetsName, ref))) != nil {
			t.Errorf("L4: %s %v", ref, err)
		}
	}
	if err := d.Append(t.Context(), name, words("", atsf.RoleUser, "go on", -1)); err != nil {
		t.Error(err)
	}
	b.right("p", name)
}

// TestForkThrough takes over a part, its assets alone, and no half line: ATSF M5
// L4.
func TestForkThrough(t *testing.T) {
	b := newReadBed(t)
	ref := atsf.NameAsset([]byte(gif), "gif").String()
	held := `{"id":"m-2","role":"user","timestamp":"2026-02-20T09:00:00.000Z","content":[{"type":"hologram","x":{"assetRef":"` + ref + `"}}]}`
	b.thread("p", "parent", 0, said("m-1", "one"), held)
	b.appendTo("p", "parent", `{"id":"m-3"`)
	b.write(gif, "p", atsf.DirName, atsf.ThreadsName, "parent", atsf.AssetsName, ref)
	b.write("unused", "p", atsf.DirName, atsf.ThreadsName, "parent", atsf.AssetsName, "sha256-0000000000000000.gif")
	d := b.open("p")
	for through, want := range map[string][]string{"m-1": {atsf.MessagesName, atsf.ThreadName}, "": {atsf.AssetsName, atsf.MessagesName, atsf.ThreadName}} {
		name, err := d.Fork(t.Context(), "parent", atsf.ForkPlan{Through: through})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, b.standing("p", name)); diff != "" {
			t.Errorf("L4: through %q: %s", through, diff)
		}
		if log := b.read("p", name, atsf.MessagesName); strings.Contains(log, "m-3") || strings.Contains(log, "m-2") != (through == "") {
			t.Errorf("M5: %s", log)
		}
		if through == "" && !slices.Equal(b.standing("p", name, atsf.AssetsName), []string{ref}) {
			t.Error("L4: another asset was copied")
		}
		b.right("p", name)
	}
}

// TestForkRefused makes no fork that cannot be right, and leaves nothing of it:
// ATSF L3 M2 V2.
func TestForkRefused(t *testing.T) {
	b := newReadBed(t)
	b.foreign("p")
	b.thread("p", "good", 0, said("m-1", "x"))
	b.thread("p", "broken", 0, said("m-1", "x"))
	b.write("{", "p", atsf.DirName, atsf.ThreadsName, "broken", atsf.ThreadName)
	d := b.open("p")
	before := b.standing("p", "")
	for _, c := range []struct {
		name, parent string
		plan         atsf.ForkPlan
		rule         string
		is           error
	}{
		{"L3/a path", "good", atsf.ForkPlan{ID: "../x"}, "L3", nil},
		{"L3/itself", "good", atsf.ForkPlan{ID: "good"}, "", ErrExists},
		{"L3/taken", "good", atsf.ForkPlan{ID: "broken"}, "", ErrExists},
		{"M2/no such message", "good", atsf.ForkPlan{Through: "m-9"}, "M2", nil},
		{"V2/major 2", "major-2", atsf.ForkPlan{}, "V2", nil},
		{"T1/broken", "broken", atsf.ForkPlan{}, "T1", nil},
		{"L1/not there", "nothing", atsf.ForkPlan{}, "", ErrNotFound},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := d.Fork(t.Context(), c.parent, c.plan); err == nil || broken(err) != c.rule || c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("%v", err)
			}
			if diff := cmp.Diff(before, b.standing("p", "")); diff != "" {
				t.Errorf("left behind: %s", diff)
			}
		})
	}
}

// TestRepair makes figures right, says which were wrong, and changes nothing
// else: ATSF T4 T6 X4 Z5.
func TestRepair(t *testing.T) {
	b := newReadBed(t)
	b.foreign("p")
	d := b.open("p")
	for name, want := range map[string][]string{
		"unknown-fields": nil,
		"partial-last":   {"stats.messageCount"},
		"asset-escape":   {"stats.messageCount", "stats.agentMessageCount", "stats.toolCallCount", "updatedAt"},
	} {
		t.Run(name, func(t *testing.T) {
			log, meta := b.read("p", name, atsf.MessagesName), b.read("p", name, atsf.ThreadName)
			stat, err := os.Stat(b.threadPath("p", name, atsf.ThreadName))
			if err != nil {
				t.Fatal(err)
			}
			for again := range 2 {
				changed, err := d.Repair(t.Context(), name)
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, m := range changed {
					got = append(got, m.Field)
				}
				if again == 1 {
					want = nil
				}
				if !slices.Equal(got, want) {
					t.Errorf("T4: %q, want %q", got, want)
				}
			}
			b.right("p", name)
			tally, _ := atsf.Count([]byte(log))
			fixed, err := atsf.Repair([]byte(meta), tally)
			if err != nil || b.read("p", name, atsf.ThreadName) != string(fixed) || b.read("p", name, atsf.MessagesName) != log {
				t.Errorf("X4: %v", err)
			}
			if now, err := os.Stat(b.threadPath("p", name, atsf.ThreadName)); name == "unknown-fields" && (err != nil || !os.SameFile(stat, now)) {
				t.Error("T6: what was right was replaced")
			}
		})
	}
	b.thread("p", "broken", 0, said("m-1", "x"))
	b.write("{", "p", atsf.DirName, atsf.ThreadsName, "broken", atsf.ThreadName)
	b.write(b.meta("empty", "No log yet", 5), "p", atsf.DirName, atsf.ThreadsName, "empty", atsf.ThreadName)
	if changed, err := d.Repair(t.Context(), "empty"); err != nil || len(changed) != 1 || changed[0].Field != "updatedAt" {
		t.Errorf("Z7: %v %v", changed, err)
	}
	for name, rule := range map[string]string{"broken": "T1", "major-2": "V2", "nothing": ""} {
		before := ""
		if rule != "" {
			before = b.read("p", name, atsf.ThreadName)
		}
		if changed, err := d.Repair(t.Context(), name); err == nil || changed != nil || broken(err) != rule {
			t.Errorf("%s: %v", name, err)
		}
		if rule != "" && b.read("p", name, atsf.ThreadName) != before {
			t.Errorf("X4: %s was overwritten", name)
		}
	}
}
