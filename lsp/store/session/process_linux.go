package session

import (
	"bytes"
	"os"
	"strconv"
)

// look reads /proc/PID/stat, whose second field is the program's name in brackets. The
// parent follows two fields behind it, the start, in ticks since the system began, 20.
func look(pid int) (process, bool) {
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
	return process{name: string(data[open+1 : end]), parent: parent, start: string(fields[19])}, err == nil
}
