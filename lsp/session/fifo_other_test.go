//go:build !unix

package session

func (b *fixture) fifo(string) {}
