//go:build !unix

package agn

// modes tells that files have modes.
const modes = false

func setUmask(int) int { return 0 }
