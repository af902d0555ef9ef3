//go:build unix

package ssot

// canSyncDir tells that a directory can be synced.
const canSyncDir = true
