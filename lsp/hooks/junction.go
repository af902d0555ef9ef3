package hooks

import (
	"encoding/binary"
	"errors"
	"unicode/utf16"
)

// The reparse point of a junction, as Windows defines it.
const (
	tagMountPoint = 0xA0000003
	maxReparse    = 16 << 10
)

// mountPoint returns the REPARSE_DATA_BUFFER of a junction: a header of 8 bytes, four
// lengths, and the path in the forms for the kernel and for a person.
func mountPoint(path string) ([]byte, error) {
	if len(path) < 3 || path[1] != ':' {
		return nil, errors.New("a junction leads to a local drive only")
	}
	substitute, display := utf16.Encode([]rune(`\??\`+path)), utf16.Encode([]rune(path))
	if size := 16 + 2*(len(substitute)+len(display)+2); size > maxReparse {
		return nil, errors.New("the source's path is too long for a junction")
	}
	var body []byte
	le := binary.LittleEndian
	for _, n := range []int{0, 2 * len(substitute), 2 * (len(substitute) + 1), 2 * len(display)} {
		body = le.AppendUint16(body, uint16(n))
	}
	for _, text := range [][]uint16{append(substitute, 0), append(display, 0)} {
		for _, c := range text {
			body = le.AppendUint16(body, c)
		}
	}
	head := le.AppendUint32(nil, tagMountPoint)
	head = le.AppendUint16(head, uint16(len(body)))
	head = le.AppendUint16(head, 0)
	return append(head, body...), nil
}
