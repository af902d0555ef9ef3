// Package conflict finds the copies that sync tools make of a file that two machines
// changed at once. Start with [Find] or [Of].
package conflict

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Of recognises the name of a copy and returns the name of its original: Syncthing's
// "log-a.sync-conflict-20260101-120000-ABCDEFG.jsonl", and what Dropbox, Nextcloud and
// others write, "log-a (bob's conflicted copy 2026-01-01).jsonl". The original of a copy of
// a copy is the first original.
func Of(name string) (original string, ok bool) {
	var stem string
	ext := path.Ext(name)
	if i := strings.Index(name, syncthing); i >= 0 {
		// The mark stands before the last extension, and what it adds has none.
		if strings.Contains(ext, syncthing) {
			ext = ""
		}
		stem = name[:i]
	} else if stem, ok = bracketed(strings.TrimSuffix(name, ext)); !ok {
		return "", false
	}
	if stem == "" {
		return "", false
	}
	return stem + ext, true
}

const syncthing = ".sync-conflict-"

// bracketed returns the name in "name (… conflict…)".
func bracketed(stem string) (string, bool) {
	for _, sign := range []string{" (", "_conflict-"} {
		if i := strings.Index(stem, sign); i > 0 && strings.Contains(strings.ToLower(stem[i:]), "conflict") {
			return stem[:i], true
		}
	}
	return "", false
}

// Copy is a conflict copy. Both paths are relative, with "/" between the names.
type Copy struct{ Path, Original string }

// maxEntries bounds how much is walked.
const maxEntries = 500_000

// Find lists the copies below some folders of root, in order. "." is all of root. It
// follows no links and does not look into .git and node_modules. A folder that is missing
// or cannot be read has no copies: whoever reads the directory reports it. The error is
// from ctx, or says that there were too many files.
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
			if name, ok := Of(e.Name()); ok && e.Type().IsRegular() {
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
