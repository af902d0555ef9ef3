package samp

import "testing"

// FuzzSmallFiles reads the file beside the logs that other tools write: a reader's cache.
// What comes of it is of its kind or nothing.
func FuzzSmallFiles(f *testing.F) {
	for _, s := range []string{
		`{"max_mtime": 1777118400.25, "files": 3, "size": 1024, "logs": "00ff"}`, `{"max_mtime": 1e999, "files": -1, "size": 9223372036854775808}`,
		"\xff\x00", "[[[[", "",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if a, ok := parseSignature(data); ok {
			// The members may stand in any order, and nothing behind them.
			if _, ok := parseSignature(append(data, "x"...)); ok {
				t.Fatalf("%q is read as %+v with a byte behind it", data, a)
			}
		}
	})
}
