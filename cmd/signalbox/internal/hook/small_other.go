//go:build !linux

package hook

import "runtime/debug"

// staySmall gives back memory that is free: the hook may wait for hours.
func staySmall() { debug.FreeOSMemory() }
