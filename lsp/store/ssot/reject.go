package ssot

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/excerpt"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
)

// rejectInto appends refused messages to the error log of the directory at a path. It ends
// with the first that fails; those that were logged are not logged again.
func rejectInto(ctx context.Context, path string, list []agn.Rejection) (err error) {
	d, err := Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	w, err := d.write(ctx)
	if err != nil {
		return err
	}
	defer w.end()
	for _, r := range list {
		if _, err := w.reject(r); err != nil {
			return err
		}
	}
	return nil
}

// maxName bounds what the error log says of a message that may say anything.
const maxName = 1024

// reject appends a refused message to the error log, once for each source and
// digest (rule E0). An empty digest becomes the digest of the text. logged is false if
// the log has it already.
//
// Long names are cut, and a text for which the line has no room is left out.
func (w *writing) reject(r agn.Rejection) (logged bool, err error) {
	r.Source, r.MsgID, r.TaskID = excerpt.ClipTo(r.Source, maxName), excerpt.ClipTo(r.MsgID, maxName), excerpt.ClipTo(r.TaskID, maxName)
	if r.Digest == "" {
		r.Digest = digestText(sha256.Sum256([]byte(r.Text)))
	}
	line := agn.AppendRejection(nil, r)
	if len(line) > agn.MaxRejection && r.Text != "" {
		r.Text = ""
		line = agn.AppendRejection(nil, r)
	}
	if _, err := agn.ParseRejection(line); err != nil {
		return false, fmt.Errorf("ssot: log a rejection: %w", err)
	}
	file, err := w.root.OpenAppend(ErrorsName)
	if err != nil {
		return false, fmt.Errorf("ssot: %s: %w", ErrorsName, err)
	}
	defer file.Close()
	if err := w.seen.read(file.File); err != nil {
		return false, fmt.Errorf("ssot: %s: %w", ErrorsName, disk.Cause(err))
	}
	if err := w.lasting(file); err != nil {
		return false, fmt.Errorf("ssot: %s: %w", ErrorsName, disk.Cause(err))
	}
	if w.seen.has(r.Source, r.Digest) {
		return false, nil
	}
	if w.seen.torn {
		// Somebody was interrupted in a line. Ending it makes it cost only
		// itself.
		line = append([]byte{'\n'}, line...)
	}
	if err := w.append(file, line); err != nil {
		return false, fmt.Errorf("ssot: %s: %w", ErrorsName, disk.Cause(err))
	}
	return true, nil
}

// lasting makes the error log last as it was read, unless it was written by us: whoever
// wrote to it may have been killed in the midst of that.
func (w *writing) lasting(f *disk.File) error {
	if w.seen.named && w.seen.size <= w.seen.lasts {
		return nil
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := w.root.Sync(); err != nil {
		return err
	}
	w.seen.named, w.seen.lasts = true, w.seen.size
	return nil
}

// append writes a line in one write and waits until it is on the disk. What a
// write that failed left behind is taken back: the lock keeps others from
// writing behind it.
func (w *writing) append(f *disk.File, line []byte) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err = w.whole().Step("append"); err == nil {
		_, err = f.Write(line)
	}
	if err == nil {
		err = w.whole().Step("sync")
	}
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		return errors.Join(disk.Cause(err), f.Truncate(info.Size()))
	}
	w.seen.lasts = info.Size() + int64(len(line))
	return nil
}

// seenLog knows which rejections the error log has. It reads what the log has
// grown by; another file, or one that did not only grow, is read anew.
type seenLog struct {
	file fs.FileInfo
	size int64
	// tail is what stands before size, in a hash.
	tail [sha256.Size]byte
	// torn is set where the log does not end with a line end.
	torn bool
	// named is set where the log's name is on the disk, with what stands before lasts.
	named bool
	lasts int64
	keys  map[[sha256.Size]byte]struct{}
}

func seenKey(source, digest string) [sha256.Size]byte {
	return sha256.Sum256([]byte(digest + "\x00" + source))
}

func (s *seenLog) has(source, digest string) bool {
	_, ok := s.keys[seenKey(source, digest)]
	return ok
}

func (s *seenLog) read(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if s.file == nil || !os.SameFile(s.file, info) || info.Size() < s.size || tailOf(f, s.size) != s.tail {
		*s = seenLog{keys: make(map[[sha256.Size]byte]struct{})}
	}
	s.file = info
	defer func() { s.tail = tailOf(f, s.size) }()
	ctx := context.Background() // what is new is little
	end, err := jsonl.End(ctx, f, info.Size())
	if err != nil {
		return err
	}
	// An unfinished line is not counted: whoever began it may end it.
	s.torn = end < info.Size()
	lines := jsonl.Forward{R: f, At: s.size, End: end}
	for {
		line, err := lines.Next(ctx)
		if errors.Is(err, jsonl.ErrEnd) {
			return nil
		}
		if err != nil {
			return err
		}
		s.size = lines.At
		if rejection, bad := agn.ParseRejection(line.Raw); bad == nil {
			s.keys[seenKey(rejection.Source, rejection.Digest)] = struct{}{}
		}
	}
}
