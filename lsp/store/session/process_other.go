//go:build !linux && !darwin && !windows

package session

// look tells nothing: sessions end here by what their programs say, and by silence.
func look(int) (process, bool) { return process{}, false }
