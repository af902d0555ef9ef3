//go:build unix

package threads

import (
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// quickLook is [look] for the usual thread, a directory with two regular files,
// in half the calls of the system that [os.Root] takes: a first list of
// thousands of threads is made of nothing else. Every name is opened beneath
// the directory before it and no link is followed. ok is false for whatever is
// not as usual, which look then finds out in its own way.
func quickLook(folder string, dir *os.File, name string) (r *record, ok bool) {
	at, err := unix.Openat(int(dir.Fd()), name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, false
	}
	defer unix.Close(at)
	r = &record{}
	var st unix.Stat_t
	if unix.Fstatat(at, atsf.MessagesName, &st, unix.AT_SYMLINK_NOFOLLOW) == nil {
		r.log = stampOfStat(&st)
	}
	file, err := unix.Openat(at, atsf.ThreadName, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, false
	}
	defer unix.Close(file)
	if unix.Fstat(file, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFREG || st.Size == 0 || st.Size > MaxThreadFile {
		return nil, false
	}
	r.meta = stampOfStat(&st)
	data := make([]byte, st.Size)
	if n, err := unix.Read(file, data); err != nil || n != len(data) {
		return nil, false
	}
	changed := time.Unix(0, r.meta.mtime)
	r.item = parseItem(folder, name, data, changed)
	r.young = time.Since(changed) < unsettled
	return r, true
}

func stampOfStat(st *unix.Stat_t) stamp {
	return stamp{int64(st.Size), st.Mtim.Nano(), uint64(st.Ino)}
}
