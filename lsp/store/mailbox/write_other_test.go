//go:build !unix

package mailbox

func setUmask(int) int { return 0 }
