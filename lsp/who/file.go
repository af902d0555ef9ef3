package who

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf16"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// aliasFile is the name of the file with the alias of the agent that works in a folder.
const aliasFile = ".agent-message"

// maxAliasFile is the length in bytes of the longest alias file that is read.
const maxAliasFile = 64 << 10

// readAlias returns the first valid alias that the alias file of a folder holds on a line of
// its own, or "" if there is no such file. A file without a valid alias is an error: mail
// would be read and sent under another name than its writer meant.
func readAlias(folder string) (string, error) {
	path := filepath.Join(folder, aliasFile)
	data, err := readBounded(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && isLink(path):
		return "", fmt.Errorf("%q names nobody: it is a link to nothing", path)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("%q names nobody: it %w", path, err)
	}
	for line := range strings.Lines(strings.ReplaceAll(text(data), "\r", "\n")) {
		if alias := strings.TrimSpace(line); samp.ValidAlias(alias) {
			return alias, nil
		}
	}
	return "", fmt.Errorf("%q names nobody: no line of it is a valid alias; write one there, or remove the file", path)
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// readBounded reads a file of any kind, but no more than [maxAliasFile]: the folder may be a
// stranger's.
func readBounded(path string) ([]byte, error) {
	f, err := disk.OpenNamed(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			return nil, err
		}
		if kind, ok := errors.AsType[*disk.KindError](err); ok {
			return nil, kind
		}
		return nil, fmt.Errorf("cannot be read: %w", disk.Cause(err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxAliasFile+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot be read: %w", disk.Cause(err))
	case len(data) > maxAliasFile:
		return nil, fmt.Errorf("is longer than %d bytes", maxAliasFile)
	}
	return data, nil
}

// text returns a file's text as UTF-8. Windows PowerShell writes UTF-16, and UTF-8 with a
// byte order mark; a text without a mark is UTF-16 if its first character has a zero byte.
func text(data []byte) string {
	if rest, ok := bytes.CutPrefix(data, []byte("\xef\xbb\xbf")); ok {
		return string(rest)
	}
	var order binary.ByteOrder
	switch {
	case len(data) < 2:
		return string(data)
	case data[0] == 0xff && data[1] == 0xfe, data[0] != 0 && data[1] == 0:
		order = binary.LittleEndian
	case data[0] == 0xfe && data[1] == 0xff, data[0] == 0 && data[1] != 0:
		order = binary.BigEndian
	default:
		return string(data)
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return strings.TrimPrefix(string(utf16.Decode(units)), "\ufeff")
}
