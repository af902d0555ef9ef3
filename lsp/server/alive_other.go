//go:build !unix && !windows

package server

// Alive reports whether a process runs. Where no process can be looked at, each is taken to run.
func Alive(int) bool { return true }
