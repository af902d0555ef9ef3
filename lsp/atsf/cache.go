package atsf

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// The cache stores the memories outside the project, in
// <state>/threads/<repository>/<folder>.json. Both names are made as by [FolderID]. The files
// can be removed at any time; an unreadable file is ignored.
const (
	cacheDir     = "threads"
	cacheVersion = 2
	maxCacheFile = 64 << 20
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
	Threads    []cacheThread `json:"threads"`
}

// cacheThread is an [Item] as a list shows it, without metadata and foreign members.
type cacheThread struct {
	Name   string      `json:"name"`
	At     int64       `json:"at"`
	Gone   int64       `json:"gone,omitempty"`
	Fault  string      `json:"fault,omitempty"`
	Thread atsf.Thread `json:"thread"`
}

// cacheKey returns the name of the directory in which a folder's repository is cached.
func cacheKey(f *Folder) string { return FolderID(cmp.Or(f.Repository, f.Path)) }

// cachePath returns the path of a folder's cache file.
func cachePath(stateDir string, f *Folder) string {
	return filepath.Join(stateDir, cacheDir, cacheKey(f), f.ID+".json")
}

// write updates a memory's file, or removes it if the memory is empty.
func (m *memory) write() error {
	if !m.dirty {
		return nil
	}
	m.dirty = false
	if len(m.items) == 0 {
		if err := os.Remove(m.file); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	data, err := m.encode()
	if err != nil {
		return err
	}
	return writeCache(m.file, data)
}

func (m *memory) encode() ([]byte, error) {
	c := cacheFile{cacheVersion, m.Path, m.Repository, m.Branch, m.Head, m.Main, m.Git, nil}
	for _, name := range slices.Sorted(maps.Keys(m.items)) {
		k := m.items[name]
		e := cacheThread{Name: name, At: k.item.Updated, Gone: k.goneSince, Fault: clip(text(k.item.Fault), maxTitle), Thread: k.item.Thread}
		e.Thread.Findings = canon.Findings{}
		c.Threads = append(c.Threads, e)
	}
	return json.Marshal(c)
}

var errCache = errors.New("threads: no cache")

// goneMember is in a file only if something is gone: within a string its quotes would be
// escaped.
const goneMember = `"gone":`

// readCache reads a cache file. Unless all is set, it returns errCache if nothing in the file
// is gone.
func readCache(path string, all bool) (*memory, error) {
	root, err := disk.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data, _, err := root.ReadRegular(filepath.Base(path), maxCacheFile)
	if err != nil {
		return nil, err
	}
	if !all && !bytes.Contains(data, []byte(goneMember)) {
		return nil, errCache
	}
	m, err := decodeCache(data)
	if err == nil {
		m.file = path
	}
	return m, err
}

// decodeCache returns errCache if the file is damaged.
func decodeCache(data []byte) (*memory, error) {
	var c cacheFile
	if len(data) > maxCacheFile || json.Unmarshal(data, &c) != nil || c.Version != cacheVersion || !filepath.IsAbs(c.Path) || len(c.Threads) > maxThreads {
		return nil, errCache
	}
	m := &memory{items: make(map[string]*remembered), Folder: Folder{
		ID: FolderID(c.Path), Path: c.Path, Repository: c.Repository,
		Branch: clip(c.Branch, maxField), Head: clip(c.Head, maxField), Main: c.Main, Git: c.Git,
	}}
	for i := range c.Threads {
		if e := &c.Threads[i]; safeName(e.Name) {
			m.items[e.Name] = &remembered{item: e.item(m.ID), goneSince: e.Gone}
		}
	}
	return m, nil
}

func (e *cacheThread) item(folder string) *Item {
	item := &Item{Folder: folder, Name: e.Name, Updated: e.At}
	if e.Fault != "" {
		item.Fault = errors.New(clip(e.Fault, maxTitle))
		return item
	}
	// Only threads of a readable version are cached.
	e.Thread.Version, _ = atsf.ParseVersion(e.Thread.Version.String())
	item.Thread = small(&e.Thread)
	if err := e.Thread.CheckDir(e.Name); err != nil {
		errors.As(err, &item.Odd)
	}
	return item
}

// writeCache replaces a cache file if its content differs. Several processes may do so: the
// last one wins, and no reader sees a partial file.
func writeCache(path string, data []byte) error {
	root, err := disk.Disk{}.MakeRoot(filepath.Dir(path), disk.PrivateDir)
	if err != nil {
		return fmt.Errorf("threads: cache: %w", err)
	}
	defer root.Close()
	name := filepath.Base(path)
	if old, _, err := root.ReadRegular(name, maxCacheFile); err == nil && bytes.Equal(old, data) {
		return nil
	}
	whole := disk.Whole{Root: root, Private: true, Cache: true}
	if err := whole.Replace(name, data); err != nil {
		return fmt.Errorf("threads: cache: %w", err)
	}
	return nil
}

// prune removes the cache of repositories that have not been opened for a long time, and the
// remains of interrupted writes. keep names the open repositories.
func prune(stateDir string, keep map[string]bool, now time.Time) error {
	top := filepath.Join(stateDir, cacheDir)
	repositories, err := os.ReadDir(top)
	if err != nil {
		return err
	}
	for _, r := range repositories {
		root, err := disk.OpenRoot(filepath.Join(top, r.Name()))
		if err != nil {
			continue
		}
		root.SweepAll("")
		for _, name := range root.Names() {
			info, err := root.Lstat(name)
			if err == nil && info.Mode().IsRegular() && !keep[r.Name()] && now.Sub(info.ModTime()) > forgetAfter {
				_ = root.Remove(name)
			}
		}
		root.Close()
		// This removes the directory only if it is empty, as intended.
		_ = os.Remove(filepath.Join(top, r.Name()))
	}
	return nil
}
