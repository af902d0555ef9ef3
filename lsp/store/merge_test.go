package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// TestMerge brings a conflict copy's records to the log that it is a copy of, byte for byte,
// and puts it away (rules S1, L4).
func TestMerge(t *testing.T) {
	const copied = "log-a.sync-conflict-20260101-120000-ABCDEFG.jsonl"
	one, two, three := lineOf("a", "b", "one", 1), lineOf("a", "b", "two", 2), lineOf("a", "b", "three", 3)
	odd := strings.Replace(two, "{", `{"more": 1.0, `, 1)
	for _, c := range []struct {
		name, log, copy, want string
		added, left           int
	}{
		{"nothing new", one + two, one, one + two, 0, 0},
		{"both went on", one + two, one + three, one + two + three, 1, 0},
		{"more members", one, one + odd, one + odd, 1, 0},
		{"the log is torn", one + `{"ts`, one + two, one + `{"ts` + "\n" + two, 1, 0},
		{"the copy is torn", one, one + two[:10], one, 0, 1},
		{"the copy lacks a line end", one, one + strings.TrimSuffix(two, "\n"), one + two, 1, 0},
		{"L4/somebody else's record, and none", one, lineOf("b", "a", "forged", 4) + "no record\n" + two, one + two, 1, 2},
		{"an empty log", "", one + two, one + two, 2, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, state := storeOf(t, map[string]string{"log-a.jsonl": c.log, copied: c.copy}), t.TempDir()
			m, err := d.Merge(t.Context(), logNamed(t, d, copied), state)
			if err != nil || m.Added != c.added || m.Left != c.left {
				t.Fatalf("%+v, %v", m, err)
			}
			if got, err := os.ReadFile(filepath.Join(d.Path(), "log-a.jsonl")); err != nil || string(got) != c.want {
				t.Errorf("the log is %q, %v; want %q", got, err, c.want)
			}
			if got, err := os.ReadFile(m.Where); err != nil || string(got) != c.copy || !strings.HasPrefix(m.Where, state) {
				t.Errorf("%q was put away: %q, %v", m.Where, got, err)
			}
			if logs, _, err := d.Logs(); err != nil || len(logs) != 1 {
				t.Errorf("%d logs are left, %v", len(logs), err)
			}
		})
	}
	d := storeOf(t, map[string]string{copied: one})
	if m, err := d.Merge(t.Context(), logNamed(t, d, copied), t.TempDir()); err != nil || m.Where != "" {
		t.Errorf("without the log: %+v, %v", m, err)
	}
	d = storeOf(t, map[string]string{"log-a.jsonl": one})
	if _, err := d.Merge(t.Context(), logNamed(t, d, "log-a.jsonl"), t.TempDir()); err == nil {
		t.Error("a log was taken for a copy")
	}
}

// TestCopyIsNoWriter refuses the name of a conflict copy as an alias (rule L2).
func TestCopyIsNoWriter(t *testing.T) {
	d := storeOf(t, map[string]string{"log-a.jsonl": ""})
	if err := d.CheckWriter("a.sync-conflict-20260101-120000-ABCDEFG"); err == nil {
		t.Error("it may write")
	}
	if err := d.CheckWriter("a.b"); err != nil {
		t.Error(err)
	}
}

func logNamed(t *testing.T, d *Dir, name string) Log {
	t.Helper()
	stem, ok := samp.LogStem(name)
	info, err := os.Stat(filepath.Join(d.Path(), name))
	if !ok || err != nil {
		t.Fatal(name, err)
	}
	return Log{Name: name, Stem: stem, Info: info}
}
