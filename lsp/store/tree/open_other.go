//go:build !unix

package tree

import "io/fs"

// inode is not told by a listing here; size and time have to do.
func inode(fs.FileInfo) uint64 { return 0 }

// Open opens the directory that is looked at; its path may be a link.
func Open(path string) (Folder, error) { return OpenRoot(path) }
