//go:build !unix

package disk

import (
	"io/fs"
	"os"
)

// canSync reports whether a directory can be synced.
const canSync = false

// NoWait and PlainOpen are 0: on this system opening a file does not block.
const (
	NoWait    = 0
	PlainOpen = 0
)

// CanWrite returns true: access control lists cannot be checked beforehand.
func CanWrite(string) bool { return true }

// On this system files inherit their owner, so these functions do nothing.
func superuser() bool                       { return false }
func adopt(*os.File, fs.FileInfo) error     { return nil }
func copyOwner(*os.File, fs.FileInfo) error { return nil }
