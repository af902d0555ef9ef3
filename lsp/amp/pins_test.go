package amp

import (
	"crypto/ed25519"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
)

// testKey returns a key made from a number.
func testKey(n byte) amp.Key {
	seed := make([]byte, ed25519.SeedSize)
	seed[0] = n
	return amp.NewKey([32]byte(ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)))
}

func openPins(t testing.TB, path string) *Pins {
	t.Helper()
	p := PinsAt(path)
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	return p
}

func parsed(t testing.TB, s string) amp.Address {
	t.Helper()
	a, ok := amp.ParseAddress(s)
	if !ok {
		t.Fatalf("%q is no address", s)
	}
	return a
}

// TestPins pins at first sight, replaces and forgets only on request. Another process sees it
// at once.
func TestPins(t *testing.T) {
	path := filepath.Join(t.TempDir(), "amp", "keys.json")
	p, other := openPins(t, path), openPins(t, path)
	bob := parsed(t, "bob@acme.example")
	pin := Pin{Address: "Bob@ACME.example", Key: testKey(1), First: 1000, Source: "amp keys add"}
	if added, err := p.Add(t.Context(), pin); err != nil || !added {
		t.Fatalf("%v %v", added, err)
	}
	if added, err := other.Add(t.Context(), pin); err != nil || added {
		t.Errorf("again: %v %v", added, err)
	}
	got, ok := other.For(parsed(t, "BOB@acme.example"))
	if !ok || got.Address != "bob@acme.example" || got.Key.Fingerprint() != testKey(1).Fingerprint() || got.First != 1000 || got.Source != pin.Source {
		t.Errorf("%+v", got)
	}
	changed := pin
	changed.Key = testKey(2)
	_, err := p.Add(t.Context(), changed)
	alarm, ok := errors.AsType[*PinnedError](err)
	if !ok || alarm.Pinned.Key.Fingerprint() != testKey(1).Fingerprint() || alarm.Now.Fingerprint() != testKey(2).Fingerprint() || !strings.Contains(err.Error(), testKey(2).Fingerprint()) {
		t.Errorf("a change is an alarm: %v", err)
	}
	if got, _ := p.For(bob); got.Key.Fingerprint() != testKey(1).Fingerprint() {
		t.Error("it was replaced")
	}
	if err := other.Replace(t.Context(), changed); err != nil {
		t.Fatal(err)
	}
	if got, _ := p.For(bob); got.Key.Fingerprint() != testKey(2).Fingerprint() {
		t.Error("the change of another process was not seen")
	}
	if list := p.List(); len(list) != 1 {
		t.Errorf("%v", list)
	}
	if err := p.Remove(t.Context(), bob); err != nil {
		t.Fatal(err)
	}
	if err := p.Remove(t.Context(), bob); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("removed twice: %v", err)
	}
	if _, ok := other.For(bob); ok {
		t.Error("it is not forgotten")
	}
	for _, bad := range []Pin{{Address: "bob", Key: testKey(1)}, {Address: "bob@acme.example"}} {
		if _, err := p.Add(t.Context(), bad); err == nil {
			t.Errorf("%+v was added", bad)
		}
		if err := p.Replace(t.Context(), bad); err == nil {
			t.Errorf("%+v was added", bad)
		}
	}
	modes(t, filepath.Dir(path))
	if list, _ := os.ReadDir(filepath.Dir(path)); len(list) != 1 {
		t.Errorf("left behind: %v", list)
	}
}

// TestPinsDamaged neither forgets nor overwrites what it cannot read.
func TestPinsDamaged(t *testing.T) {
	good := string(formatPins([]Pin{{Address: "bob@acme.example", Key: testKey(1), First: 1}}))
	for name, text := range map[string]string{
		"empty":            "",
		"half":             good[:len(good)/2],
		"another version":  strings.Replace(good, `"version": 1`, `"version": 2`, 1),
		"no address":       strings.Replace(good, "bob@acme.example", "../bob", 1),
		"no key":           strings.Replace(good, "PUBLIC KEY", "SECRET KEY", 1),
		"a private key":    strings.ReplaceAll(good, "PUBLIC KEY", "PRIVATE KEY"),
		"two of one":       string(formatPins([]Pin{{Address: "a@b.c", Key: testKey(1)}, {Address: "a@b.c", Key: testKey(2)}})),
		"something behind": good + "x",
		"too long":         good + strings.Repeat(" ", maxPins),
	} {
		path := filepath.Join(t.TempDir(), "keys.json")
		if err := os.WriteFile(path, []byte(good), 0o600); err != nil {
			t.Fatal(err)
		}
		p := openPins(t, path)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := PinsAt(path).Err(); err == nil || !strings.HasPrefix(err.Error(), "mailbox: known keys in ") {
			t.Errorf("%s: %v", name, err)
		}
		if _, ok := p.For(parsed(t, "bob@acme.example")); !ok {
			t.Errorf("%s: the keys were forgotten", name)
		}
		if _, err := p.Add(t.Context(), Pin{Address: "eve@acme.example", Key: testKey(3)}); err == nil {
			t.Errorf("%s: written", name)
		}
		if data, _ := os.ReadFile(path); string(data) != text {
			t.Errorf("%s: overwritten", name)
		}
	}
	path := filepath.Join(t.TempDir(), "keys.json")
	if err := errors.Join(os.WriteFile(path+".other", []byte(good), 0o600), os.Symlink(path+".other", path)); err != nil {
		t.Fatal(err)
	}
	if err := PinsAt(path).Err(); err == nil {
		t.Error("a link was followed")
	}
}

// TestPinsAtOnce: several processes write at once, and nothing is lost.
func TestPinsAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	var wg sync.WaitGroup
	for i := range 8 {
		p := openPins(t, path)
		wg.Go(func() {
			for j := range 5 {
				addr := string(rune('a'+i)) + string(rune('a'+j)) + "@acme.example"
				if _, err := p.Add(t.Context(), Pin{Address: addr, Key: testKey(byte(i))}); err != nil {
					t.Error(err)
				}
				p.List()
			}
		})
	}
	wg.Wait()
	if n := len(openPins(t, path).List()); n != 40 {
		t.Errorf("%d of 40", n)
	}
}

// TestPinsFull fails at each step of a write: the keys are those before or after.
func TestPinsFull(t *testing.T) {
	for stop := 1; ; stop++ {
		path := filepath.Join(t.TempDir(), "keys.json")
		p := openPins(t, path)
		if _, err := p.Add(t.Context(), Pin{Address: "a@b.c", Key: testKey(1)}); err != nil {
			t.Fatal(err)
		}
		n, at, renamed := 0, disk.Op(""), false
		p.file.Disk.Layer = disktest.Before(func(c *disk.Change) error {
			if !disktest.Unfinished(c) && !(renamed && c.Op == disk.OpSyncDir) {
				return nil
			}
			renamed = c.Op == disk.OpRename
			if n++; n == stop {
				at = c.Op
				return syscall.ENOSPC
			}
			return nil
		})
		added, err := p.Add(t.Context(), Pin{Address: "b@b.c", Key: testKey(2)})
		if at == "" {
			if err != nil || stop < 5 {
				t.Fatalf("%d steps: %v", stop, err)
			}
			return
		}
		want := 1
		if at == disk.OpSyncDir {
			want = 2
		}
		if added || err == nil || len(p.List()) != want || len(openPins(t, path).List()) != want {
			t.Errorf("%s: %v %v %v", at, added, err, p.List())
		}
	}
}

// TestPinNew pins the keys of mailboxes, and gives an alarm for one that changed.
func TestPinNew(t *testing.T) {
	p := openPins(t, filepath.Join(t.TempDir(), "amp", "keys.json"))
	now := time.UnixMilli(5000)
	a, b := parsed(t, "a@acme.example"), parsed(t, "b@acme.example")
	boxes := []*Mailbox{
		{Path: "/x/a", Addresses: []amp.Address{a}, Key: testKey(1)},
		{Path: "/x/none", Addresses: []amp.Address{parsed(t, "none@acme.example")}},
	}
	notice := func(write bool) []Alarm {
		t.Helper()
		list, err := p.PinNew(t.Context(), boxes, now, write)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	if list := notice(false); len(list) > 0 || len(p.List()) > 0 {
		t.Errorf("%v %v", list, p.List())
	}
	if _, err := os.Stat(filepath.Dir(p.file.Path())); err == nil {
		t.Error("something was written")
	}
	if list := notice(true); len(list) > 0 || len(p.List()) != 1 {
		t.Errorf("%v %v", list, p.List())
	}
	if pin, _ := p.For(a); pin.First != 5000 || pin.Source != "mailbox on this machine" {
		t.Errorf("%+v", pin)
	}
	boxes[0] = &Mailbox{Path: "/x/a", Addresses: []amp.Address{a}, Key: testKey(2)}
	for _, write := range []bool{false, true} {
		list := notice(write)
		if len(list) != 1 || list[0].Address != "a@acme.example" || list[0].Where != "/x/a" ||
			list[0].Pinned.Key.Fingerprint() != testKey(1).Fingerprint() || list[0].Now.Fingerprint() != testKey(2).Fingerprint() {
			t.Errorf("a changed key: %+v", list)
		}
	}
	// If two mailboxes claim one address, their order proves nothing.
	boxes = []*Mailbox{
		{Path: "/x/b", Addresses: []amp.Address{b}, Key: testKey(1)},
		{Path: "/x/c", Addresses: []amp.Address{b}, Key: testKey(2)},
	}
	if list := notice(true); len(list) != 1 || list[0].Where != "/x/c" || list[0].Pinned.Address != "" {
		t.Errorf("%+v", list)
	}
	if _, ok := p.For(b); ok {
		t.Error("one of two was pinned")
	}
	// Nor does a mailbox without a key, which may not have written it yet.
	for i := range boxes {
		box := *boxes[i]
		boxes[i] = &Mailbox{Path: box.Path, Addresses: box.Addresses}
		notice(true)
		if _, ok := p.For(b); ok {
			t.Errorf("the one of two that has a key was pinned, the other being %s", box.Path)
		}
		boxes[i] = &box
	}
}

// TestPinsCost asks for a key often without reading the file each time.
func TestPinsCost(t *testing.T) {
	p := openPins(t, filepath.Join(t.TempDir(), "keys.json"))
	addr := parsed(t, "a@b.c")
	if _, err := p.Add(t.Context(), Pin{Address: "a@b.c", Key: testKey(1)}); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { p.For(addr) }); n > 20 && runtime.GOOS != "windows" {
		t.Errorf("a look takes %v allocations", n)
	}
}

// FuzzPins reads any file of keys, and writes what it read unchanged.
func FuzzPins(f *testing.F) {
	f.Add(formatPins([]Pin{{Address: "bob@acme.example", Key: testKey(1), First: 1, Source: "x"}, {Address: "a@b.c", Key: testKey(2)}}))
	f.Add([]byte(`{"version":1,"keys":[]}`))
	f.Add([]byte(`{"version":1,"keys":[{"address":"a@b","key":""}]}`))
	f.Add([]byte(`{"version":2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := parsePins(data)
		if err != nil {
			return
		}
		again, err := parsePins(formatPins(list))
		if diff := cmp.Diff(list, again, cmp.Transformer("key", amp.Key.Fingerprint), cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
	})
}
