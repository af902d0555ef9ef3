//go:build !unix

package main

import "os"

// isUnseen reports whether what is written to f reaches nobody. Elsewhere a
// write to a closed stdout fails, which says so.
func isUnseen(*os.File) bool { return false }
