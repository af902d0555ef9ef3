package atsf

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
)

// FuzzCursor reads cursors that a client sends: what is taken is what was given
// out, and it leads to a line of the log or to an error of its own kind.
func FuzzCursor(f *testing.F) {
	log := strings.Join(manySaid(20), "\n") + "\nno json\n" + said("torn", "x")
	first := jsonl.Line{Raw: []byte(manySaid(1)[0])}
	for _, s := range []string{"", "-", "0-i0000000000000000", "7fffffffffffffff-r0000000000000000", "-1-i0000000000000000", cursorOf(&first).String()} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := parseCursor(s)
		if err == nil && c.String() != s {
			t.Fatalf("%q reads as %q", s, c)
		}
		for _, q := range []Query{{Before: s}, {After: s}} {
			if s == "" {
				continue
			}
			var p Page
			err := p.read(context.Background(), strings.NewReader(log), int64(len(log)), q)
			if err != nil && !errors.Is(err, ErrCursor) && !errors.Is(err, ErrRewritten) {
				t.Fatal(err)
			}
		}
	})
}

// FuzzCache reads files of the cache, which any program may have written: what
// is taken can be written and read again.
func FuzzCache(f *testing.F) {
	path := filepath.Join(string(filepath.Separator), "home", "dev", "shop")
	good, err := (&memory{Folder: Folder{Path: path, Repository: path, Branch: "main"}, items: map[string]*remembered{
		"a": {goneSince: 5, item: &Item{Name: "a", Updated: 1, Thread: atsf.Thread{ID: "b", Title: "T", Version: atsf.Version{Major: 1, Minor: 1}, Created: atsf.At(0)}}},
		"c": {item: &Item{Name: "c", Fault: errors.New("broken")}},
	}}).encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"version":2,"path":"/x","threads":[{"name":"../x"},{"name":"a","thread":{"Version":{"Major":7}}},{"name":"a"}]}`))
	f.Add([]byte(`{"version":2,"path":"relative"}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := decodeCache(data)
		if err != nil {
			if !errors.Is(err, errCache) {
				t.Fatal(err)
			}
			return
		}
		for name, k := range m.items {
			if !safeName(name) || k.item.Name != name || k.item.Folder != m.ID || k.item.Thread.Version.Major > 1 {
				t.Fatalf("%+v", k.item)
			}
		}
		again, err := m.encode()
		if err != nil {
			t.Fatal(err)
		}
		m2, err := decodeCache(again)
		if err != nil || m2.ID != m.ID || m2.lastGone() != m.lastGone() || len(m2.items) != len(m.items) {
			t.Fatalf("%v: %+v", err, m2)
		}
		for name, k := range m.items {
			if !sameItem(k.item, m2.items[name].item) {
				t.Fatalf("%+v\n%+v", k.item, m2.items[name].item)
			}
		}
	})
}

// FuzzPage reads logs page by page and compares with the plain reading.
func FuzzPage(f *testing.F) {
	f.Add([]byte(""), 1)
	f.Add([]byte("\n \n\t\r\n"), 3)
	f.Add([]byte(strings.Join(manySaid(9), "\n")+"\nno json\n\n[]\n{\"id\":\"torn"), 2)
	f.Add(bytes.Repeat([]byte("{}\n"), 50), 7)
	f.Add([]byte("{\"id\":\"a\"}\n{\"id\":\"a\"}\n\xff\n"), 1)
	f.Fuzz(func(t *testing.T, data []byte, limit int) {
		if len(data) > 4096 {
			// Each page counts the lines before it.
			return
		}
		sameAsPlain(t, data, 1+int(uint(limit)%50))
	})
}
