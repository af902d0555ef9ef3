//go:build unix

package tree

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// inode returns a file's inode, which shows that another file took its place, even if that
// has the same size and time.
func inode(i fs.FileInfo) uint64 {
	if st, ok := i.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino)
	}
	return 0
}

// Open opens the directory at a path, which may be a link.
func Open(path string) (Folder, error) {
	fd, err := openAt(unix.AT_FDCWD, path, unix.O_DIRECTORY)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return &fdFolder{fd: fd}, nil
}

// Beneath opens an open directory again, as a [Folder].
func Beneath(root *disk.Root) (Folder, error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	return &fdFolder{int(dir.Fd()), dir}, nil
}

// fdFolder is a folder that needs a third of the system calls of [os.Root], since a first
// look at thousands of messages consists of nothing else. It is as strict: it opens each name
// beneath the folder before it, and never a link.
type fdFolder struct {
	fd  int
	dir *os.File // owns fd once Entries was called
}

func (f *fdFolder) Close() {
	if f.dir == nil {
		unix.Close(f.fd)
		return
	}
	f.dir.Close()
}

func openAt(fd int, name string, flags int) (int, error) {
	for {
		got, err := unix.Openat(fd, name, unix.O_RDONLY|unix.O_CLOEXEC|flags, 0)
		if !errors.Is(err, unix.EINTR) {
			return got, err
		}
	}
}

func (f *fdFolder) Entries(limit int) ([]fs.DirEntry, bool, error) {
	if f.dir == nil {
		f.dir = os.NewFile(uintptr(f.fd), ".")
	}
	return list(f.dir, limit)
}

func (f *fdFolder) Stat(name string) (Info, error) {
	if err := element(name); err != nil && name != "." {
		return Info{}, err
	}
	var st unix.Stat_t
	if err := unix.Fstatat(f.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return Info{}, err
	}
	return infoOfStat(&st), nil
}

func (f *fdFolder) Peek(path string) (Stamp, bool) {
	var st unix.Stat_t
	switch err := unix.Fstatat(f.fd, path, &st, unix.AT_SYMLINK_NOFOLLOW); {
	case errors.Is(err, unix.ENOENT):
		return Stamp{}, true
	case err != nil:
		return Stamp{}, false
	}
	return infoOfStat(&st).Stamp, true
}

func infoOfStat(st *unix.Stat_t) Info {
	kind := fs.ModeIrregular
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		kind = 0
	case unix.S_IFDIR:
		kind = fs.ModeDir
	case unix.S_IFLNK:
		kind = fs.ModeSymlink
	case unix.S_IFIFO:
		kind = fs.ModeNamedPipe
	case unix.S_IFSOCK:
		kind = fs.ModeSocket
	case unix.S_IFBLK, unix.S_IFCHR:
		kind = fs.ModeDevice
	}
	return Info{kind, Stamp{int64(st.Size), st.Mtim.Nano(), uint64(st.Ino)}}
}

func (f *fdFolder) Open(name string) (Folder, error) {
	if err := element(name); err != nil {
		return nil, err
	}
	fd, err := openAt(f.fd, name, unix.O_DIRECTORY|unix.O_NOFOLLOW)
	if err != nil {
		if i, e := f.Stat(name); e == nil && !i.Kind.IsDir() {
			return nil, &disk.KindError{Kind: i.Kind}
		}
		return nil, err
	}
	return &fdFolder{fd: fd}, nil
}

// regular opens a file, and refuses it unless the open file is regular.
func (f *fdFolder) regular(name string) (int, Info, error) {
	if err := element(name); err != nil {
		return 0, Info{}, err
	}
	fd, err := openAt(f.fd, name, disk.PlainOpen)
	if err != nil {
		// It is a link or a socket, or a file that cannot be opened.
		i, e := f.Stat(name)
		if e == nil && !i.Kind.IsRegular() {
			return 0, i, &disk.KindError{Kind: i.Kind}
		}
		return 0, i, err
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		unix.Close(fd)
		return 0, Info{}, err
	}
	i := infoOfStat(&st)
	if !i.Kind.IsRegular() {
		unix.Close(fd)
		return 0, i, &disk.KindError{Kind: i.Kind}
	}
	return fd, i, nil
}

func (f *fdFolder) File(name string) (*os.File, Info, error) {
	fd, i, err := f.regular(name)
	if err != nil {
		return nil, i, err
	}
	return os.NewFile(uintptr(fd), name), i, nil
}

func (f *fdFolder) Read(name string, buf []byte, limit int) ([]byte, Info, error) {
	fd, i, err := f.regular(name)
	if err != nil {
		return nil, i, err
	}
	defer unix.Close(fd)
	data, err := fill(buf, i.Size, limit, func(b []byte) (int, error) {
		for {
			n, err := unix.Read(fd, b)
			if !errors.Is(err, unix.EINTR) {
				return max(n, 0), err
			}
		}
	})
	return data, i, err
}
