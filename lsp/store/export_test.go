package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// SaveCheckpoint saves the index of a store that was closed, and gives the path.
func SaveCheckpoint(l *Live) (path string, err error) {
	c, ok := l.checkpoint()
	if !ok {
		return "", errors.New("the index cannot be saved")
	}
	path = checkpointPath(l.cfg.StateDir, l.dir.ID())
	return path, c.write(context.Background(), path)
}

// SaveMoved saves the index of a closed store that changes after some parts.
func SaveMoved(l *Live, parts int) (moved bool, err error) {
	c, _ := l.checkpoint()
	c.changed = func() bool { parts--; return parts < 0 }
	err = c.write(context.Background(), checkpointPath(l.cfg.StateDir, l.dir.ID()))
	return errors.Is(err, errMoved), err
}

// LoadCheckpoint reads a checkpoint, and tells how many entries it has.
func LoadCheckpoint(data []byte, me string) (entries int, err error) {
	x, _, err := load(bytes.NewReader(data), int64(len(data)), samp.V1, me, func(s secret) *index {
		return newIndex(s, me, func(Key) bool { return false }, func() []Key { return nil })
	})
	if err != nil {
		return 0, err
	}
	return x.entries.n, nil
}

// Reseal gives the parts of a changed checkpoint the checksums that they would
// have, as far as its header tells where they are.
func Reseal(data []byte) {
	if len(data) < headerSize+sumSize {
		return
	}
	key := readSecret(data[len(checkpointMagic)+1:])
	pos, part := 0, 0
	seal := func(size int) {
		if size < 0 || size+sumSize > len(data)-pos {
			pos = len(data)
			return
		}
		binary.LittleEndian.PutUint32(data[pos+size:], partSum(key, part, data[pos:pos+size]))
		pos, part = pos+size+sumSize, part+1
	}
	var s [8]int
	for i := range s {
		s[i] = int(binary.LittleEndian.Uint32(data[headerSize-8*(8-i):]))
	}
	seal(headerSize)
	seal(s[sizeLogBytes])
	seal(4*s[sizeNames] + s[sizeText])
	seal(threadSize * s[sizeThreads])
	seal(4 * s[sizeSuspects])
	for left := s[sizeLinked]; left > 0 && pos < len(data); left -= orderLen {
		seal(4 * min(left, orderLen))
	}
	for left := s[sizeEntries]; left > 0 && pos < len(data); left -= chunkLen {
		seal(entrySize * min(left, chunkLen))
	}
}
