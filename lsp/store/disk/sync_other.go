//go:build !unix

package disk

// canSync tells that a directory can be synced.
const canSync = false

// noWait and plainOpen are 0 where opening a file does not wait.
const noWait, plainOpen = 0, 0
