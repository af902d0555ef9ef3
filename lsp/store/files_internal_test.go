package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// FuzzSmallFiles reads the files beside the logs, which other tools write: a reader's
// cache and .agent-message. What comes of them is of their kind or nothing.
func FuzzSmallFiles(f *testing.F) {
	for _, s := range []string{
		`{"max_mtime": 1777118400.25, "files": 3, "size": 1024, "logs": "00ff"}`, `{"max_mtime": 1e999, "files": -1, "size": 9223372036854775808}`,
		"\ufeffalice\r\nbob", "../../x\n\u0430lice\nbob\n", "\xff\x00", "[[[[", "",
	} {
		f.Add([]byte(s))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		if a, ok := parseSignature(data); ok {
			// The members may stand in any order, and nothing behind them.
			if _, ok := parseSignature(append(data, "x"...)); ok {
				t.Fatalf("%q is read as %+v with a byte behind it", data, a)
			}
		}
		name := filepath.Join(dir, ".agent-message")
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if alias, ok := aliasFile(name); ok != samp.ValidAlias(alias) {
			t.Fatalf("%q names %q", data, alias)
		}
	})
}
