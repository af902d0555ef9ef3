//go:build !unix

package amp

func setUmask(int) int { return 0 }
