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
	// ErrOver is returned for a request that no longer waits.
	ErrOver = errors.New("the request is over: it was answered at the program's own dialog, or the program went on or ended")
	// ErrChanged is returned for a request that differs from the request that was shown.
	ErrChanged = errors.New("the request is not the one that was shown: look at it again")
)

// AnsweredError is returned for a request that was answered before.
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

// Answer answers a waiting request and logs the answer. The first answer counts: for a later one,
// the error is an *[AnsweredError]. The other errors are [ErrOver], [ErrChanged], the errors of
// [Request.Fits] and of the disk. After an error, nothing was answered.
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
		return f.appendLog(Encode(&Entry{*r, a}), func() error {
			w := disk.Whole{Root: root, Private: true, Cache: true}
			return w.Replace(a.ID+answered, data)
		})
	})
	if errors.Is(err, fs.ErrNotExist) { // there never was a request
		return f.Gone(ctx, a.ID)
	}
	return err
}

// Find returns a waiting request without reading the others. The error describes the fault in its
// file, or is the error of [Folder.Gone].
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

// Gone returns why a request no longer waits: an *[AnsweredError] or [ErrOver].
func (f Folder) Gone(ctx context.Context, id string) (why error) {
	why = ErrOver
	looked := 0
	_ = f.newest(ctx, func(e *Entry) bool { // if the log cannot be read, the error is ErrOver
		looked++
		found := e.Answer.ID == id
		if found {
			why = &AnsweredError{e.Answer}
		}
		return !found && looked < maxGoneLines
	})
	return why
}

// maxGoneLines is how many of the newest lines of the log are searched for an earlier answer.
const maxGoneLines = 200

// appendLog appends a line to the log and then calls give. If either fails, the line is removed
// again. The caller holds the folder's lock.
func (f Folder) appendLog(line []byte, give func() error) error {
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
	if end[0] != '\n' { // a writer was killed: start a new line, so that only the broken one is lost
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

// Log returns at most that many of the newest answers, oldest first. Unreadable lines are skipped.
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

// newest calls next with the lines of the log, last line first, until it returns false. An
// unreadable line is an empty entry.
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
