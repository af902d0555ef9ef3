//go:build !unix

package ssot

import "io/fs"

// plainOpen is 0 where opening a file does not wait.
const plainOpen = 0

// canWrite cannot be told without trying.
func canWrite(string) bool { return true }

// inode is not told by a listing here; size and time have to do.
func inode(fs.FileInfo) uint64 { return 0 }

// openFolder opens the directory that is looked at; its path may be a link.
func openFolder(path string) (folder, error) { return openRootFolder(path) }
