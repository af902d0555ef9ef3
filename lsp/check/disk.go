package check

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// readDisk returns the content of a file on disk, or nil if it cannot be read, isn't a
// regular file or is longer than maxLogText. It differs from the editor's text if the file is
// not UTF-8.
func readDisk(path string) []byte {
	if path == "" {
		return nil
	}
	// A FIFO or device would block, or never end.
	f, err := disk.OpenNamed(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxLogText+1))
	if err != nil || len(data) > maxLogText {
		return nil
	}
	return data
}

// tallyBeside counts the messages in the log beside the thread.json at path. ok is false if
// they cannot be read. "signalbox threads check" counts longer files.
func tallyBeside(path string) (t atsf.Tally, ok bool) {
	if path == "" {
		return t, false
	}
	log := filepath.Join(filepath.Dir(path), atsf.MessagesName)
	if _, err := os.Lstat(log); errors.Is(disk.Cause(err), os.ErrNotExist) {
		return t, true
	}
	data := readDisk(log)
	if data == nil {
		return t, false
	}
	t, _ = atsf.Count(data)
	return t, true
}
