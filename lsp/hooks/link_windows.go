package hooks

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

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
	// The directory was made a moment ago beneath the tree. It is opened as a reparse point,
	// so that it is not followed if it has become one.
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
