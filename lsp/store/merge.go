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
	// Added counts the records that the log has now, Left the lines of the copy that
	// are none of its writer's: malformed, or from somebody else.
	Added, Left int
	// Where is the path that the copy was put away to, "" if it stays, since its log is
	// not there.
	Where string
}

// CopyOf gives the alias whose log a log is a sync tool's copy of (rule S1).
func CopyOf(log Log) (owner string, ok bool) { return copyOf(log.Stem) }

// Merge appends to a log the records that a sync tool's copy of it alone holds, byte for byte,
// and then moves the copy to the state directory. Nothing that stands in the log is
// changed (rule L4): the caller answers for its writer's being the one who asks.
//
// Lines of the copy that are no record of the writer's are not taken over. A reader has shown
// them with their marks, and would take them for the writer's own.
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

// mergeChunk is how much is written at once, but for a longer line.
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
		err := appendLine(out, chunk)
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
		var stays bool
		if stays, err = d.stays(out, samp.LogName(owner)); err == nil && !stays {
			err = errors.New("the log was replaced meanwhile; run it again") // what was added is added again
		}
	}
	return errors.Join(err, out.Close())
}
