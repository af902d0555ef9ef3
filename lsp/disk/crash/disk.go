// Package crash tests stores against disks that fail and machines that stop: at each
// change of the disk the process is killed, the power fails, or the disk is full.
//
// Start with [Scenario]: the steps, and the check that must pass after them.
package crash

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// node is a file or a folder.
type node struct {
	mode fs.FileMode
	// names are the children of a folder that every process sees. durable are the children
	// that survive a power cut.
	names, durable map[string]*node
	// data is the content of a file that every process reads. base is the content that
	// survives a power cut, and pending holds the edits since then, in order.
	data, base []byte
	pending    []edit
	// lost is the number of pending edits that failed to reach the disk. They are not tried
	// again.
	lost int
}

// edit is a write to a file, or a truncation where data is nil.
type edit struct {
	at   int64
	data []byte
}

func (e edit) apply(to []byte) []byte {
	if e.data == nil {
		return grow(to, e.at)[:e.at]
	}
	end := e.at + int64(len(e.data))
	to = grow(to, end)
	copy(to[e.at:], e.data)
	return to
}

// grow fills b with zeros up to a size, as a file system does when a later write arrived
// first.
func grow(b []byte, size int64) []byte {
	if int64(len(b)) < size {
		b = append(b, make([]byte, size-int64(len(b)))...)
	}
	return b
}

func (n *node) folder() bool { return n.names != nil }

// location is a name in a folder.
type location struct {
	in   *node
	name string
}

// renaming is a change of names that is not on the disk yet. A nil node removes the name.
// After a power cut the change is there completely or not at all.
type renaming struct {
	set []struct {
		location
		is *node
	}
}

func (r *renaming) put(in *node, name string, is *node) {
	r.set = append(r.set, struct {
		location
		is *node
	}{location{in, name}, is})
}

func (r *renaming) persist() {
	for _, s := range r.set {
		if s.is == nil {
			delete(s.in.durable, s.name)
		} else {
			s.in.durable[s.name] = s.is
		}
	}
}

// Disk tracks which content of a folder survives a power cut: data that was synced, and names
// in folders that were synced afterwards. [Disk.Note] records each change. Disk is not safe
// for concurrent use.
type Disk struct {
	path  string
	root  *node
	names []*renaming
	// open holds the opened files. A file may have lost its name since it was opened.
	open map[*disk.File]*node
}

// Scan returns a disk on which everything in a folder survives a power cut.
func Scan(path string) (*Disk, error) {
	root, err := scan(path)
	return &Disk{path: path, root: root, open: map[*disk.File]*node{}}, err
}

func scan(path string) (*node, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	n := &node{mode: info.Mode()}
	if !info.IsDir() {
		n.data, err = os.ReadFile(path)
		n.base = slices.Clone(n.data)
		return n, err
	}
	n.names, n.durable = map[string]*node{}, map[string]*node{}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		child, err := scan(filepath.Join(path, e.Name()))
		if err != nil {
			return nil, err
		}
		n.names[e.Name()], n.durable[e.Name()] = child, child
	}
	return n, nil
}

// at returns the location of a path.
func (d *Disk) at(path string) (location, error) {
	rel, err := filepath.Rel(d.path, path)
	if err != nil {
		return location{}, err
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	in := d.root
	for _, p := range parts[:len(parts)-1] {
		if in = in.names[p]; in == nil || !in.folder() {
			return location{}, fmt.Errorf("crash: %s is in no folder that is known", path)
		}
	}
	return location{in, parts[len(parts)-1]}, nil
}

func (d *Disk) node(path string) (*node, error) {
	if path == d.path {
		return d.root, nil
	}
	s, err := d.at(path)
	if err != nil {
		return nil, err
	}
	if n := s.in.names[s.name]; n != nil {
		return n, nil
	}
	return nil, fmt.Errorf("crash: %s is not known", path)
}

// rename changes names for every process.
func (d *Disk) rename(r *renaming) {
	for _, s := range r.set {
		if s.is == nil {
			delete(s.in.names, s.name)
		} else {
			s.in.names[s.name] = s.is
		}
	}
	d.names = append(d.names, r)
}

// Note records a change that was made.
func (d *Disk) Note(c *disk.Change) error {
	switch c.Op {
	case disk.OpOpen:
		n, err := d.node(c.Path)
		d.open[c.File] = n
		return err
	case disk.OpWrite, disk.OpTruncate, disk.OpSync:
		return d.open[c.File].note(c)
	case disk.OpSyncDir:
		n, err := d.node(c.Path)
		if err == nil {
			d.syncFolder(n)
		}
		return err
	}
	from, err := d.at(c.Path)
	if err != nil {
		return err
	}
	r := &renaming{}
	switch c.Op {
	case disk.OpCreate:
		if there := from.in.names[from.name]; there != nil {
			d.open[c.File] = there // another process was quicker
			return nil
		}
		n := &node{mode: 0o600}
		d.open[c.File] = n
		r.put(from.in, from.name, n)
	case disk.OpMkdir:
		r.put(from.in, from.name, &node{mode: 0o700 | fs.ModeDir, names: map[string]*node{}, durable: map[string]*node{}})
	case disk.OpRemove, disk.OpRemoveAll:
		r.put(from.in, from.name, nil)
	case disk.OpRename, disk.OpLink:
		to, err := d.at(c.To)
		if err != nil {
			return err
		}
		what := from.in.names[from.name]
		if what == nil {
			return fmt.Errorf("crash: %s is not known", c.Path)
		}
		if to.in.names[to.name] == what {
			return nil // two names of one file: the system does nothing
		}
		if c.Op == disk.OpRename {
			r.put(from.in, from.name, nil)
		}
		r.put(to.in, to.name, what)
	}
	d.rename(r)
	return nil
}

func (n *node) note(c *disk.Change) error {
	if n == nil {
		return fmt.Errorf("crash: %s is not known", c.Path)
	}
	if c.Op == disk.OpSync {
		// As on real systems, data that once failed to reach the disk is not tried again.
		// Processes still read it, though it may never be on the disk.
		for _, e := range n.pending[n.lost:] {
			n.base = e.apply(n.base)
		}
		n.pending = n.pending[:n.lost:n.lost]
		return nil
	}
	e := edit{at: c.At}
	if c.Op == disk.OpWrite {
		if e.at < 0 {
			e.at = int64(len(n.data))
		}
		e.data = slices.Clone(c.Data)
		if e.data == nil {
			e.data = []byte{}
		}
	} else if n.lost > 0 {
		// What was cut off cannot come back.
		n.pending, n.lost = slices.DeleteFunc(n.pending, func(p edit) bool { return p.at >= e.at }), 0
	}
	n.pending = append(n.pending, e)
	n.data = e.apply(slices.Clone(n.data))
	return nil
}

// syncFolder makes the names in a folder durable. A rename between two folders is certain only
// when both were synced, and so are later changes of its names.
func (d *Disk) syncFolder(n *node) {
	var rest []*renaming
	waits := map[location]bool{}
	for _, r := range d.names {
		mine, other := false, false
		for _, s := range r.set {
			mine = mine || s.in == n
			other = other || s.in != n || waits[s.location]
		}
		if mine && !other {
			r.persist()
			continue
		}
		if mine {
			// This folder's half is on the disk. So a file may be there twice.
			half, left := &renaming{}, &renaming{}
			for _, s := range r.set {
				if s.in == n && s.is != nil && !waits[s.location] {
					half.put(s.in, s.name, s.is)
				} else {
					left.put(s.in, s.name, s.is)
				}
			}
			half.persist()
			r = left
		}
		for _, s := range r.set {
			waits[s.location] = true
		}
		rest = append(rest, r)
	}
	d.names = rest
}

// Odds are the chances, from 0 to 1, that unsynced names and data survive a power cut.
type Odds struct{ Names, Data float64 }

// Cut replaces the content of the folder by what is left after a power cut.
func (d *Disk) Cut(rng *rand.Rand, odds Odds) error {
	gone := map[location]bool{}
	for _, r := range d.names {
		lost := rng.Float64() >= odds.Names
		for _, s := range r.set {
			lost = lost || gone[s.location]
		}
		if !lost {
			r.persist()
			continue
		}
		for _, s := range r.set {
			gone[s.location] = true
		}
	}
	d.names = nil
	done := map[*node]bool{}
	cut(d.root, rng, odds, done)
	return d.write()
}

// Compare returns an error if the folder was changed without the layer.
func (d *Disk) Compare() error {
	there, err := scan(d.path)
	if err != nil {
		return err
	}
	return d.root.compare(there, d.path)
}

func (n *node) compare(there *node, path string) error {
	if n.folder() != there.folder() || !slices.Equal(slices.Sorted(maps.Keys(n.names)), slices.Sorted(maps.Keys(there.names))) {
		return fmt.Errorf("crash: %s has %q, and the layer knows of %q", path, slices.Sorted(maps.Keys(there.names)), slices.Sorted(maps.Keys(n.names)))
	}
	if string(n.data) != string(there.data) {
		return fmt.Errorf("crash: %s has %d bytes that the layer does not know of: %.200q", path, len(there.data), there.data)
	}
	for name, child := range n.names {
		if err := child.compare(there.names[name], filepath.Join(path, name)); err != nil {
			return err
		}
	}
	return nil
}

func cut(n *node, rng *rand.Rand, odds Odds, done map[*node]bool) {
	if done[n] {
		return
	}
	done[n] = true
	if n.folder() {
		n.names = maps.Clone(n.durable)
		for _, name := range slices.Sorted(maps.Keys(n.names)) {
			cut(n.names[name], rng, odds, done)
		}
		return
	}
	for _, e := range n.pending {
		switch {
		case rng.Float64() >= odds.Data:
			continue
		case len(e.data) > 0 && rng.IntN(3) == 0:
			// The write was torn.
			e.data = e.data[:rng.IntN(len(e.data))]
		}
		n.base = e.apply(n.base)
	}
	n.pending, n.lost, n.data = nil, 0, slices.Clone(n.base)
}

// write replaces the content of the folder by the nodes of the disk.
func (d *Disk) write() error {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(d.path, e.Name())); err != nil {
			return err
		}
	}
	at := map[*node]string{}
	return d.root.write(d.path, at)
}

func (n *node) write(path string, at map[*node]string) error {
	if first, twice := at[n]; twice {
		return os.Link(first, path)
	}
	at[n] = path
	if !n.folder() {
		return os.WriteFile(path, n.data, n.mode.Perm())
	}
	if err := os.Mkdir(path, n.mode.Perm()); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(n.names)) {
		if err := n.names[name].write(filepath.Join(path, name), at); err != nil {
			return err
		}
	}
	return nil
}
