package store

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// MissingIgnores gives the rules that a message directory's .stignore lacks,
// so that Syncthing leaves the readers' own files alone (rule S2). A directory
// without the file lacks them all; whether it is synced is not asked, since
// the file may lie in a directory above.
func MissingIgnores(dir string) []string {
	rules := []string{".seen-*", ".mtime-*"}
	data, err := os.ReadFile(filepath.Join(dir, ".stignore"))
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
