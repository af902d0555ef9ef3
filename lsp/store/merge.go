package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store/conflict"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// Merged says what [Dir.Merge] did.
type Merged struct {
	// Added counts the records that the log has now. Left counts the lines of the copy
	// that are malformed or from somebody else.
	Added, Left int
	// Where is the path to which the copy was moved, and "" if it stays because its log
	// is not there.
	Where string
}

// CopyOf returns the owner of the log that this log is a sync tool's copy of (rule S1).
func CopyOf(log Log) (owner string, ok bool) { return copyOf(log.Stem) }

// Merge appends to a log, byte for byte, the records that only a sync tool's copy of it
// holds, and then moves the copy to the state directory. It changes nothing that stands
// in the log. The caller makes sure that the log's writer asked for it (rule L4).
//
// Lines of the copy that are no record of the writer stay in the copy: in the log, readers
// would take them for the writer's own.
func (d *Dir) Merge(ctx context.Context, log Log, state string) (m Merged, err error) {
	owner, ok := copyOf(log.Stem)
	if !ok {
		return m, fmt.Errorf("store: merge %q: it is no copy of a log", log.Name)
	}
	c := conflict.Copy{Path: log.Name, Original: samp.LogName(owner)}
	m.Where, err = conflict.Resolve(d.root, c, state, func(original, copied *os.File) (bool, error) {
		return true, d.takeOver(ctx, owner, original, copied, &m)
	})
	if err != nil {
		return m, fmt.Errorf("store: merge %q: %w", filepath.Join(d.path, log.Name), disk.Cause(err))
	}
	return m, nil
}

// mergeChunk is how much is written at once, unless a line is longer.
const mergeChunk = 1 << 20

func (d *Dir) takeOver(ctx context.Context, owner string, original, copied *os.File, m *Merged) error {
	var out *disk.File
	var chunk []byte
	flush := func() error {
		if len(chunk) == 0 {
			return nil
		}
		if out == nil {
			var err error
			if out, err = d.openAs(samp.LogName(owner), os.O_RDWR|os.O_APPEND, 0); err != nil {
				return err
			}
		}
		err := appendLine(d.root, samp.LogName(owner), out, chunk)
		chunk = chunk[:0]
		return err
	}
	take := func(line []byte) error {
		// Parsing may use up the bytes.
		r, err := samp.ParseInPlace(bytes.Clone(line))
		if err != nil || r.From != owner {
			m.Left++
			return nil
		}
		m.Added++
		if chunk = append(chunk, line...); len(chunk) < mergeChunk {
			return nil
		}
		return flush()
	}
	torn, err := conflict.Missing(ctx, original, copied, take)
	if err == nil && len(bytes.TrimSpace(torn)) > 0 {
		err = take(append(torn, '\n'))
	}
	err = errors.Join(err, flush())
	if out == nil {
		return err
	}
	if err == nil {
		var settled bool
		if settled, err = d.settled(out, samp.LogName(owner)); err == nil && !settled {
			err = errors.New("the log was replaced meanwhile; run it again") // which adds the same records again
		}
	}
	return errors.Join(err, out.Close())
}
