package cli

import (
	"errors"

	"golang.org/x/sys/windows"
)

// left reports that the reader of a pipe had left when it was written to.
func left(err error) bool {
	return errors.Is(err, windows.ERROR_NO_DATA) || errors.Is(err, windows.ERROR_BROKEN_PIPE)
}
