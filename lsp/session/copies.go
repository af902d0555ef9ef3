package session

import "bytes"

const (
	// maxTwins is the number of records of one transcript that are known to be copies.
	maxTwins = 1 << 20
	// twinLines is how many lines may stand before the first copy, of what the program keeps
	// for itself. One may be long.
	twinLines = 16
)

// findTwins looks for records that stand twice, in a transcript that begins with copies from
// another session's.
func (r *reader) findTwins() error {
	twin := r.item.Format.DuplicateID
	if twin == nil {
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
			if id, copied := twin(line); copied && id != "" && len(r.copied) < maxTwins {
				if r.copied == nil {
					r.copied = make(map[string]bool)
				}
				r.copied[id] = true
			}
			lines++
			if from += int64(len(line)); r.copied == nil && from > headBytes && lines >= twinLines {
				return nil
			}
		}
		at += int64(whole)
	}
	return nil
}

// twin reports whether a line is written once more what was copied.
func (r *reader) twin(line []byte) bool {
	if r.copied == nil {
		return false
	}
	id, copied := r.item.Format.DuplicateID(line)
	return !copied && r.copied[id]
}
