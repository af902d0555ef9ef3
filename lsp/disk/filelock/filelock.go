// Package filelock lets one writer at a time into a directory, among goroutines and among
// processes. A lock ends with its process.
//
// Start with [Take].
package filelock

import (
	"errors"
	"time"
)

// Timeout is how long a writer waits for another one if its context has no
// deadline.
const Timeout = 10 * time.Second

// ErrLocked is returned when another writer did not finish in time.
var ErrLocked = errors.New("another writer holds the lock")
