//go:build !unix

package ssot

import "testing"

// makeFIFO is for systems that have FIFOs.
func makeFIFO(*testing.T, string) {}
