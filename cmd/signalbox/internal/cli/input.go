package cli

import (
	"io"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// ReadInput reads a file that the user named, or stdin for "-". Of one that is
// longer than most bytes it reads one byte more, so that the caller can tell.
func (o *Options) ReadInput(name string, most int64) ([]byte, error) {
	in := o.In
	if name != "-" {
		f, err := disk.OpenNamed(o.Absolute(name))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	return io.ReadAll(io.LimitReader(in, most+1))
}
