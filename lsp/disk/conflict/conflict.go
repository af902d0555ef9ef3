// Package conflict finds the copies that sync tools make of a file that two machines
// changed at once. Start with [Find].
package conflict

import (
	"context"
	"fmt"
	"io/fs"
	"path"

	"github.com/signalbox-dev/signalbox/core/names"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Copy is a conflict copy. Both paths are relative, with "/" between the names.
type Copy struct{ Path, Original string }

// maxEntries is the largest number of files and folders that are walked.
const maxEntries = 500_000

// Find lists the copies below some folders of root, in order. "." is all of root. It follows
// no links and skips folders of tools, such as .git and node_modules. A folder that is
// missing or cannot be read counts as empty: the code that reads the directory reports it.
// The error is from ctx, or reports too many files.
func Find(ctx context.Context, root *disk.Root, under ...string) (list []Copy, err error) {
	entries := 0
	for _, at := range under {
		err := fs.WalkDir(root.FS(), at, func(p string, e fs.DirEntry, err error) error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if entries++; entries > maxEntries {
				return fmt.Errorf("conflict: more than %d files, the rest was not looked at", maxEntries)
			}
			if err != nil {
				return fs.SkipDir
			}
			if e.IsDir() {
				// Tools keep their own files there.
				if name := e.Name(); name == ".git" || name == "node_modules" || name == ".stversions" || name == ".stfolder" {
					return fs.SkipDir
				}
				return nil
			}
			if name, ok := names.OriginalOf(e.Name()); ok && e.Type().IsRegular() {
				list = append(list, Copy{p, path.Join(path.Dir(p), name)})
			}
			return nil
		})
		if err != nil {
			return list, err
		}
	}
	return list, nil
}
