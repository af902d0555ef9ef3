//go:build !js

package disk

import "math"

// LongestFile is the length of the longest file that can be read, in bytes. Only a browser,
// which reads files whole, has a limit.
const LongestFile = math.MaxInt64

func reason(err error) error { return err }
