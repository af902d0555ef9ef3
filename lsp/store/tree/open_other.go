//go:build !unix

package tree

import "io/fs"

// PlainOpen is 0 where opening a file does not wait.
const PlainOpen = 0

// CanWrite reports whether files can be made in a directory, which cannot be told
// here without trying.
func CanWrite(string) bool { return true }

// inode is not told by a listing here; size and time have to do.
func inode(fs.FileInfo) uint64 { return 0 }

// Open opens the directory that is looked at; its path may be a link.
func Open(path string) (Folder, error) { return OpenRoot(path) }
