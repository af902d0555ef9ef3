//go:build !darwin && !freebsd && !linux

package disk_test

import "io/fs"

// sparse reports false: it is not known here.
func sparse(fs.FileInfo) bool { return false }
