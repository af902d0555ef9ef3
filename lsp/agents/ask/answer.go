package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
)

var (
	// ErrOver is returned for a request that waits no more.
	ErrOver = errors.New("the request is over: it was answered at the program's own dialog, or the program went on or ended")
	// ErrChanged is returned for a request that is another one than was shown.
	ErrChanged = errors.New("the request is not the one that was shown: look at it again")
)

// AnsweredError is returned for a request that somebody answered before.
type AnsweredError struct{ Answer }

func (e *AnsweredError) Error() string {
	what := "denied"
	if e.Allow {
		what = "allowed"
	}
	return fmt.Sprintf("the request was %s by %q in the %s before", what, e.By, e.Where)
}

// Entry is one line of the log of answers.
type Entry struct {
	Request Request `json:"request"`
	Answer  Answer  `json:"answer"`
}

// logName is the name of the log, beside the folder of requests.
const logName = "answers.jsonl"

// Answer gives an answer to a request that waits, and writes it down. The first one counts: a
// later one gets an *[AnsweredError]. The other errors are [ErrOver], [ErrChanged], what
// [Request.Fits] says, and those of the disk: then nothing was answered.
func (f Folder) Answer(ctx context.Context, a Answer) error {
	err := f.locked(ctx, func(root *disk.Root) error {
		r, err := f.waits(ctx, root, a.ID)
		switch {
		case err != nil:
			return err
		case r.Hash != a.Hash:
			return ErrChanged
		}
		if err := r.Fits(&a); err != nil {
			return err
		}
		data := Encode(&a)
		if len(data) > maxAnswer {
			return fmt.Errorf("the answer is longer than %d bytes", maxAnswer)
		}
		return f.note(Encode(&Entry{*r, a}), func() error {
			w := disk.Whole{Root: root, Private: true, Cache: true}
			return w.Replace(a.ID+answered, data)
		})
	})
	if errors.Is(err, fs.ErrNotExist) { // nothing was ever asked here
		return f.Gone(ctx, a.ID)
	}
	return err
}

// Find returns a request that waits, without looking at the others. The error says what is wrong
// with it, or is that of [Folder.Gone].
func (f Folder) Find(ctx context.Context, id string) (*Request, error) {
	root, err := f.open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, f.Gone(ctx, id)
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return f.waits(ctx, root, id)
}

// waits is [Folder.Find] in the open folder.
func (f Folder) waits(ctx context.Context, root *disk.Root, id string) (*Request, error) {
	if !validID(id) {
		return nil, f.Gone(ctx, id)
	}
	list, errs := read(root, id)
	_, unanswered := root.Lstat(id + answered)
	switch {
	case len(errs) > 0:
		return nil, errs[0]
	case len(list) == 0 || unanswered == nil:
		return nil, f.Gone(ctx, id)
	case !list[0].Process.Runs():
		return nil, ErrOver
	}
	return &list[0], nil
}

// Gone says why a request waits no more: an *[AnsweredError] or [ErrOver].
func (f Folder) Gone(ctx context.Context, id string) (why error) {
	why = ErrOver
	looked := 0
	_ = f.newest(ctx, func(e *Entry) bool { // without the log it is over
		looked++
		found := e.Answer.ID == id
		if found {
			why = &AnsweredError{e.Answer}
		}
		return !found && looked < maxLook
	})
	return why
}

// maxLook is in how many of the newest lines of the log an answer that was given before is looked
// for.
const maxLook = 200

// note writes a line of the log and then has the answer given. If that fails the line is taken
// back. The folder's lock is held.
func (f Folder) note(line []byte, give func() error) error {
	root, err := f.Disk.OpenRoot(filepath.Dir(f.Path))
	if err != nil {
		return err
	}
	defer root.Close()
	file, err := root.OpenAppend(logName)
	if err != nil {
		return fmt.Errorf("%s: %w", logName, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err == nil {
		err = disk.Unshared(info)
	}
	end := []byte{'\n'}
	if err == nil && info.Size() > 0 {
		_, err = file.ReadAt(end, info.Size()-1)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", logName, err)
	}
	if end[0] != '\n' { // a writer was killed: only its own line is lost
		line = slices.Insert(line, 0, '\n')
	}
	_, err = file.Write(line)
	if err == nil {
		err = file.Sync()
	}
	if err == nil {
		err = give()
	}
	if err != nil {
		return errors.Join(err, file.Truncate(info.Size()))
	}
	return nil
}

// Log returns the newest answers, at most that many, the oldest of them first. Lines that cannot
// be read are passed over.
func (f Folder) Log(ctx context.Context, most int) (list []Entry, err error) {
	err = f.newest(ctx, func(e *Entry) bool {
		if e.Answer.ID != "" {
			list = append(list, *e)
		}
		return len(list) < most
	})
	slices.Reverse(list)
	return list, err
}

// newest calls next with the lines of the log, the last one first, as long as it returns true. A
// line that cannot be read is an empty entry.
func (f Folder) newest(ctx context.Context, next func(*Entry) bool) error {
	root, err := f.Disk.OpenRoot(filepath.Dir(f.Path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("ask: %w", err)
	}
	defer root.Close()
	file, info, err := root.OpenRegular(logName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		defer file.Close()
		err = disk.Unshared(info)
	}
	var b jsonl.Backward
	if err == nil {
		b.R = file
		b.At, err = jsonl.End(ctx, file, info.Size())
	}
	for more := true; err == nil && more; {
		var line jsonl.Line
		if line, err = b.Prev(ctx); err == nil {
			e := Entry{}
			if json.Unmarshal(line.Raw, &e) != nil {
				e = Entry{}
			}
			more = next(&e)
		}
	}
	if err != nil && !errors.Is(err, jsonl.ErrEnd) {
		return fmt.Errorf("ask: %s: %w", logName, err)
	}
	return nil
}
