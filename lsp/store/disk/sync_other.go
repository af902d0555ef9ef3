//go:build !unix

package disk

// canSync tells that a directory can be synced.
const canSync = false
