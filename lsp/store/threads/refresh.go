package threads

import (
	"context"
)

// refreshSome looks at single threads.
func (s *state) refreshSome(ctx context.Context, threads map[Key]bool) (Change, error) {
	var c Change
	for k := range threads {
		if f := s.folders[k.Folder]; f != nil {
			if err := s.refreshThread(f, k.Name, &c); err != nil {
				return s.refresh(ctx)
			}
		}
	}
	return c, ctx.Err()
}

// refreshThread looks at one thread.
func (s *state) refreshThread(f *folderState, name string, c *Change) error {
	if !listable(name) {
		return nil
	}
	d, err := Open(f.Path)
	if err != nil {
		return err
	}
	defer d.Close()
	in, err := d.openTree()
	if err != nil {
		return err
	}
	defer in.Close()
	if f.records == nil {
		f.records = make(map[string]*record)
	}
	if f.begun == nil {
		f.begun = make(map[string]bool)
	}
	old := f.records[name]
	var now *record
	delete(f.begun, name)
	if i, err := in.Stat(name); err == nil && i.Kind.IsDir() {
		if now = look(f.ID, in, name, old); now == nil && len(f.begun) < maxBegun {
			f.begun[name] = true
		}
	}
	if now == old || now == nil && old.item.Gone {
		return nil
	}
	before, after := map[string]*record{}, map[string]*record{}
	if old != nil {
		before[name] = old
	}
	delete(f.records, name)
	if now != nil {
		after[name] = now
		f.records[name] = now
	}
	if c.differ(f.ID, before, after) {
		f.dirty = true
		f.lose(before, after)
	}
	if n := len(f.records); n != f.Threads {
		f.Threads, c.Folders = n, true
	}
	return nil
}
