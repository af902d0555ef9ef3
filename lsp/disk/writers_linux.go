package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Writers lists the processes that have a file open for writing, including this one. Linux
// shows a user only their own processes in the same container, and the superuser all of them.
func Writers(file fs.FileInfo) []Writer {
	const (
		processes = "/proc"
		writable  = 0o200 // a bit in the mode of the link to an open file
	)
	var list []Writer
	entries, _ := os.ReadDir(processes)
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		open := filepath.Join(processes, e.Name(), "fd")
		links, _ := os.ReadDir(open)
		for _, l := range links {
			link := filepath.Join(open, l.Name())
			if info, err := os.Lstat(link); err != nil || info.Mode().Perm()&writable == 0 {
				continue
			}
			if info, err := os.Stat(link); err == nil && os.SameFile(info, file) {
				name, _ := os.ReadFile(filepath.Join(processes, e.Name(), "comm"))
				list = append(list, Writer{pid, strings.TrimSpace(string(name))})
				break
			}
		}
	}
	return list
}
