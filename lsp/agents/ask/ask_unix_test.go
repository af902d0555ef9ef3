//go:build unix

package ask_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
)

// TestRefusedUnix is TestRefused for what only these systems have.
func TestRefusedUnix(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, path string) (fault string){
		"link": func(t *testing.T, path string) string {
			real := filepath.Join(t.TempDir(), "real")
			mustDo(t, errors.Join(os.Rename(path, real), os.Symlink(real, path)))
			return "is a symbolic link"
		},
		"second name": func(t *testing.T, path string) string {
			mustDo(t, os.Link(path, filepath.Join(t.TempDir(), "other")))
			return "has a second name"
		},
		"for a group": func(t *testing.T, path string) string {
			mustDo(t, os.Chmod(path, 0o660))
			return "may be used by others: its mode is 0660"
		},
		"FIFO": func(t *testing.T, path string) string {
			mustDo(t, os.Remove(path))
			disktest.FIFO(t, path)
			return "is a FIFO"
		},
		"device": func(t *testing.T, path string) string {
			mustDo(t, errors.Join(os.Remove(path), os.Symlink("/dev/zero", path)))
			return "is a symbolic link"
		},
	} {
		t.Run(name, func(t *testing.T) { refused(t, spoil) })
	}
}

// TestForgedUnix is TestForged for what only these systems have: the answer itself is right.
func TestForgedUnix(t *testing.T) {
	for name, lay := range map[string]func(t *testing.T, path string, data []byte){
		"link": func(t *testing.T, path string, data []byte) {
			real := filepath.Join(t.TempDir(), "real")
			mustDo(t, errors.Join(os.WriteFile(real, data, 0o600), os.Symlink(real, path)))
		},
		"second name": func(t *testing.T, path string, data []byte) {
			mustDo(t, errors.Join(os.WriteFile(path, data, 0o600), os.Link(path, filepath.Join(t.TempDir(), "other"))))
		},
		"for others": func(t *testing.T, path string, data []byte) {
			mustDo(t, errors.Join(os.WriteFile(path, data, 0o600), os.Chmod(path, 0o604)))
		},
		"FIFO":   func(t *testing.T, path string, _ []byte) { disktest.FIFO(t, path) },
		"device": func(t *testing.T, path string, _ []byte) { mustDo(t, os.Symlink("/dev/zero", path)) },
		"folder": func(t *testing.T, path string, _ []byte) { mustDo(t, os.Mkdir(path, 0o700)) },
	} {
		t.Run(name, func(t *testing.T) {
			f := ask.At(t.TempDir())
			w := put(t, f, request(touch))
			data, err := json.Marshal(allow(w))
			mustDo(t, err)
			lay(t, filepath.Join(f.Path, w.ID+".answer"), data)
			if a, ok := w.Wait(t.Context()); ok {
				t.Errorf("it counts: %+v", a)
			}
		})
	}
}

// TestSharedFolder takes nothing from a folder that others may write to, and writes nothing
// there.
func TestSharedFolder(t *testing.T) {
	f := ask.At(t.TempDir())
	w := put(t, f, request(touch))
	mustDo(t, os.Chmod(f.Path, 0o770))
	nothingTaken(t, f, w, "may be used by others")
}

// TestSpoiledFolder is TestSharedFolder for a link or a file in the folder's place.
func TestSpoiledFolder(t *testing.T) {
	for name, c := range map[string]struct {
		fault string
		spoil func(path string) error
	}{
		"link": {"is a link", func(path string) error {
			return errors.Join(os.Rename(path, path+"2"), os.Symlink(path+"2", path))
		}},
		"file": {"not a directory", func(path string) error {
			return errors.Join(os.RemoveAll(path), os.WriteFile(path, nil, 0o600))
		}},
		"device": {"not a directory", func(path string) error {
			return errors.Join(os.RemoveAll(path), os.Symlink("/dev/zero", path))
		}},
		"FIFO": {"not a directory", func(path string) error {
			err := os.RemoveAll(path)
			disktest.FIFO(t, path)
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			f := ask.At(t.TempDir())
			w := put(t, f, request(touch))
			mustDo(t, c.spoil(f.Path))
			nothingTaken(t, f, w, c.fault)
		})
	}
}

func nothingTaken(t *testing.T, f ask.Folder, w *ask.Waiting, fault string) {
	t.Helper()
	if list, errs := f.List(); len(list) > 0 || len(errs) != 1 || !strings.Contains(errs[0].Error(), fault) {
		t.Errorf("%+v, %v", list, errs)
	}
	if err := f.Answer(t.Context(), allow(w)); err == nil {
		t.Error("it was answered")
	}
	if _, err := f.Put(t.Context(), request(`{}`)); err == nil {
		t.Error("another one waits")
	}
	if a, ok := w.Wait(t.Context()); ok {
		t.Errorf("it was answered: %+v", a)
	}
}
