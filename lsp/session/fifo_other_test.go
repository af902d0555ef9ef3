//go:build !unix

package session

func (b *bed) fifo(string) {}
