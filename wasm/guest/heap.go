package main

import "runtime"

// look is after how many bytes of calls the heap is looked at, and garbage how many
// bytes of it may lie in the heap then.
const look, garbage = 1 << 20, 8 << 20

// heap has garbage collected between two calls. A collection within a call takes
// longer, since there is one thread: all that the call does while it goes on is done
// under its barriers. Together with the module's larger target this halves an inbox of 10 MB that is
// all shown, and leaves 59 MB of linear memory instead of 125.
type heap struct {
	// calls counts bytes since the heap was looked at, and live is what it held
	// after the last collection.
	calls int
	live  uint64
}

// after is told of each call's bytes.
func (h *heap) after(bytes int) {
	if h.calls += bytes; h.calls < look {
		return
	}
	h.calls = 0
	var now runtime.MemStats
	runtime.ReadMemStats(&now) // 7 µs
	if now.HeapAlloc < h.live+garbage {
		return
	}
	runtime.GC()
	runtime.ReadMemStats(&now)
	h.live = now.HeapAlloc
}
