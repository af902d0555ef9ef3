package tree

import "strings"

// ReadFile reads a file beneath a root, through no link but those that lead to the
// root itself. file has "/" between its names; of a longer file limit and one bytes are
// given. What names to trust is for the caller to know: none may
// come from a stranger.
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
