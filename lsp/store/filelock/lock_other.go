//go:build !windows && (!unix || aix || solaris)

package filelock

import (
	"errors"
	"os"
)

// plain is 0 where opening a file does not wait.
const plain = 0

// try refuses: without a lock that ends with its process nothing is written.
func try(*os.File) (held bool, err error) { return false, errors.ErrUnsupported }
