//go:build !unix

package disk

// canSync reports whether a directory can be synced.
const canSync = false

// NoWait and PlainOpen are 0 where opening a file does not wait.
const NoWait, PlainOpen = 0, 0

// CanWrite returns true: access control lists do not say it beforehand.
func CanWrite(string) bool { return true }

// adopt does nothing: who owns a file is inherited here.
func adopt(*Root, string) error { return nil }
