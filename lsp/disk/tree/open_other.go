//go:build !unix

package tree

import (
	"io/fs"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// inode returns 0: on this system a listing does not show it. Size and time must suffice.
func inode(fs.FileInfo) uint64 { return 0 }

// Beneath opens an open directory again, as a [Folder].
func Beneath(root *disk.Root) (Folder, error) {
	again, err := root.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	return &rootFolder{again}, nil
}

// Open opens the directory at a path, which may be a link.
func Open(path string) (Folder, error) { return OpenRoot(path) }
