package session

import "bytes"

const (
	// maxCopies is the largest number of records in one transcript that are recognized as copies.
	maxCopies = 1 << 20
	// copyLines is how many lines may come before the first copy: the program's own records. One
	// may be long.
	copyLines = 16
)

// findCopies looks for records that occur twice, in a transcript that begins with copies from
// another session.
func (r *reader) findCopies() error {
	copyOf := r.item.Format.DuplicateID
	if copyOf == nil {
		return nil
	}
	for at, lines := int64(0), 0; at < r.end; {
		data, err := r.read(at, min(r.end, at+maxSearched))
		if err != nil {
			return err
		}
		whole := bytes.LastIndexByte(data, '\n') + 1
		if whole == 0 { // a line that is too long
			if at, err = r.lineEnd(at); err != nil {
				return err
			}
			continue
		}
		from := at
		for line := range bytes.Lines(data[:whole]) {
			if id, copied := copyOf(line); copied && id != "" && len(r.copied) < maxCopies {
				if r.copied == nil {
					r.copied = make(map[string]bool)
				}
				r.copied[id] = true
			}
			lines++
			if from += int64(len(line)); r.copied == nil && from > headBytes && lines >= copyLines {
				return nil
			}
		}
		at += int64(whole)
	}
	return nil
}

// isCopy reports whether a line repeats a record that was copied before.
func (r *reader) isCopy(line []byte) bool {
	if r.copied == nil {
		return false
	}
	id, copied := r.item.Format.DuplicateID(line)
	return !copied && r.copied[id]
}
