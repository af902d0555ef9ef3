package tree

import "strings"

// ReadFile reads a file beneath a root. It follows links only on the way to the root. file
// has "/" between its names. If the file is longer than limit, limit+1 bytes are returned.
// The names in file must not come from a stranger.
func ReadFile(root, file string, limit int) ([]byte, error) {
	f, err := Open(root)
	if err != nil {
		return nil, err
	}
	defer func() { f.Close() }()
	names := strings.Split(file, "/")
	for _, name := range names[:len(names)-1] {
		sub, err := f.Open(name)
		if err != nil {
			return nil, err
		}
		f.Close()
		f = sub
	}
	data, _, err := f.Read(names[len(names)-1], nil, limit)
	return data, err
}
