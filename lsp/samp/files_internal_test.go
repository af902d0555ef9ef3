package samp

import "testing"

// FuzzSmallFiles reads a file that other tools write beside the logs: a reader's cache. If it is
// accepted, it is not accepted with another byte at its end.
func FuzzSmallFiles(f *testing.F) {
	for _, s := range []string{
		`{"max_mtime": 1777118400.25, "files": 3, "size": 1024, "logs": "00ff"}`, `{"max_mtime": 1e999, "files": -1, "size": 9223372036854775808}`,
		"\xff\x00", "[[[[", "",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if a, ok := parseSignature(data); ok {
			if _, ok := parseSignature(append(data, "x"...)); ok {
				t.Fatalf("%q is read as %+v with a byte behind it", data, a)
			}
		}
	})
}
