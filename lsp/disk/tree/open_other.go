//go:build !unix

package tree

import (
	"io/fs"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// inode is not told by a listing here; size and time have to do.
func inode(fs.FileInfo) uint64 { return 0 }

// Beneath opens a directory that is open as a folder.
func Beneath(root *disk.Root) (Folder, error) {
	again, err := root.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	return &rootFolder{again}, nil
}

// Open opens the directory that is looked at; its path may be a link.
func Open(path string) (Folder, error) { return OpenRoot(path) }
