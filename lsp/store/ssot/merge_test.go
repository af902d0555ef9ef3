package ssot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/store/conflict"
)

// TestMerge puts away the copies that say nothing of their own, and brings the lines of the
// error log together: AGN E0 E6.
func TestMerge(t *testing.T) {
	const mark = ".sync-conflict-20260101-120000-ABCDEFG"
	rejection := func(source string) string {
		return string(agn.AppendRejection(nil, agn.Rejection{
			Millis: noon, Source: source, Digest: strings.Repeat("a", 64), Faults: []canon.Fault{{Rule: "E2", Reason: "x"}},
		}))
	}
	for _, c := range []struct {
		name, file, text, copied string
		foreign                  bool
		away                     bool
		want                     string
	}{
		{name: "E6/a summary", file: "tasks/T-2026-001.json", text: "{}", copied: "{ }", away: true, want: "{}"},
		{name: "E6/what another tool keeps there", file: "tasks/T-2026-001.json", text: "{}", copied: "{ }", foreign: true, want: "{}"},
		{name: "a message, the same", file: "messages/T-2026-001/m.json", text: "{}", copied: "{}", away: true, want: "{}"},
		{name: "a message in other words", file: "messages/T-2026-001/m.json", text: "{}", copied: "{ }", want: "{}"},
		{name: "an ACK in other words", file: "acks/m.json", text: "{}", copied: "{ }", want: "{}"},
		{
			name: "E0/the error log", file: "errors.jsonl", text: rejection("one"), copied: rejection("one") + rejection("two") + "?\n",
			away: true, want: rejection("one") + rejection("two"),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newDesk(t)
			if c.foreign {
				if err := os.Remove(filepath.Join(k.path, inMessages)); err != nil {
					t.Fatal(err)
				}
			}
			ext := filepath.Ext(c.file)
			copied := strings.TrimSuffix(c.file, ext) + mark + ext
			for name, text := range map[string]string{c.file: c.text, copied: c.copied} {
				at := filepath.Join(k.path, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			where, err := k.d.Merge(t.Context(), conflict.Copy{Path: copied, Original: c.file}, t.TempDir())
			if err != nil || (where != "") != c.away {
				t.Fatalf("put away to %q, %v", where, err)
			}
			if got, err := os.ReadFile(filepath.Join(k.path, filepath.FromSlash(c.file))); err != nil || string(got) != c.want {
				t.Errorf("%q, %v; want %q", got, err, c.want)
			}
			_, err = os.Lstat(filepath.Join(k.path, filepath.FromSlash(copied)))
			if (err == nil) == c.away {
				t.Errorf("the copy: %v", err)
			}
		})
	}
}
