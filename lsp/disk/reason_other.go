//go:build !js

package disk

import "math"

// LongestFile is how long a file may be to be read, in bytes. Only a browser, which reads files
// whole, has a limit.
const LongestFile = math.MaxInt64

func reason(err error) error { return err }
