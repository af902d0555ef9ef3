package activity

import (
	"errors"
	"strconv"
	"unsafe"

	"golang.org/x/sys/windows"
)

// stillActive is the exit code of a process that has not ended.
const stillActive = 259

// inspect returns what Windows reports about a process. ok is false if it does not run.
func inspect(pid int) (p process, ok bool) {
	p, ok = entry(uint32(pid))
	if !ok {
		return process{}, false
	}
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		// The start of another account's process is unknown.
		return p, errors.Is(err, windows.ERROR_ACCESS_DENIED)
	}
	defer windows.CloseHandle(h)
	var code uint32
	if windows.GetExitCodeProcess(h, &code) == nil && code != stillActive {
		return process{}, false
	}
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(h, &created, &exited, &kernel, &user) == nil {
		p.start = strconv.FormatInt(created.Nanoseconds(), 10)
	}
	return p, true
}

// entry finds a process in the list of all processes.
func entry(pid uint32) (process, bool) {
	list, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return process{}, false
	}
	defer windows.CloseHandle(list)
	e := windows.ProcessEntry32{}
	e.Size = uint32(unsafe.Sizeof(e))
	for err = windows.Process32First(list, &e); err == nil; err = windows.Process32Next(list, &e) {
		if e.ProcessID == pid {
			return process{name: windows.UTF16ToString(e.ExeFile[:]), parent: int(e.ParentProcessID)}, true
		}
	}
	return process{}, false
}

// Programs cannot list processes with their terminals on Windows. ok is false.
func Programs(string) (list []Program, ok bool) { return nil, false }

func arguments(int) string { return "" }
