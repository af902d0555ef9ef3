//go:build !linux && !darwin && !windows

package activity

// look tells nothing: sessions end here by what their programs say, and by silence.
func look(int) (process, bool) { return process{}, false }

// Programs returns the processes with a name that run in a terminal. It cannot be told here.
func Programs(string) (list []Program, ok bool) { return nil, false }

func arguments(int) string { return "" }
