//go:build !linux

package hook

import "runtime/debug"

// staySmall releases free memory: the hook may wait for hours.
func staySmall() { debug.FreeOSMemory() }
