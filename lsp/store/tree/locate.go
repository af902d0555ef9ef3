package tree

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
)

// ID names a directory in refs: 12 hexadecimal digits that depend on its path
// alone. Two ways to one directory have one ID, and it is the same before the
// directory is made and after.
func ID(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	sum := sha256.Sum256([]byte(filepath.ToSlash(resolved(path))))
	return hex.EncodeToString(sum[:6])
}

// resolved follows the links of a path as far as it exists.
func resolved(path string) string {
	for at, rest := path, ""; ; {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		up := filepath.Dir(at)
		if up == at {
			return path
		}
		at, rest = up, filepath.Join(filepath.Base(at), rest)
	}
}
