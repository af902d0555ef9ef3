package worktree

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

const dotGit = ".git"

// Limits for reading files, in bytes.
const (
	maxLine   = 16 << 10 // a path, a ref, the reason of a lock
	maxConfig = 4 << 20
	maxPacked = 256 << 20
	maxPath   = 4096
)

// maxTrees is the largest number of worktrees listed.
const maxTrees = 4096

var (
	errTooLarge = errors.New("is too large")
	errNoFile   = errors.New("is no regular file")
	errNoDir    = errors.New("is no directory")
)

// open opens a regular file.
func open(path string) (*os.File, error) { return openIf(path, fs.FileMode.IsRegular, errNoFile) }

// openDir opens a directory.
func openDir(path string) (*os.File, error) { return openIf(path, fs.FileMode.IsDir, errNoDir) }

// openIf opens a file with the right mode. It does not open others, and does not wait for a
// FIFO that replaces the file in the meantime.
func openIf(path string, right func(fs.FileMode) bool, wrong error) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !right(info.Mode()) {
		return nil, wrong
	}
	f, err := os.OpenFile(path, os.O_RDONLY|disk.NoWait, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil && !right(info.Mode()) {
		err = wrong
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// readSmall reads a file of at most limit bytes.
func readSmall(path string, limit int64) ([]byte, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, errTooLarge
	}
	return data, nil
}

// reason returns an error's text without the path, which is shown beside it. It never quotes
// the file: that may be a link to a secret.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return "cannot be read: " + e.Err.Error()
	}
	return err.Error()
}

// follow returns the absolute form of a path that git wrote in a file. A relative path is
// relative to base.
func follow(base string, text []byte) (string, error) {
	path := string(bytes.TrimRight(text, " \t\r\n\v\f"))
	switch {
	case path == "":
		return "", errors.New("is empty")
	case len(path) > maxPath:
		return "", errors.New("holds a path that is too long")
	case strings.IndexByte(path, 0) >= 0:
		return "", errors.New("holds a path with a NUL byte")
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(base, path)
	}
	path = filepath.Clean(path)
	// On Windows opening a path can log in to another machine. Only the person who opened a folder
	// there may decide that.
	if v := filepath.VolumeName(path); strings.HasPrefix(filepath.ToSlash(v), "//") && !strings.EqualFold(v, filepath.VolumeName(base)) {
		return "", errors.New("leads to another machine or device")
	}
	return path, nil
}
