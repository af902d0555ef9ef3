package activity

import (
	"bytes"
	"os"
	"strconv"
)

// inspect reads /proc/PID/stat. Its second field is the program's name in parentheses. Counted from
// there, field 2 is the parent, field 5 the terminal, and field 20 the start in ticks since boot.
func inspect(pid int) (process, bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return process{}, false
	}
	open, end := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')')
	if open < 0 || end < open {
		return process{}, false
	}
	fields := bytes.Fields(data[end+1:])
	if len(fields) < 20 || fields[0][0] == 'Z' {
		return process{}, false
	}
	parent, err := strconv.Atoi(string(fields[1]))
	p := process{name: string(data[open+1 : end]), parent: parent, start: string(fields[19])}
	if terminal := string(fields[4]); terminal != "0" {
		p.terminal = terminal
	}
	return p, err == nil
}

// Programs returns the processes with a name that run in a terminal. ok is false if they cannot be
// listed.
func Programs(name string) (list []Program, ok bool) {
	entries, err := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if p, ok := inspect(pid); ok && called(p.name, name) && p.terminal != "" {
			folder, _ := os.Readlink("/proc/" + e.Name() + "/cwd")
			list = append(list, Program{Folder: folder, Args: arguments(pid)})
		}
	}
	return list, err == nil
}

// arguments returns a process's arguments, each followed by a NUL.
func arguments(pid int) string {
	data, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	return string(data)
}
