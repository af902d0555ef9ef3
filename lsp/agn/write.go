package agn

import (
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// A fact is written as a whole, by [disk.Whole]: if the process is killed, the fact is
// complete or missing. At worst a temporary file is left, which the next writer removes.

func (d *Dir) whole() *disk.Whole { return &disk.Whole{Root: d.root} }

// sweep removes files that killed writers left, once for each [Dir]. Errors do no harm. Under
// the lock no other writer on this machine has an unfinished file. A writer on another machine
// may, so only old files are removed.
func (w *writing) sweep() {
	if !w.swept {
		w.swept = true
		sweepFolder(w.root, 0)
	}
}

// sweepFolder sweeps the folders of the layout.
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
