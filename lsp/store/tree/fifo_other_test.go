//go:build !unix

package tree

import "testing"

// makeFIFO is for systems that have FIFOs.
func makeFIFO(*testing.T, string) {}
