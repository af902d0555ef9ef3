package linked

import "encoding/binary"

// gap is up to how many zero bytes are written out to join two segments. Beyond 64
// hardly any are left.
const gap = 64

// Join gives the module with the segments of its memory joined. The bytes that the
// memory starts with are the same. The error is one for a module that is cut off, or
// has segments of another kind than Go's linker makes.
//
// Go's linker begins a new segment wherever a few bytes are zero, which made 55,000 of
// them. Each takes engines an allocation and a check when a module is loaded, and
// its address, different every time, does not pack: joined, the module is 0.1 MB
// smaller gzipped, 0.5 MB larger unpacked, and opens a tenth faster under wazero.
func Join(module []byte) ([]byte, error) {
	list, err := read(module)
	if err != nil {
		return nil, err
	}
	for i, s := range list {
		if s.id == dataCountSection {
			return nil, errFormat
		}
		if s.id == dataSection {
			segments, ok := readSegments(s.content)
			if !ok {
				return nil, errFormat
			}
			list[i].content = writeSegments(joinSegments(segments))
		}
	}
	return write(list, len(module)+len(module)/4), nil
}

// segment is what lies from offset on when the module starts.
type segment struct {
	offset int
	data   []byte
}

func readSegments(content []byte) (list []segment, ok bool) {
	r := reader{content, false}
	for range r.number() {
		r.expect(0, i32Const)
		offset := r.signed()
		r.expect(end)
		list = append(list, segment{offset, r.bytes(r.number())})
		if r.broken {
			return nil, false
		}
	}
	return list, r.whole()
}

func joinSegments(list []segment) []segment {
	var out []segment
	for _, s := range list {
		if n := len(out) - 1; n >= 0 {
			last := &out[n]
			if zeros := s.offset - last.offset - len(last.data); zeros >= 0 && zeros <= gap {
				last.data = append(append(last.data, make([]byte, zeros)...), s.data...)
				continue
			}
		}
		out = append(out, segment{s.offset, append([]byte(nil), s.data...)})
	}
	return out
}

func writeSegments(list []segment) []byte {
	out := binary.AppendUvarint(nil, uint64(len(list)))
	for _, s := range list {
		out = append(out, 0, i32Const)
		out = append(appendSigned(out, s.offset), end)
		out = appendSized(out, s.data)
	}
	return out
}
