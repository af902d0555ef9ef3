package worktree

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"path/filepath"
	"strings"
)

// How much is read of a reftable: https://git-scm.com/docs/reftable. HEAD is among the first
// names of a table, since capitals sort before "refs/".
const (
	maxTableRead = 64 << 10
	maxTables    = 1000
)

var errTable = errors.New("cannot be understood")

// tableHead returns HEAD from a checkout's stack of reftables: the name of a ref, or a commit.
// The newest table with HEAD counts.
func tableHead(gitDir string) (ref, commit string, err error) {
	dir := filepath.Join(gitDir, "reftable")
	list, err := readSmall(filepath.Join(dir, "tables.list"), maxConfig)
	if err != nil {
		return "", "", err
	}
	names := strings.Fields(string(list))
	for i := len(names) - 1; i >= max(0, len(names)-maxTables); i-- {
		if filepath.Base(names[i]) != names[i] {
			return "", "", errTable
		}
		data, err := readStart(filepath.Join(dir, names[i]), maxTableRead)
		if err != nil {
			return "", "", err
		}
		ref, commit, found, err := headIn(data)
		if found || err != nil {
			return ref, commit, err
		}
	}
	return "", "", errors.New("does not hold HEAD")
}

// readStart reads the first bytes of a file, at most limit.
func readStart(path string, limit int64) ([]byte, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// headIn finds HEAD in the first block of a table. data is the beginning of the table.
func headIn(data []byte) (ref, commit string, found bool, err error) {
	header, id := 24, 20
	if len(data) < 5 || string(data[:4]) != "REFT" {
		return "", "", false, errTable
	}
	if data[4] == 2 {
		if header = 28; len(data) >= header && string(data[24:28]) == "s256" {
			id = 32
		}
	}
	if data[4] > 2 || len(data) < header {
		return "", "", false, errTable
	}
	if len(data) < header+4 || data[header] != 'r' {
		return "", "", false, nil // the table has no refs
	}
	// The block's length includes the file's header.
	length := int(data[header+1])<<16 | int(data[header+2])<<8 | int(data[header+3])
	if length <= len(data) {
		if length < header+6 {
			return "", "", false, errTable
		}
		restarts := int(binary.BigEndian.Uint16(data[length-2 : length]))
		if length -= 2 + 3*restarts; length < header+4 {
			return "", "", false, errTable
		}
		data = data[:length]
	}
	return scanHead(tableReader{rest: data[header+4:]}, id)
}

// scanHead reads the records of a block, which are ordered by name, up to HEAD.
func scanHead(r tableReader, id int) (ref, commit string, found bool, err error) {
	var name []byte
	for len(r.rest) > 0 {
		prefix, suffix := r.varint(), r.varint()
		kind := suffix & 7
		if prefix > uint64(len(name)) {
			return "", "", false, errTable
		}
		name = append(name[:prefix], r.take(suffix>>3)...)
		r.varint() // when it was updated
		var value []byte
		switch kind {
		case 0:
		case 1:
			value = r.take(uint64(id))
		case 2:
			value = r.take(2 * uint64(id))
		case 3:
			value = r.take(r.varint())
		default:
			r.bad = true
		}
		if r.bad {
			return "", "", false, errTable
		}
		switch c := bytes.Compare(name, []byte("HEAD")); {
		case c > 0:
			return "", "", false, nil
		case c < 0:
		case kind == 3 && validRef(string(value)) && string(value) != unknownRef:
			return string(value), "", true, nil
		case kind == 1:
			return "", hex.EncodeToString(value), true, nil
		default:
			return "", "", false, errTable
		}
	}
	return "", "", false, nil
}

// tableReader takes bytes from the front. bad is set if there are too few.
type tableReader struct {
	rest []byte
	bad  bool
}

func (r *tableReader) take(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.bad, r.rest = true, nil
		return nil
	}
	out := r.rest[:n]
	r.rest = r.rest[n:]
	return out
}

// varint reads a number in the format of git's packs.
func (r *tableReader) varint() uint64 {
	v := uint64(0)
	for i := 0; ; i++ {
		b := r.take(1)
		if r.bad || i > 8 {
			r.bad = true
			return 0
		}
		if i > 0 {
			v++
		}
		v = v<<7 | uint64(b[0]&0x7f)
		if b[0] < 0x80 {
			return v
		}
	}
}
