//go:build !linux

package disk

import "io/fs"

// Writers returns nothing: this system does not say who has a file open.
func Writers(fs.FileInfo) []Writer { return nil }
