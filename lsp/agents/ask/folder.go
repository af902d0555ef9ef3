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
	// sameAsk is for how many milliseconds the same request again is a second hook's: a client
	// that is set up for the user and for the project runs two.
	sameAsk = 1000
	// sweepEvery is of how many requests all are looked through. It divides [MaxRequests]: a full
	// folder is looked through as well.
	sweepEvery = 20
	// maxAge is how old in milliseconds a file is that nobody waits for, whatever it holds: hooks
	// wait for a day.
	maxAge = 2 * 24 * 3600 * 1000
)

// ErrTwice is returned where the same request of the same session was made just now.
var ErrTwice = errors.New("ask: the request was made already")

// Put has a request wait. ID, Hash and Process are set, and so are Sum and Long of its input.
// Whoever calls it calls [Waiting.Wait] next, in the same process.
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
		own := key(r.Client, r.Session)
		all, _ := names(root, "")
		if len(all) < sweepEvery || len(all)%sweepEvery == 0 {
			own = "" // what killed processes left of other sessions goes now and then
		}
		list, _ := read(root, own)
		if sweep(root, list, own, r.Since-maxAge); own == "" {
			all, _ = names(root, "")
		}
		if len(all) >= MaxRequests {
			return fmt.Errorf("%d requests wait, and no more are taken", len(all))
		}
		if slices.ContainsFunc(list, func(o Request) bool {
			return o.Of(r.Client, r.Session) && o.Agent == r.Agent && o.Tool == r.Tool && o.Sum == r.Sum &&
				max(r.Since-o.Since, o.Since-r.Since) < sameAsk && o.Process.Runs()
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

// List returns the requests that wait, the oldest first. errs names files that are not taken.
func (f Folder) List() (list []Request, errs []error) {
	now := f.Look()
	return now.List, now.Errs
}

// Look returns what waits, and what was answered just now.
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

// Over ends the requests of a session that the program says are: it has used the tool, or a
// turn has begun or ended. Those that were answered are left to who waits for the answer.
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
		return nil // as nearly always: no lock is taken for it
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

// open opens the folder if it is the user's own and nobody else's, and no link.
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

// locked opens the folder with its lock held: of two that answer at once one is the first.
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

// read reads the requests in a folder whose names begin with a session's key.
func read(root *disk.Root, key string) (list []Request, errs []error) {
	all, err := names(root, key)
	if err != nil {
		errs = append(errs, err)
	}
	left := maxTogether
	for _, name := range all {
		var r Request
		size, err := take(root, name, maxRequest, &r)
		if left -= size; left < 0 {
			return list, append(errs, fmt.Errorf("ask: %q holds more than %d bytes of requests, and the rest is not read", root.Name(), maxTogether))
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

// names lists the files of requests. Of more than [MaxRequests] the rest is not read.
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

// take reads a file if it is the user's own, nobody else's and no link, and returns its length.
func take(root *disk.Root, name string, limit int64, to any) (size int, err error) {
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

// sweep removes what killed processes left of the sessions whose key begins with a text, and files
// that are not taken from before a time: a power cut or an earlier version leaves such. The lock is
// held.
func sweep(root *disk.Root, list []Request, own string, before int64) {
	waits := make(map[string]bool)
	for i := range list {
		if id := list[i].ID; list[i].Process.Runs() {
			waits[id] = true
		} else {
			_ = root.Remove(id + suffix) // the next one tries again
		}
	}
	for _, name := range root.Names() {
		id := strings.TrimSuffix(strings.TrimSuffix(name, suffix), answered)
		if validID(id) && strings.HasPrefix(id, own) && !waits[id] {
			info, err := root.Lstat(id + suffix)
			if err != nil || info.ModTime().UnixMilli() < before {
				_ = root.Remove(name)
			}
		}
		root.Sweep(name, disk.Abandoned)
	}
}

// key begins the ids of a session's requests, so that the others are not read for it.
func key(client, id string) string {
	sum := sha256.Sum256([]byte(client + "\x00" + id))
	return hex.EncodeToString(sum[:4])
}

// validID reports whether a text may be an id, which is part of a file's name.
func validID(id string) bool {
	return len(id) == 17 && id[8] == '-' && strings.Trim(id[:8], "0123456789abcdef") == "" && strings.Trim(id[9:], "abcdefghijklmnopqrstuvwxyz234567") == ""
}
