package mcp

import (
	"bytes"
	"io"
	"sync"
)

// written writes to the client, and does what waits for a result to be written: mail is
// marked as read when its text has left, so that a call that is cut off loses nothing.
type written struct {
	out io.Writer

	// writing is held while a line is written and what waited for it is done.
	writing sync.Mutex

	mu sync.Mutex // guards waiting
	// waiting is what to do once a line with a text was written.
	waiting map[string]func()
}

// maxWaiting is how many results are remembered that were never written, as after calls
// that their client cancelled.
const maxWaiting = 1000

// after has do run when a line that holds text was written.
func (w *written) after(text string, do func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting == nil || len(w.waiting) >= maxWaiting {
		w.waiting = make(map[string]func())
	}
	w.waiting[text] = do
}

// Write writes one line of the protocol.
func (w *written) Write(line []byte) (int, error) {
	w.writing.Lock()
	defer w.writing.Unlock()
	n, err := w.out.Write(line)
	if err != nil {
		return n, err
	}
	for _, do := range w.due(line) {
		do()
	}
	return n, nil
}

// settle waits until what was written is done: a client that has read a result may ask
// again before its mail is marked as read.
func (w *written) settle() {
	w.writing.Lock()
	defer w.writing.Unlock()
}

func (w *written) due(line []byte) (due []func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for text, do := range w.waiting {
		if bytes.Contains(line, []byte(text)) {
			due = append(due, do)
			delete(w.waiting, text)
		}
	}
	return due
}

// Close does nothing: the client closes the connection.
func (w *written) Close() error { return nil }
