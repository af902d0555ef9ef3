package hook

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"syscall"

	"golang.org/x/sys/unix"
)

// staySmall releases memory that a hook does not need while it waits for hours: free memory,
// and the pages of the program itself, which the system reads again from its cache when needed.
func staySmall() {
	debug.FreeOSMemory()
	self, err := os.Executable()
	maps, err2 := os.ReadFile("/proc/self/maps")
	if err != nil || err2 != nil {
		return
	}
	for lines := bufio.NewScanner(bytes.NewReader(maps)); lines.Scan(); {
		var from, to uintptr
		var mode string
		line := lines.Text()
		// A mapping that is not writable has only the file's content.
		if n, _ := fmt.Sscanf(line, "%x-%x %s", &from, &to, &mode); n == 3 && mode[1] == '-' && len(line) > len(self) && line[len(line)-len(self):] == self {
			_, _, _ = syscall.Syscall(unix.SYS_MADVISE, from, to-from, unix.MADV_DONTNEED) // on failure the pages stay
		}
	}
}
