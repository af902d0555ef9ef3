package ask

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/filelock"
)

// Folder holds the requests. The zero Disk is the real one.
type Folder struct {
	Path string
	Disk disk.Disk
}

// At returns the requests of a state folder.
func At(stateDir string) Folder { return Folder{Path: filepath.Join(stateDir, "requests")} }

const (
	suffix   = ".json"
	answered = ".answer"
	lockName = ".lock"
	// repeatTime is the time in milliseconds within which the same request counts as a repetition
	// by a second hook: a client that is set up both for the user and for the project runs two.
	repeatTime = 1000
	// sweepEvery is the number of files below which each new request sweeps all sessions, and at
	// whose multiples it does so after that. It divides [MaxRequests], so a full folder is swept.
	sweepEvery = 20
	// maxAge is the age in milliseconds after which a file without a waiting process is removed,
	// even if it is not accepted. Hooks wait for a day.
	maxAge = 2 * 24 * 3600 * 1000
)

// ErrTwice is returned if the same session made the same request just now.
var ErrTwice = errors.New("ask: the request was made already")

// Put stores a request. It sets ID, Hash, Process, Sum and Long. The caller must then call
// [Waiting.Wait] in the same process.
func (f Folder) Put(ctx context.Context, r Request) (*Waiting, error) {
	r.ID = key(r.Client, r.Session) + "-" + strings.ToLower(rand.Text()[:8])
	r.Sum, r.Process = Sum(r.Input), activity.Self()
	if len(r.Input) > MaxInput {
		r.Long, r.Input = int64(len(r.Input)), nil
	}
	r.Hash = r.hash()
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("ask: %w", err)
	}
	data := Encode(&r)
	if len(data) > maxRequest {
		return nil, fmt.Errorf("ask: the request is longer than %d bytes", maxRequest)
	}
	if err := f.Disk.MkdirAll(f.Path, disk.PrivateDir); err != nil {
		return nil, fmt.Errorf("ask: %w", err)
	}
	err := f.locked(ctx, func(root *disk.Root) error {
		prefix := key(r.Client, r.Session)
		all, _ := names(root, "")
		if len(all) < sweepEvery || len(all)%sweepEvery == 0 {
			prefix = "" // from time to time, sweep what killed processes left of all sessions
		}
		list, _ := read(root, prefix)
		if sweep(root, list, prefix, r.Since-maxAge); prefix == "" {
			all, _ = names(root, "")
		}
		if len(all) >= MaxRequests {
			return fmt.Errorf("%d requests wait, and no more are taken", len(all))
		}
		if slices.ContainsFunc(list, func(o Request) bool {
			return o.Of(r.Client, r.Session) && o.Agent == r.Agent && o.Tool == r.Tool && o.Sum == r.Sum &&
				max(r.Since-o.Since, o.Since-r.Since) < repeatTime && o.Process.Runs()
		}) {
			return ErrTwice
		}
		w := disk.Whole{Root: root, Private: true, Cache: true}
		return w.Replace(r.ID+suffix, data)
	})
	if err != nil {
		return nil, err
	}
	return &Waiting{Request: r, Program: activity.Caller(), folder: f}, nil
}

// List returns the waiting requests, oldest first. errs has an error for each file that is not
// accepted.
func (f Folder) List() (list []Request, errs []error) {
	now := f.Look()
	return now.List, now.Errs
}

// Look returns the waiting requests, and the answered ones whose answers are being passed on.
func (f Folder) Look() *Snapshot {
	root, err := f.open()
	if errors.Is(err, fs.ErrNotExist) {
		return &Snapshot{}
	}
	if err != nil {
		return &Snapshot{Errs: []error{err}}
	}
	defer root.Close()
	list, errs := read(root, "")
	now := &Snapshot{Errs: errs}
	for i := range list {
		r := &list[i]
		answer, err := root.Lstat(r.ID + answered)
		switch {
		case !r.Process.Runs():
		case err == nil:
			r.Since = answer.ModTime().UnixMilli()
			now.Passing = append(now.Passing, *r)
		default:
			now.List = append(now.List, *r)
		}
	}
	slices.SortStableFunc(now.List, func(a, b Request) int { return cmp.Or(cmp.Compare(a.Since, b.Since), cmp.Compare(a.ID, b.ID)) })
	return now
}

// Over ends the requests of a session for which over returns true: the program has used the tool,
// or a turn has begun or ended. Answered requests are left to the process that waits for the
// answer.
func (f Folder) Over(ctx context.Context, client, id string, over func(*Request) bool) error {
	root, err := f.open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer root.Close()
	if list, _ := names(root, key(client, id)); len(list) == 0 {
		return nil // nearly always: the lock is not needed
	}
	return f.locked(ctx, func(root *disk.Root) (err error) {
		list, _ := read(root, key(client, id))
		for i := range list {
			r := &list[i]
			if !r.Of(client, id) || !over(r) {
				continue
			}
			if _, e := root.Lstat(r.ID + answered); e != nil {
				err = errors.Join(err, root.Remove(r.ID+suffix))
			}
		}
		return err
	})
}

// open opens the folder. It fails if the folder is a link or is not private to the user.
func (f Folder) open() (*disk.Root, error) {
	root, err := f.Disk.OpenRoot(f.Path)
	if err != nil {
		return nil, fmt.Errorf("ask: %w", err)
	}
	info, err := root.Lstat(".")
	if err == nil {
		err = disk.Unshared(info)
	}
	if named, e := os.Lstat(f.Path); err == nil && (e != nil || !os.SameFile(named, info)) {
		err = errors.New("is a link, or was replaced")
	}
	if err != nil {
		root.Close()
		return nil, fmt.Errorf("ask: %q: %w", f.Path, err)
	}
	return root, nil
}

// locked opens the folder and calls do with the folder's lock held, so that one of two simultaneous
// answers is first.
func (f Folder) locked(ctx context.Context, do func(*disk.Root) error) error {
	root, err := f.open()
	if err != nil {
		return err
	}
	defer root.Close()
	lock, err := filelock.Take(ctx, root, lockName, disk.PrivateFile)
	if err == nil {
		defer lock.Release()
		err = do(root)
	}
	if err != nil && !errors.Is(err, ErrTwice) {
		return fmt.Errorf("ask: %w", err)
	}
	return err
}

// read returns the requests whose file names begin with a session's key.
func read(root *disk.Root, key string) (list []Request, errs []error) {
	all, err := names(root, key)
	if err != nil {
		errs = append(errs, err)
	}
	left := maxReadBytes
	for _, name := range all {
		var r Request
		size, err := readJSON(root, name, maxRequest, &r)
		if left -= size; left < 0 {
			return list, append(errs, fmt.Errorf("ask: %q holds more than %d bytes of requests, and the rest is not read", root.Name(), maxReadBytes))
		}
		switch {
		case errors.Is(err, fs.ErrNotExist): // it is over
			continue
		case err == nil && r.ID+suffix != name:
			err = errors.New("is of another request")
		case err == nil:
			err = r.check()
		}
		if err == nil && r.Hash != r.hash() {
			err = errors.New("was changed after it was asked, or is of another version")
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("ask: %q is not taken: %w", filepath.Join(root.Name(), name), err))
			continue
		}
		list = append(list, r)
	}
	return list, errs
}

// names lists the files of requests that begin with a key, at most [MaxRequests].
func names(root *disk.Root, key string) ([]string, error) {
	list := slices.DeleteFunc(root.Names(), func(name string) bool {
		id, ok := strings.CutSuffix(name, suffix)
		return !ok || !validID(id) || !strings.HasPrefix(id, key)
	})
	slices.Sort(list)
	if len(list) > MaxRequests {
		return list[:MaxRequests], fmt.Errorf("ask: %q holds %d requests, and %d are read", root.Name(), len(list), MaxRequests)
	}
	return list, nil
}

// readJSON decodes a file and returns its length. It fails if the file is a link, has a second name,
// or is not private to the user.
func readJSON(root *disk.Root, name string, limit int64, to any) (size int, err error) {
	data, info, err := root.ReadRegular(name, limit)
	if err == nil {
		err = disk.Unshared(info)
	}
	switch {
	case err != nil:
		return len(data), err
	case int64(len(data)) > limit:
		return len(data), fmt.Errorf("is longer than %d bytes", limit)
	}
	return len(data), json.Unmarshal(data, to)
}

// sweep removes the files that killed processes left, of the sessions whose key begins with prefix.
// It also removes files from before a time that are not accepted: a power cut or an earlier version
// leaves such files. The caller holds the lock.
func sweep(root *disk.Root, list []Request, prefix string, before int64) {
	waits := make(map[string]bool)
	for i := range list {
		if id := list[i].ID; list[i].Process.Runs() {
			waits[id] = true
		} else {
			_ = root.Remove(id + suffix) // the next sweep tries again
		}
	}
	for _, name := range root.Names() {
		id := strings.TrimSuffix(strings.TrimSuffix(name, suffix), answered)
		if validID(id) && strings.HasPrefix(id, prefix) && !waits[id] {
			info, err := root.Lstat(id + suffix)
			if err != nil || info.ModTime().UnixMilli() < before {
				_ = root.Remove(name)
			}
		}
		root.Sweep(name, disk.Abandoned)
	}
}

// key returns the beginning of the ids of a session's requests. It lets a session's requests be
// read without the others.
func key(client, id string) string {
	sum := sha256.Sum256([]byte(client + "\x00" + id))
	return hex.EncodeToString(sum[:4])
}

// validID reports whether a text may be an id, which is part of a file's name.
func validID(id string) bool {
	return len(id) == 17 && id[8] == '-' && strings.Trim(id[:8], "0123456789abcdef") == "" && strings.Trim(id[9:], "abcdefghijklmnopqrstuvwxyz234567") == ""
}
