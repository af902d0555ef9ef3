package engine

import "bytes"

// LastWords keeps the beginning of what the guest's runtime prints when it dies,
// which says why.
type LastWords struct{ text []byte }

// Write never fails, and forgets what is too much.
func (w *LastWords) Write(p []byte) (int, error) {
	const most = 512
	w.text = append(w.text, p[:min(len(p), most-len(w.text))]...)
	return len(p), nil
}

// FirstLine is all that is worth showing: a stack follows.
func (w *LastWords) FirstLine() string {
	line, _, _ := bytes.Cut(w.text, []byte{'\n'})
	return string(line)
}
