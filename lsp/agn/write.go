package agn

import (
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// A fact is written whole, as [disk.Whole] does it, so that a process that is
// killed at any moment leaves the fact or no fact, and in the worst case a file
// that the next writer removes.

// whole writes the directory's files.
func (d *Dir) whole() *disk.Whole { return &disk.Whole{Root: d.root} }

// sweep removes what killed writers left, once for each [Dir]. That it fails
// harms nobody. Under the lock no other writer of this machine has a file that is not
// finished; a writer of another machine may, so that only old ones go.
func (w *writing) sweep() {
	if !w.swept {
		w.swept = true
		sweepFolder(w.root, 0)
	}
}

// sweepFolder goes through the folders of the layout.
func sweepFolder(at *disk.Root, depth int) {
	entries, _, _ := tree.In(at).Entries(maxEntries)
	for _, e := range entries {
		name := e.Name()
		at.Sweep(name, disk.Abandoned)
		if e.IsDir() && (depth == 1 || depth == 0 && (name == inMessages || name == inAcks || name == inResumes || name == inTasks)) {
			if sub, err := at.OpenRoot(name); err == nil {
				sweepFolder(sub, depth+1)
				sub.Close()
			}
		}
	}
}
