package disk

import (
	"fmt"
	"strings"
)

// Writer is a process that has a file open for writing.
type Writer struct {
	PID int
	// Name is what the system calls the process, or "".
	Name string
}

// WriterNames lists the processes of writers in words.
func WriterNames(list []Writer) string {
	names := make([]string, len(list))
	for i, w := range list {
		if names[i] = fmt.Sprintf("process %d", w.PID); w.Name != "" {
			names[i] = fmt.Sprintf("process %d (%s)", w.PID, w.Name)
		}
	}
	return strings.Join(names, ", ")
}
