//go:build !windows && (!unix || aix || solaris)

package threads

import (
	"errors"
	"os"
)

// tryLock refuses: without a lock that ends with its process nothing is written.
func tryLock(*os.File) (held bool, err error) { return false, errors.ErrUnsupported }
