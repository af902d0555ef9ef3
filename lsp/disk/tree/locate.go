package tree

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// ID names a directory in refs: 12 hexadecimal digits that depend on its path
// alone. Two ways to one directory have one ID, and it is the same before the
// directory is made and after.
func ID(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	sum := sha256.Sum256([]byte(filepath.ToSlash(disk.Resolve(path))))
	return hex.EncodeToString(sum[:6])
}
