package server

import (
	"bufio"
	"fmt"
	"io"
)

// framed returns a content in its frame.
func framed(content string) string {
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(content), content)
}

// readFrame reads the content of one frame, as a client does.
func readFrame(in *bufio.Reader) ([]byte, error) {
	var n int
	if _, err := fmt.Fscanf(in, "Content-Length: %d\r\n\r\n", &n); err != nil {
		return nil, err
	}
	content := make([]byte, n)
	_, err := io.ReadFull(in, content)
	return content, err
}
