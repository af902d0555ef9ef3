//go:build !unix

package transcript

func (b *bed) fifo(string) {}
