package engine

import "bytes"

// StderrHead keeps the beginning of what the guest's runtime prints when it dies, which says why.
type StderrHead struct{ text []byte }

// Write never fails. It discards text over the limit.
func (w *StderrHead) Write(p []byte) (int, error) {
	const most = 512
	w.text = append(w.text, p[:min(len(p), most-len(w.text))]...)
	return len(p), nil
}

// FirstLine returns the reason. A stack trace follows it, which is not worth showing.
func (w *StderrHead) FirstLine() string {
	line, _, _ := bytes.Cut(w.text, []byte{'\n'})
	return string(line)
}
