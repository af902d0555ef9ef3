package mcp

import (
	"bytes"
	"io"
	"sync"
)

// written writes to the client, and runs functions once a result was written: mail is marked as
// read only after its text was sent, so that an interrupted call loses nothing.
type written struct {
	out io.Writer

	// writing is held while a line is written and its functions run.
	writing sync.Mutex

	mu sync.Mutex // guards waiting
	// waiting are the functions to run once a line that contains a text was written.
	waiting map[string]func()
}

// maxWaiting is how many functions wait at most. Those of results that are never
// written, for instance of cancelled calls, stay until then.
const maxWaiting = 1000

// after makes do run when a line that contains text was written.
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

// settle waits until the functions of the last line have run: a client that has read a
// result may call again before its mail is marked as read.
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
