package documents

import (
	"path/filepath"
	"runtime"
	"testing"
)

// TestFileURI: FileURI and FolderPath are each other's inverse.
func TestFileURI(t *testing.T) {
	paths := map[string]string{"/m/log a#1%.jsonl": "file:///m/log%20a%231%25.jsonl", "/é/x": "file:///%C3%A9/x"}
	if runtime.GOOS == "windows" {
		paths = map[string]string{`c:\m\log a.jsonl`: "file:///c:/m/log%20a.jsonl", `\\host\share\x`: "file://host/share/x"}
	}
	for path, want := range paths {
		got := FileURI(path)
		if back, ok := FolderPath(got); got != want || !ok || back != path {
			t.Errorf("%q is %q, and back %q", path, got, back)
		}
	}
}

// FuzzFolderPath holds that the folder of a file: address is whole and clean, and that
// no other address names one.
func FuzzFolderPath(f *testing.F) {
	for _, s := range []string{
		"file:///w", "file:///c:/w", "file://host/share", "FILE:///w/../..", "file:///%2e%2e/%00", "signalbox://thread/x", "vscode-vfs://github/x", "file:", "/w", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		path, ok := FolderPath(uri)
		if !ok && path == "" {
			return
		}
		if !ok || path != filepath.Clean(path) || !filepath.IsAbs(path) && !isDrive("/"+filepath.ToSlash(path)) {
			t.Fatalf("%q is the folder %q, %v", uri, path, ok)
		}
	})
}
