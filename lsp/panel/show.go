package panel

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// openedKept is how long a file that Show wrote is kept.
const openedKept = 24 * time.Hour

// Show writes a text to a file that only the user can read and returns its absolute
// path. It is for editors that open only files. name is the file's name, without
// folders. Each text has a folder of its own, so that a window with an earlier text
// keeps showing that one. Files older than a day are removed. An error has kind
// StoreUnavailable.
func (p *Panels) Show(_ context.Context, name, text string) (string, error) {
	dir, err := openedFolder(filepath.Join(p.opt.Env.StateDir(), "shown"), p.opt.Now())
	path := filepath.Join(dir, name)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	if err != nil {
		return "", &Error{Kind: StoreUnavailable, Message: "show: " + show.Line(err.Error()), Detail: "show"}
	}
	return path, nil
}

// openedFolder makes a new private folder below dir and returns its path. It removes
// old folders first.
func openedFolder(dir string, now time.Time) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	sweepOpened(dir, now)
	dir = filepath.Join(dir, rand.Text())
	return dir, os.Mkdir(dir, 0o700)
}

// sweepOpened removes the folders below dir that are older than openedKept.
func sweepOpened(dir string, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > openedKept {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}
