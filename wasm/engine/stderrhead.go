package engine

import "bytes"

// LastWords keeps the beginning of what the guest's runtime prints when it dies.
// It says why.
type LastWords struct{ text []byte }

// Write never fails, and drops what is too long.
func (w *LastWords) Write(p []byte) (int, error) {
	const most = 512
	w.text = append(w.text, p[:min(len(p), most-len(w.text))]...)
	return len(p), nil
}

// FirstLine returns the reason. A stack follows it, which is not worth showing.
func (w *LastWords) FirstLine() string {
	line, _, _ := bytes.Cut(w.text, []byte{'\n'})
	return string(line)
}
