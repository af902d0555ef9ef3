package activity

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/statefile"
)

const (
	// maxFile is the length in bytes of the longest file of a session.
	maxFile = 16 << 20
	// maxSessions is how many files of a folder are read.
	maxSessions = 2000
)

// Folder is the folder that holds the sessions. The zero Disk is the real one.
type Folder struct {
	Path string
	Disk disk.Disk
	// Judge corrects the state of listed sessions at a time in Unix milliseconds, using more than
	// their files, and clears an [Ask] that is over. It may be nil.
	Judge func(list []Session, now int64)
}

// At returns the sessions of a state folder.
func At(stateDir string) Folder { return Folder{Path: filepath.Join(stateDir, "sessions")} }

// Read returns a session. If there is none, or its file is invalid, it returns a new session that
// has only its client and id. An invalid file is an error as well.
func (f Folder) Read(client, id string) (Session, error) {
	s := Session{Client: client, ID: id}
	err := f.file(&s).Look()
	return s, err
}

// Change calls change with a session, which is new if there is none, and records the session if
// change returns true. It holds the session's lock, so that each of two hooks sees the other's
// change.
func (f Folder) Change(ctx context.Context, client, id string, change func(*Session) bool) error {
	return f.ChangeThen(ctx, client, id, change, func() error { return nil })
}

// ChangeThen is [Folder.Change] for a change with an effect, such as a notice to the agent. It
// calls then for the effect after recording the change, with the lock still held: without the
// record, the effect would be repeated. If then fails, the record is undone.
func (f Folder) ChangeThen(ctx context.Context, client, id string, change func(*Session) bool, then func() error) error {
	if client == "" || id == "" || len(client) > maxText || len(id) > maxText {
		return fmt.Errorf("session: a client and a session have names of 1 to %d bytes", maxText)
	}
	s := Session{Client: client, ID: id}
	lost := f.makeRoom()
	return f.file(&s).Change(ctx, func(replace func([]byte) error) error {
		s.Lost = s.Lost || lost
		before := s
		before.Tools, before.Notified, before.Held, before.Holds = slices.Clone(s.Tools), slices.Clone(s.Notified), slices.Clone(s.Held), slices.Clone(s.Holds)
		if !change(&s) {
			return nil
		}
		before.State = cmp.Or(before.State, s.State) // every file has a state
		if err := write(&s, replace); err != nil {
			return err
		}
		err := then()
		if err != nil {
			err = errors.Join(err, write(&before, replace))
		}
		return err
	})
}

// forget removes the file of a silent session. It gives up at once if another process holds the
// file's lock: a hook is about to record something.
func (f Folder) forget(client, id string, now int64) {
	atOnce, cancel := context.WithCancel(context.Background())
	cancel()
	s := Session{Client: client, ID: id}
	// If it fails, the next list tries again.
	_ = f.file(&s).Change(atOnce, func(replace func([]byte) error) error {
		// Held is lost with the file, so the file stays while the agent may stop again.
		if s.State == "" || !s.silent(now) || s.Process.PID != 0 && s.Process.runs() {
			return nil
		}
		return replace(nil)
	})
}

// makeRoom renames a file that is in the folder's place, and reports whether it did.
func (f Folder) makeRoom() bool {
	if info, err := os.Stat(f.Path); err != nil || info.IsDir() {
		return false
	}
	root, err := f.Disk.OpenRoot(filepath.Dir(f.Path))
	if err != nil {
		return false
	}
	defer root.Close()
	name := filepath.Base(f.Path)
	return root.Rename(name, name+".bad") == nil
}

func write(s *Session, replace func([]byte) error) error {
	s.bound()
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return replace(append(data, '\n'))
}

// file returns the file of a session. Reading it fills s.
func (f Folder) file(s *Session) *statefile.File {
	client, id := s.Client, s.ID
	file := statefile.At(statefile.Config{
		Path: filepath.Join(f.Path, fileName(client, id)), What: "session:", Limit: maxFile,
		// An agent waits for each hook, and a sync may take longer than the rest of the hook.
		Cache: true,
		Take: func(data []byte) error {
			if blank(data) {
				s.Lost = data != nil
				return nil
			}
			read, err := parse(data)
			if err == nil && (read.Client != client || read.ID != id) {
				err = errors.New("is of another session")
			}
			if err == nil {
				*s = read
			}
			return err
		},
		// A broken file of ours must not cut an agent off from its mail.
		Lost: func() { *s = Session{Client: client, ID: id, Lost: true} },
	})
	file.Disk = f.Disk
	return file
}

// blank reports whether a file is empty, or has only the NUL bytes that a power cut leaves.
func blank(data []byte) bool { return len(bytes.Trim(data, "\x00")) == 0 }

func parse(data []byte) (s Session, err error) {
	if err = json.Unmarshal(data, &s); err != nil {
		return Session{}, fmt.Errorf("is no session: %w", err)
	}
	switch s.State {
	case Working, Waiting, Idle, Ended:
	default:
		return Session{}, fmt.Errorf("is no session: its state is %q", s.State)
	}
	if s.Client == "" || s.ID == "" {
		return Session{}, errors.New("is no session: it names no client or session")
	}
	s.bound()
	return s, nil
}

// List returns the sessions with an event in the last day: ended ones last, otherwise newest first.
// Each is in its state at now, which is in Unix milliseconds. It removes the files of older
// sessions. errs has an error for each file that cannot be read; such files are left alone. A
// folder that does not exist is empty.
func (f Folder) List(now int64) (list []Session, errs []error) {
	return f.list(now, make(map[string]file))
}

// Peek returns the sessions as they are stored. It removes no file and checks no process.
func (f Folder) Peek() (list []Session, err error) {
	root, err := f.Disk.OpenRoot(f.Path)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	names, err := f.names(root)
	for _, name := range names {
		if is, err := (file{}).again(root, name); err == nil && is.err == nil && is.session.ID != "" {
			list = append(list, is.session)
		}
	}
	return list, err
}

// file is a session's file as it was last read.
type file struct {
	info    fs.FileInfo
	session Session
	err     error
}

// list is [Folder.List]. It reads only files that are not in known or have changed.
func (f Folder) list(now int64, known map[string]file) (list []Session, errs []error) {
	root, err := f.Disk.OpenRoot(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		clear(known)
		return nil, nil
	}
	if err != nil {
		return nil, []error{fmt.Errorf("session: %w", disk.Cause(err))}
	}
	defer root.Close()
	names, err := f.names(root)
	if err != nil {
		errs = append(errs, err)
	}
	gone := maps.Clone(known)
	for _, name := range names {
		delete(gone, name)
		is, err := known[name].again(root, name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			delete(known, name)
			continue
		case err != nil:
			delete(known, name)
			errs = append(errs, fmt.Errorf("session: %q: %w", filepath.Join(f.Path, name), disk.Cause(err)))
			continue
		}
		known[name] = is
		switch s := is.session; {
		case is.err != nil:
			errs = append(errs, fmt.Errorf("session: %q: %w; remove the file", filepath.Join(f.Path, name), is.err))
		case s.silent(now):
			f.forget(s.Client, s.ID, now)
		default:
			s.State = s.Now(now)
			list = append(list, s)
		}
	}
	for name := range gone {
		delete(known, name)
	}
	if f.Judge != nil {
		f.Judge(list, now)
	}
	slices.SortStableFunc(list, func(a, b Session) int {
		return cmp.Or(boolOrder(a.State == Ended, b.State == Ended), cmp.Compare(b.Since, a.Since), cmp.Compare(a.ID, b.ID))
	})
	return list, errs
}

// again returns the file as it is now. It reads the file only if it has changed.
func (is file) again(root *disk.Root, name string) (file, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return file{}, err
	}
	if is.info != nil && os.SameFile(info, is.info) && info.Size() == is.info.Size() && info.ModTime().Equal(is.info.ModTime()) {
		return is, nil
	}
	data, info, err := root.ReadRegular(name, maxFile)
	if err != nil {
		return file{}, err
	}
	if blank(data) {
		return file{info: info}, nil // a session without any event
	}
	s, err := parse(data)
	switch {
	case len(data) > maxFile:
		err = fmt.Errorf("is longer than %d bytes", maxFile)
	case err == nil && fileName(s.Client, s.ID) != name:
		err = errors.New("is of another session")
	}
	return file{info, s, err}, nil
}

// names lists the files of sessions, at most [maxSessions].
func (f Folder) names(root *disk.Root) (names []string, err error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, fmt.Errorf("session: %w", disk.Cause(err))
	}
	defer dir.Close()
	all, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("session: %w", disk.Cause(err))
	}
	names = slices.DeleteFunc(all, func(name string) bool { return !strings.HasSuffix(name, suffix) })
	slices.Sort(names) // so that equal lists have the same order
	if len(names) > maxSessions {
		return names[:maxSessions], fmt.Errorf("session: %q holds %d files, and %d are read", f.Path, len(names), maxSessions)
	}
	return names, nil
}

func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
