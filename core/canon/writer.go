package canon

import (
	"strconv"
	"unicode/utf8"
)

// Writer writes JSON member by member. A name is empty for the elements of an array and
// for the text's own value. Its small methods are not inlined: the hundreds of copies would
// make the module 10 KB larger, gzipped.
type Writer struct {
	Out []byte
	// Indent is the indentation of one level. It is empty for a text on one line.
	Indent string
	// Colon is the colon with the white space around it.
	Colon string
	// NotUTF8 returns the fault for a text that is not UTF-8. If it is nil, the caller must check
	// the texts.
	NotUTF8 func(name, text string) *Fault
	// Bad is the first fault.
	Bad *Fault

	depth int
}

// Fail sets Bad, unless there is a fault already.
func (w *Writer) Fail(f *Fault) {
	if w.Bad == nil {
		w.Bad = f
	}
}

func (w *Writer) line() {
	if w.Indent == "" {
		return
	}
	w.Out = append(w.Out, '\n')
	for range w.depth {
		w.Out = append(w.Out, w.Indent...)
	}
}

// first reports whether the innermost object or array is still empty.
func (w *Writer) first() bool {
	c := w.Out[len(w.Out)-1]
	return c == '{' || c == '['
}

// Key begins a member or an element, whose value the caller appends to Out.
func (w *Writer) Key(name string) {
	if w.depth > 0 {
		if !w.first() {
			w.Out = append(w.Out, ',')
		}
		w.line()
	}
	if name != "" {
		w.string(name, name)
		w.Out = append(w.Out, w.Colon...)
	}
}

func (w *Writer) string(name, s string) {
	if w.NotUTF8 != nil && !utf8.ValidString(s) {
		w.Fail(w.NotUTF8(name, s))
	}
	w.Out = AppendString(w.Out, s)
}

// Open begins an object or an array.
//
//go:noinline
func (w *Writer) Open(name string, bracket byte) {
	w.Key(name)
	w.Out = append(w.Out, bracket)
	w.depth++
}

// Close ends the innermost object or array.
//
//go:noinline
func (w *Writer) Close(bracket byte) {
	w.depth--
	if !w.first() {
		w.line()
	}
	w.Out = append(w.Out, bracket)
}

// Text writes a string.
func (w *Writer) Text(name, s string) {
	w.Key(name)
	w.string(name, s)
}

// Optional writes a string unless it is empty.
//
//go:noinline
func (w *Writer) Optional(name, s string) {
	if s != "" {
		w.Text(name, s)
	}
}

// Texts writes an array of strings.
func (w *Writer) Texts(name string, list []string) {
	w.Open(name, '[')
	for _, s := range list {
		w.Text("", s)
	}
	w.Close(']')
}

// SomeTexts writes an array of strings unless it is nil.
//
//go:noinline
func (w *Writer) SomeTexts(name string, list []string) {
	if list != nil {
		w.Texts(name, list)
	}
}

// Number writes an integer.
func (w *Writer) Number(name string, n int64) {
	w.Key(name)
	w.Out = strconv.AppendInt(w.Out, n, 10)
}

// Fraction writes a number, which must be finite.
func (w *Writer) Fraction(name string, x float64) {
	w.Key(name)
	w.Out = strconv.AppendFloat(w.Out, x, 'f', -1, 64)
}

// Bool writes true or false.
func (w *Writer) Bool(name string, b bool) {
	w.Key(name)
	w.Out = strconv.AppendBool(w.Out, b)
}

// Raw writes a JSON value unchanged, and nil as null.
//
//go:noinline
func (w *Writer) Raw(name string, value []byte) {
	if value == nil {
		value = []byte("null")
	}
	w.Key(name)
	w.Out = append(w.Out, value...)
}
