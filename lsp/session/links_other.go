//go:build !unix

package session

import "io/fs"

// sameOwner cannot tell here: who may write into the folder may read what is in it.
func sameOwner(_, _ fs.FileInfo) bool { return true }
