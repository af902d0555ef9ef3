//go:build !unix

package ssot

// modes tells that files have modes.
const modes = false

func setUmask(int) int { return 0 }
