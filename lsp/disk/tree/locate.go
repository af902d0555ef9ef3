package tree

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// ID returns the id of a directory in refs: 12 hexadecimal digits that depend only on its
// path. All paths to one directory have the same ID, which stays the same when the directory
// is made.
func ID(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	sum := sha256.Sum256([]byte(filepath.ToSlash(disk.Resolve(path))))
	return hex.EncodeToString(sum[:6])
}
