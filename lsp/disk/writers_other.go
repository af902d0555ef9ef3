//go:build !linux

package disk

import "io/fs"

// Writers returns nil: this system does not report which processes have a file open.
func Writers(fs.FileInfo) []Writer { return nil }
