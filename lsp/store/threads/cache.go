package threads

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// The cache is what was last listed of each folder, so that the threads of a
// removed worktree stay listed (rule X3). It lies outside of the project:
//
//	<state>/threads/<repository>/<folder>.json         what was listed
//	<state>/threads/<repository>/<folder>-<time>.json  and in an earlier worktree of that path
//
// These names are made as [FolderID] does. The .json files can be removed at any
// time, and one that cannot be read counts as none.
const (
	cacheDir     = "threads"
	cacheVersion = 1
	maxCacheFile = 64 << 20
	// forgetAfter is how long a folder that is gone stays listed.
	forgetAfter = 180 * 24 * time.Hour
	// maxGone is the number of folders of one repository that stay listed
	// after they are gone.
	maxGone = 200
)

// cacheFile is the file of one folder.
type cacheFile struct {
	Version    int           `json:"version"`
	Path       string        `json:"path"`
	Repository string        `json:"repository,omitempty"`
	Branch     string        `json:"branch,omitempty"`
	Head       string        `json:"head,omitempty"`
	Main       bool          `json:"main,omitempty"`
	Git        bool          `json:"git,omitempty"`
	Gone       int64         `json:"gone,omitempty"` // since when, in Unix milliseconds
	Threads    []cacheThread `json:"threads"`
}

// cacheThread is an [Item]. It has what a list shows, not what a thread is made
// of: metadata and foreign members stay where they are.
type cacheThread struct {
	Name     string         `json:"name"`
	At       int64          `json:"at"`
	Fault    string         `json:"fault,omitempty"`
	Version  *atsf.Version  `json:"version,omitempty"`
	ID       string         `json:"id,omitempty"`
	Title    string         `json:"title,omitempty"`
	Created  string         `json:"created,omitempty"`
	Updated  string         `json:"updated,omitempty"`
	Parent   string         `json:"parent,omitempty"`
	Agent    *atsf.Agent    `json:"agent,omitempty"`
	Branch   string         `json:"branch,omitempty"`
	Commit   string         `json:"commit,omitempty"`
	Dir      string         `json:"dir,omitempty"`
	Relative string         `json:"relative,omitempty"`
	Worktree *atsf.Worktree `json:"worktree,omitempty"`
	Stats    *atsf.Stats    `json:"stats,omitempty"`
}

// cacheKey names the directory in which a folder's repository is cached.
func cacheKey(f *Folder) string {
	if f.key != "" {
		return f.key
	}
	if f.Repository != "" {
		return FolderID(f.Repository)
	}
	return FolderID(f.Path)
}

// cachePath is the file of a folder, without ".json".
func cachePath(stateDir string, f *Folder) string {
	return filepath.Join(stateDir, cacheDir, cacheKey(f), f.ID)
}

// encodeCache returns the file of a folder with its items in order.
func encodeCache(f *Folder, items []*Item, gone int64) ([]byte, error) {
	c := cacheFile{
		Version: cacheVersion, Path: f.Path, Repository: f.Repository, Branch: f.Branch, Head: f.Head, Main: f.Main, Git: f.Git,
		Gone: gone, Threads: make([]cacheThread, len(items)),
	}
	for i, item := range items {
		t := &item.Thread
		e := cacheThread{Name: item.Name, At: item.Updated}
		if item.Fault != nil {
			e.Fault = clip(item.Fault.Error(), maxTitle)
		} else {
			e.Version, e.Agent, e.Stats, e.Worktree = &t.Version, &t.Agent, &t.Stats, t.Context.Worktree
			e.ID, e.Title, e.Created, e.Updated, e.Parent = t.ID, t.Title, t.Created.Text, t.Updated.Text, t.ParentID
			e.Branch, e.Commit, e.Dir, e.Relative = t.Context.GitBranch, t.Context.GitCommit, t.Context.WorkingDir, t.Context.RelativeDir
		}
		c.Threads[i] = e
	}
	return json.Marshal(c)
}

var errCache = errors.New("threads: no cache")

// decodeCache reads the file of a folder. Every item is marked as gone.
func decodeCache(data []byte) (f Folder, items []*Item, gone int64, err error) {
	var c cacheFile
	if err := json.Unmarshal(data, &c); err != nil {
		return f, nil, 0, fmt.Errorf("%w: %w", errCache, err)
	}
	if c.Version != cacheVersion || !filepath.IsAbs(c.Path) || len(c.Threads) > maxThreads {
		return f, nil, 0, errCache
	}
	f = Folder{
		ID: FolderID(c.Path), Path: c.Path, Repository: c.Repository,
		Branch: clip(c.Branch, maxField), Head: clip(c.Head, maxField), Main: c.Main, Git: c.Git, Gone: true,
	}
	seen := make(map[string]bool, len(c.Threads))
	for i := range c.Threads {
		e := &c.Threads[i]
		if !safeName(e.Name) || !utf8.ValidString(e.Name) || seen[e.Name] {
			continue
		}
		seen[e.Name] = true
		items = append(items, e.item(f.ID))
	}
	return f, items, c.Gone, nil
}

func (e *cacheThread) item(folder string) *Item {
	item := &Item{Folder: folder, Name: e.Name, Updated: e.At, Gone: true}
	if e.Fault != "" {
		item.Fault = errors.New(clip(e.Fault, maxTitle))
		return item
	}
	t := atsf.Thread{
		ID: e.ID, Title: e.Title, ParentID: e.Parent, Created: atsf.ParseTime(e.Created), Updated: atsf.ParseTime(e.Updated),
		Context: atsf.Context{WorkingDir: e.Dir, RelativeDir: e.Relative, GitBranch: e.Branch, GitCommit: e.Commit, Worktree: e.Worktree},
	}
	if e.Version != nil {
		// What was listed was of a version that may be read.
		t.Version, _ = atsf.ParseVersion(e.Version.String())
	}
	if e.Agent != nil {
		t.Agent = *e.Agent
	}
	if e.Stats != nil {
		t.Stats = *e.Stats
	}
	item.Thread = small(&t)
	if err := t.CheckDir(e.Name); err != nil {
		errors.As(err, &item.Odd)
	}
	return item
}

// readCache reads the file of a folder by its path. It returns errCache for one
// that is damaged, or that is another folder's.
func readCache(path, id string) (f Folder, items []*Item, gone int64, err error) {
	data, err := readCacheFile(path)
	if err != nil {
		return f, nil, 0, err
	}
	f, items, gone, err = decodeCache(data)
	if err == nil && f.ID != id {
		err = errCache
	}
	return f, items, gone, err
}

// readCacheFile reads a file of the cache. What is too large is not read: the
// error is errCache.
func readCacheFile(path string) ([]byte, error) {
	root, err := disk.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data, _, err := root.ReadRegular(filepath.Base(path), maxCacheFile)
	if len(data) > maxCacheFile {
		return nil, errCache
	}
	return data, err
}

// writeCache replaces a file of the cache, if it says something else. Several
// processes may do so: the last one counts, and no reader sees half a file.
func writeCache(path string, data []byte) error {
	if old, err := readCacheFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	root, err := disk.Disk{}.MakeRoot(filepath.Dir(path), disk.PrivateDir)
	if err != nil {
		return fmt.Errorf("threads: cache: %w", err)
	}
	defer root.Close()
	whole := disk.Whole{Root: root, Private: true, Cache: true}
	if err := whole.Replace(filepath.Base(path), data); err != nil {
		return fmt.Errorf("threads: cache: %w", err)
	}
	return nil
}

// prune removes what the cache knows of repositories that nobody opened for
// long, and what interrupted writes left. keep names the repositories that are open.
func prune(stateDir string, keep map[string]bool, now time.Time) error {
	top := filepath.Join(stateDir, cacheDir)
	repositories, err := os.ReadDir(top)
	if err != nil {
		return err
	}
	for _, r := range repositories {
		if !r.IsDir() {
			continue
		}
		dir := filepath.Join(top, r.Name())
		files, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, f := range files {
			info, err := f.Info()
			if err != nil || !info.Mode().IsRegular() {
				continue
			}
			age := now.Sub(info.ModTime())
			left := strings.HasPrefix(f.Name(), disk.TempPrefix) && age > disk.Abandoned
			if left || !keep[r.Name()] && age > forgetAfter {
				if err := os.Remove(filepath.Join(dir, f.Name())); err != nil {
					return err
				}
			}
		}
		// It fails unless nothing is left, which is what is wanted.
		_ = os.Remove(dir)
	}
	return nil
}
