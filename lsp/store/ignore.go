package store

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// maxIgnoreFile is how much is read of an .stignore, which a person writes.
const maxIgnoreFile = 1 << 20

// readNamed reads the beginning of a regular file. A FIFO, which would have to be
// waited for, and a device, which may have no end, are errors.
func readNamed(path string, limit int64) ([]byte, error) {
	f, err := disk.OpenNamed(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// MissingIgnores gives the rules that a message directory's .stignore lacks,
// so that Syncthing leaves the readers' own files alone (rule S2). A directory
// without the file lacks them all; whether it is synced is not asked, since
// the file may lie in a directory above.
func MissingIgnores(dir string) []string {
	rules := []string{".seen-*", ".mtime-*"}
	data, err := readNamed(filepath.Join(dir, ".stignore"), maxIgnoreFile)
	if err != nil {
		return rules
	}
	lines := strings.Fields(string(data))
	return slices.DeleteFunc(rules, func(rule string) bool {
		return slices.ContainsFunc(lines, func(l string) bool {
			return l == rule || l == "/"+rule || l == "(?d)"+rule
		})
	})
}
