package teaminbox

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

const (
	logName = "wake.log"
	// maxLog is the size from which a new log is begun.
	maxLog = 1 << 20
)

// log writes down why a session was not woken. That it cannot be written harms nobody.
func log(stateDir string, now time.Time, problem error) {
	root, err := disk.Disk{}.MakeRoot(stateDir, disk.PrivateDir)
	if err != nil {
		return
	}
	defer root.Close()
	if info, err := os.Lstat(filepath.Join(stateDir, logName)); err == nil && info.Size() > maxLog {
		_ = root.Rename(logName, logName+".1")
	}
	f, err := root.OpenFile(logName, os.O_APPEND|os.O_CREATE|os.O_WRONLY, disk.PrivateFile)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = fmt.Fprintf(f, "%s %q\n", now.Format(time.RFC3339), problem.Error())
}

// newID returns a random UUID.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // which never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
