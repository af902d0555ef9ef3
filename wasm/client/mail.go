package client

import (
	"context"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// Detect says what a file is. name is its base name, or its path below a directory
// with slashes, or empty. The module looks at no more than the first 64 KiB of data.
// It is written by hand because only these are passed on.
func (t Mailbox) Detect(ctx context.Context, name string, data []byte) (FileKind, error) {
	const looked = 64 << 10
	return decode[FileKind](ctx, t.caller, abi.MailDetect, struct {
		Name string `json:"name"`
	}{name}, data[:min(len(data), looked)])
}
