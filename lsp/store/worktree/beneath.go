package worktree

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// maxBeneath is the number of entries of a folder that Beneath looks at.
const maxBeneath = 1024

// Beneath gives the folders directly in a folder that hold a repository or an
// agent's directory (.git or .agent), sorted: what a workspace of several
// projects consists of. Links are not followed. more tells that the folder
// has so many entries that the rest was not looked at.
func Beneath(folder string) (found []string, more bool, err error) {
	dir, err := openDir(folder)
	if err != nil {
		return nil, false, fmt.Errorf("worktree: look beneath: %w", err)
	}
	defer dir.Close()
	entries, err := dir.ReadDir(maxBeneath + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, fmt.Errorf("worktree: look beneath: %w", err)
	}
	if more = len(entries) > maxBeneath; more {
		entries = entries[:maxBeneath]
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		path := filepath.Join(folder, e.Name())
		for _, mark := range []string{dotGit, ".agent"} {
			if _, err := os.Lstat(filepath.Join(path, mark)); err == nil {
				found = append(found, path)
				break
			}
		}
	}
	slices.Sort(found)
	return found, more, nil
}
