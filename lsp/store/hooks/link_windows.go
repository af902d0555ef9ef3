package hooks

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"unicode/utf16"

	"golang.org/x/sys/windows"
)

// makeLink makes a junction for a directory, which needs no privilege (rule H2),
// and for a file a symbolic link or, where Windows does not allow that, a hard
// link.
//
// This has been compiled and reviewed, and not been run on Windows yet.
func makeLink(tree *os.Root, l *Link, dir bool) (how string, err error) {
	if dir {
		return "junction", makeJunction(tree, l)
	}
	err = tree.Symlink(l.Source, l.target)
	if err == nil {
		return "link", nil
	}
	if !errors.Is(err, windows.ERROR_PRIVILEGE_NOT_HELD) {
		return "", err
	}
	return "hard link", os.Link(l.Source, l.Target)
}

// makeJunction makes an empty directory and turns it into a mount point.
func makeJunction(tree *os.Root, l *Link) (err error) {
	if err := tree.Mkdir(l.target, 0o755); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tree.Remove(l.target))
		}
	}()
	// The directory was made a moment ago beneath the tree; opened as a reparse
	// point, so that it is not followed should it have become one.
	name, err := windows.UTF16PtrFromString(l.Target)
	if err != nil {
		return err
	}
	h, err := windows.CreateFile(name, windows.GENERIC_WRITE, 0, nil, windows.OPEN_EXISTING,
		windows.FILE_FLAG_BACKUP_SEMANTICS|windows.FILE_FLAG_OPEN_REPARSE_POINT, 0)
	if err != nil {
		return fmt.Errorf("open the junction: %w", err)
	}
	defer windows.CloseHandle(h)
	data, err := mountPoint(filepath.Clean(l.Source))
	if err != nil {
		return err
	}
	var n uint32
	if err := windows.DeviceIoControl(h, windows.FSCTL_SET_REPARSE_POINT, &data[0], uint32(len(data)), nil, 0, &n, nil); err != nil {
		return fmt.Errorf("make the junction: %w", err)
	}
	return nil
}

// mountPoint is the REPARSE_DATA_BUFFER of a mount point: a header of 8 bytes,
// four lengths, the path as the kernel names it and as a person reads it.
func mountPoint(path string) ([]byte, error) {
	if len(path) < 3 || path[1] != ':' {
		return nil, errors.New("a junction leads to a local drive only")
	}
	substitute, display := utf16.Encode([]rune(`\??\`+path)), utf16.Encode([]rune(path))
	body := make([]byte, 0, 12+2*(len(substitute)+len(display)+2))
	le := binary.LittleEndian
	for _, n := range []int{0, 2 * len(substitute), 2 * (len(substitute) + 1), 2 * len(display)} {
		body = le.AppendUint16(body, uint16(n))
	}
	for _, text := range [][]uint16{append(substitute, 0), append(display, 0)} {
		for _, c := range text {
			body = le.AppendUint16(body, c)
		}
	}
	if len(body)+8 > windows.MAXIMUM_REPARSE_DATA_BUFFER_SIZE {
		return nil, errors.New("the source's path is too long for a junction")
	}
	head := le.AppendUint32(nil, windows.IO_REPARSE_TAG_MOUNT_POINT)
	head = le.AppendUint16(head, uint16(len(body)))
	head = le.AppendUint16(head, 0)
	return append(head, body...), nil
}
