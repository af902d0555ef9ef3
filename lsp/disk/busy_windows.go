package disk

import (
	"errors"

	"golang.org/x/sys/windows"
)

// isBusy reports whether a rename failed because another program has the file open.
func isBusy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}
