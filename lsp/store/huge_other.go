//go:build !linux

package store

// roomFor is make for what is filled at once: other systems need no advice, or take
// none.
func roomFor[T any](size int) []T { return make([]T, size) }
