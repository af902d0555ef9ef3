package threads

import (
	"context"
	"io"
	"os"
	"path"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
)

// openDirs are the places that a search opened: several threads stand in each.
type openDirs map[string]*openDir

type openDir struct {
	dir  *Dir
	root *disk.Root // of the threads
	err  error
}

func (o openDirs) close() {
	for _, d := range o {
		if d.root != nil {
			d.root.Close()
		}
		if d.dir != nil {
			d.dir.Close()
		}
	}
}

// threads opens the place where a thread stands, once.
func (o openDirs) threads(snap *Snapshot, item *Item) (*disk.Root, error) {
	key := item.Folder
	if item.Gone {
		key += " gone"
	}
	d := o[key]
	if d == nil {
		d = &openDir{}
		if d.dir, d.err = snap.Open(Key{item.Folder, item.Name}); d.err == nil {
			d.root, d.err = d.dir.openThreads()
		}
		o[key] = d
	}
	return d.root, d.err
}

// log opens the log of a thread, and returns the end of its last finished line.
func (o openDirs) log(ctx context.Context, snap *Snapshot, item *Item) (log *os.File, end int64, err error) {
	threads, err := o.threads(snap, item)
	if err != nil {
		return nil, 0, err
	}
	log, info, err := openFile(threads, path.Join(item.Name, atsf.MessagesName))
	if err != nil {
		return nil, 0, err
	}
	if end, err = jsonl.End(ctx, log, info.Size()); err != nil {
		log.Close()
		return nil, 0, err
	}
	return log, end, nil
}

// maxCounted is how much of a log is counted through for line numbers.
const maxCounted = 256 << 20

// lineNumbers returns the numbers of the lines that begin at offsets, in ascending
// order. There are none in a log that is too long for it.
func lineNumbers(ctx context.Context, r io.ReaderAt, offsets []int64) (numbers []int64, err error) {
	if len(offsets) == 0 || offsets[len(offsets)-1] > maxCounted {
		return nil, nil
	}
	at, number := int64(0), int64(1)
	for _, offset := range offsets {
		n, err := jsonl.Breaks(ctx, r, at, offset)
		if err != nil {
			return nil, err
		}
		at, number = offset, number+n
		numbers = append(numbers, number)
	}
	return numbers, nil
}
