package thread

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/panel/view"
)

// OpenAttachment checks a file that came with a message and returns a private copy of
// it for the editor to show.
func (t Threads) OpenAttachment(ctx context.Context, q panel.AttachmentParams) (panel.AttachmentFile, error) {
	dir, err := openedFolder(filepath.Join(t.Options.Env.StateDir(), "amp", "opened"), t.Options.Now())
	if err != nil {
		return panel.AttachmentFile{}, &panel.Error{Kind: panel.StoreUnavailable, Message: "open: " + show.Line(err.Error()), Retryable: true, Err: err}
	}
	file, err := t.takeAttachment(ctx, q, func(name string) string { return filepath.Join(dir, name) })
	if err != nil {
		_ = os.RemoveAll(dir)
	}
	return file, err
}

// SaveAttachment checks a file that came with a message and writes it to the absolute
// path that the user chose. Nothing may exist at that path yet.
func (t Threads) SaveAttachment(ctx context.Context, q panel.SaveParams) (panel.AttachmentFile, error) {
	if err := t.Trusted("saved"); err != nil {
		return panel.AttachmentFile{}, err
	}
	if !filepath.IsAbs(q.Path) {
		return panel.AttachmentFile{}, &panel.Error{Kind: panel.Malformed, Message: "the path is not absolute", Detail: "path"}
	}
	return t.takeAttachment(ctx, q.AttachmentParams, func(string) string { return filepath.Clean(q.Path) })
}

func (t Threads) takeAttachment(ctx context.Context, q panel.AttachmentParams, dest func(name string) string) (panel.AttachmentFile, error) {
	v, err := view.Serving[panel.Signed](ctx, t.Sources, q.Ref)
	if err != nil {
		return panel.AttachmentFile{}, &panel.Error{Kind: panel.Unsupported, Message: "only signed mail has attachments"}
	}
	return v.Attachment(ctx, q, dest)
}

// openedAge is the age at which opened attachments and shown texts are removed.
const openedAge = 24 * time.Hour

// Show writes a text to a file that only the user can read and returns its absolute
// path. It is for editors that open only files. name is the file's name, without
// folders. Each text has a folder of its own, so that a window with an earlier text
// still shows that text. Files older than a day are removed. An error has kind
// StoreUnavailable.
func (t Threads) Show(_ context.Context, name, text string) (string, error) {
	dir, err := openedFolder(filepath.Join(t.Options.Env.StateDir(), "shown"), t.Options.Now())
	path := filepath.Join(dir, name)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	if err != nil {
		return "", &panel.Error{Kind: panel.StoreUnavailable, Message: "show: " + show.Line(err.Error()), Detail: "show"}
	}
	return path, nil
}

// openedFolder makes a new private folder below dir and returns its path. It removes
// old folders first.
func openedFolder(dir string, now time.Time) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	removeOpened(dir, now)
	dir = filepath.Join(dir, rand.Text())
	return dir, os.Mkdir(dir, 0o700)
}

// removeOpened removes the folders below dir that are older than openedAge.
func removeOpened(dir string, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > openedAge {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}
