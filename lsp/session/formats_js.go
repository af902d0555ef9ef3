package session

import (
	"errors"
	"io"

	"github.com/signalbox-dev/signalbox/core/session"
)

// Formats returns no formats: there are no agents' programs in a browser, so their readers are
// not compiled in.
func Formats() []*session.Format { return nil }

// packed is a packed file. Without formats there are none.
type packed struct{}

var errPacked = errors.New("packed files are not read in a browser")

func newPacked(io.ReaderAt, int64) *packed { return &packed{} }

func (*packed) length() (int64, error) { return 0, errPacked }

func (*packed) ReadAt([]byte, int64) (int, error) { return 0, errPacked }

func (*packed) close() {}
