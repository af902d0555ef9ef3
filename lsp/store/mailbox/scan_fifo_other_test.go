//go:build !unix

package mailbox

import "testing"

// makeFIFO is for systems that have FIFOs.
var makeFIFO func(t testing.TB, path string)
