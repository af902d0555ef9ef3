//go:build !linux && !darwin && !windows

package activity

// inspect finds no process. On these systems a session ends when its program reports it, or after
// [Silent].
func inspect(int) (process, bool) { return process{}, false }

// Programs cannot list processes on these systems. ok is false.
func Programs(string) (list []Program, ok bool) { return nil, false }

func arguments(int) string { return "" }
