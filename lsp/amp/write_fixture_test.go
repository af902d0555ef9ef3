package amp

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// writeFixture is a root with the mailboxes of alice and bob to write to.
type writeFixture struct {
	t    testing.TB
	root string
	now  time.Time
	// hook is called before each change of the disk, and can fail it.
	hook func(c *disk.Change) error
}

// Do is the layer of whatever is opened.
func (d *writeFixture) Do(c *disk.Change, do func() error) error {
	if d.hook != nil && c.Op != disk.OpOpen {
		if err := d.hook(c); err != nil {
			return err
		}
	}
	return do()
}

func newWriteFixture(t testing.TB) *writeFixture {
	t.Helper()
	d := &writeFixture{t: t, root: filepath.Join(t.TempDir(), "root"), now: time.UnixMilli(1_795_249_958_000)}
	for _, name := range []string{"alice", "bob"} {
		d.init(InitConfig{Name: name})
	}
	return d
}

// copy returns another fixture with the same content, in less time than making it takes.
func (d *writeFixture) copy() *writeFixture {
	d.t.Helper()
	c := &writeFixture{t: d.t, root: filepath.Join(d.t.TempDir(), "root"), now: d.now}
	if err := errors.Join(os.CopyFS(c.root, os.DirFS(d.root)), os.Chmod(c.root, 0o700)); err != nil {
		d.t.Fatal(err)
	}
	return c
}

func (d *writeFixture) init(cfg InitConfig) *Mailbox {
	d.t.Helper()
	cfg.Root, cfg.Now, cfg.disk = d.root, d.now, disk.Disk{Layer: d}
	m, err := Init(d.t.Context(), cfg)
	if err != nil {
		d.t.Fatal(err)
	}
	return m
}

// box opens a mailbox by its agent.
func (d *writeFixture) box(name string) *Box {
	d.t.Helper()
	b, err := openOn(disk.Disk{Layer: d}, d.root, "agents/"+name)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { b.Close() })
	return b
}

func (d *writeFixture) snap() *Snapshot {
	d.t.Helper()
	s, err := Scan(d.t.Context(), d.root)
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

// address returns the address of an agent of the fixture.
func address(name string) string { return name + "@" + defaultDomain }

// letter is one to bob.
func letter(text string, files ...string) Letter {
	return Letter{To: address("bob"), Subject: "Grüße", Text: text, Files: files}
}

func (d *writeFixture) prepare(from string, l Letter) (*Box, *Prepared) {
	d.t.Helper()
	b := d.box(from)
	p, err := b.Prepare(d.t.Context(), d.snap(), l, NewStamp(d.now))
	if err != nil {
		d.t.Fatal(err)
	}
	return b, p
}

func (d *writeFixture) send(from string, l Letter) Delivered {
	d.t.Helper()
	b, p := d.prepare(from, l)
	got, err := b.Send(d.t.Context(), p, d.now)
	if err != nil {
		d.t.Fatal(err)
	}
	return got
}

// file is the path of a file of the root.
func (d *writeFixture) file(name string) string {
	return filepath.Join(d.root, filepath.FromSlash(name))
}

// put writes a file of the root, whole.
func (d *writeFixture) put(name, text string) string {
	d.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(d.file(name)), 0o700), os.WriteFile(d.file(name), []byte(text), 0o600)); err != nil {
		d.t.Fatal(err)
	}
	return d.file(name)
}

// has reads a file of the root that is there.
func (d *writeFixture) has(name string) string {
	d.t.Helper()
	data, err := os.ReadFile(d.file(name))
	if err != nil {
		d.t.Fatal(err)
	}
	return string(data)
}

// gone fails if there is anything with a name.
func (d *writeFixture) gone(name string) {
	d.t.Helper()
	if _, err := os.Lstat(d.file(name)); !errors.Is(err, fs.ErrNotExist) {
		d.t.Errorf("%s is there: %v", name, err)
	}
}

// message reads a message by its key.
func (d *writeFixture) message(key string) amp.Message {
	d.t.Helper()
	msg, err := amp.ParseMessage([]byte(d.has(key)))
	if err != nil {
		d.t.Fatal(err)
	}
	return msg
}

// filesLeft lists the files of the root, sorted.
func (d *writeFixture) filesLeft() (list []string) {
	d.t.Helper()
	err := filepath.WalkDir(d.root, func(p string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			rel, _ := filepath.Rel(d.root, p)
			list = append(list, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

// seen returns what a reader that does not know this package finds: every file with its
// content, except those in hidden folders or with hidden names.
func (d *writeFixture) seen() map[string]string {
	d.t.Helper()
	all := map[string]string{}
	for _, name := range d.filesLeft() {
		if !strings.Contains("/"+name, "/.") {
			all[name] = d.has(name)
		}
	}
	return all
}

// tidy fails if anything unfinished is left.
func (d *writeFixture) tidy(when string) {
	d.t.Helper()
	for _, name := range d.filesLeft() {
		if strings.Contains("/"+name, "/.") {
			d.t.Errorf("%s: left behind: %s", when, name)
		}
	}
}

// ruleOf is the rule of a fault, or "".
func ruleOf(err error) string {
	if bad, ok := errors.AsType[*canon.Fault](err); ok {
		return bad.Rule
	}
	if bad, ok := errors.AsType[*FileError](err); ok {
		return bad.Rule
	}
	return ""
}

// modesCount reports whether files have modes.
func modesCount() bool { return runtime.GOOS != "windows" }

// modes fails unless only the owner can read a tree.
func modes(t testing.TB, root string) {
	t.Helper()
	if !modesCount() {
		return // it has other rights, which no mode tells
	}
	err := filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		want := disk.PrivateFile
		if e.IsDir() {
			want = disk.PrivateDir
		}
		if err == nil && info.Mode().Perm() != want {
			t.Errorf("%s has the mode %o", p, info.Mode().Perm())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// object reads JSON.
func object(t testing.TB, text string) (o map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	return o
}
