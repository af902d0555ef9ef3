package linked

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// partsSection is the custom section that tells the part of each function: pairs of
// numbers, how many functions and which part, in the order of the functions.
const partsSection = "signalbox.parts"

// maxParts bounds how many parts a module may have.
const maxParts = 16

// Finish does to a module that Go has linked what is told above. The linker must
// have left the names of functions in ("-ldflags=-w"), and they are taken out. The
// profile has a line for each function whose part is known, "0 runtime.mallocgc";
// lines that begin with # are passed over. What is not in it becomes a part of its
// own behind the others: a profile that is old, or of another version of Go, makes a
// module slower to open and never wrong. Without names nothing is written down, and
// the module is one part.
//
// The errors are [Join]'s, and one that names the profile's line.
func Finish(module, profile []byte) ([]byte, error) {
	partOf, rest, err := readProfile(profile)
	if err != nil {
		return nil, err
	}
	list, err := read(module)
	if err != nil {
		return nil, err
	}
	out := list[:0]
	var names map[int]string
	for _, s := range list {
		content, ok := s.named("name")
		if !ok {
			out = append(out, s)
			continue
		}
		if names, ok = functionNames(content); !ok {
			return nil, errFormat
		}
	}
	if names != nil {
		m, err := parse(out)
		if err != nil {
			return nil, err
		}
		parts := make([]int, len(m.bodies))
		for i := range parts {
			var ok bool
			if parts[i], ok = partOf[names[m.imported+i]]; !ok {
				parts[i] = rest
			}
		}
		out = append(out, custom(partsSection, writeParts(parts)))
	}
	return Join(write(out, len(module)))
}

// readProfile gives the part of each function by its name, and that of all others.
func readProfile(profile []byte) (partOf map[string]int, rest int, err error) {
	partOf = map[string]int{}
	number := 0
	for line := range strings.Lines(string(profile)) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		digits, name, ok := strings.Cut(line, " ")
		part, err := strconv.Atoi(digits)
		if !ok || err != nil || part < 0 || part >= maxParts-1 {
			return nil, 0, fmt.Errorf("linked: line %d of the profile is not a part and a function", number)
		}
		partOf[name] = part
		rest = max(rest, part+1)
	}
	return partOf, rest, nil
}

// functionNames reads the names of functions, by their index, from a section of names.
func functionNames(content []byte) (map[int]string, bool) {
	names := map[int]string{}
	for r := (reader{content, false}); len(r.rest) > 0; {
		id := r.byte()
		sub := reader{r.bytes(r.number()), false}
		if r.broken {
			return nil, false
		}
		if id != 1 { // of the module, of locals
			continue
		}
		for range sub.number() {
			index := sub.number()
			names[index] = string(sub.bytes(sub.number()))
			if sub.broken {
				return nil, false
			}
		}
	}
	return names, true
}

// writeParts gives the runs of functions of the same part.
func writeParts(parts []int) []byte {
	var out []byte
	for from := 0; from < len(parts); {
		to := from + 1
		for to < len(parts) && parts[to] == parts[from] {
			to++
		}
		out = binary.AppendUvarint(out, uint64(to-from))
		out = binary.AppendUvarint(out, uint64(parts[from]))
		from = to
	}
	return out
}

// readParts gives the part of each of n functions, and how many parts there are.
func readParts(content []byte, n int) (parts []int, count int, ok bool) {
	parts, count = make([]int, 0, n), 1
	for r := (reader{content, false}); len(r.rest) > 0; {
		run, part := r.number(), r.number()
		if r.broken || run == 0 || run > n-len(parts) || part >= maxParts {
			return nil, 0, false
		}
		for range run {
			parts = append(parts, part)
		}
		count = max(count, part+1)
	}
	return parts, count, len(parts) == n
}
