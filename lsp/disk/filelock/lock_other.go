//go:build !js && !windows && (!unix || aix || solaris)

package filelock

import (
	"errors"
	"os"
)

// try returns an error: this system has no lock that ends with its process, so nothing is
// written.
func try(*os.File) (held bool, err error) { return false, errors.ErrUnsupported }
