// Package place finds the place of a token in a file of a store, for editors.
package place

import (
	"bytes"
	"path/filepath"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/mention"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// Column is a place in a line, counted in each unit that clients use.
type Column struct{ UTF8, UTF16, UTF32 int }

// after returns the column at the end of s, which begins a line.
func after(s []byte) (c Column) {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRune(s[i:])
		i += size
		c.UTF8 += size
		c.UTF32++
		c.UTF16++
		if r > 0xffff {
			c.UTF16++
		}
	}
	return c
}

func (c Column) plus(d Column) Column {
	return Column{c.UTF8 + d.UTF8, c.UTF16 + d.UTF16, c.UTF32 + d.UTF32}
}

// Place is a place in a file of a store. The path is always one that the store found
// itself, never one that a message names.
type Place struct {
	// Path is absolute.
	Path string
	// Line counts from 0. Start and End are columns in it. Both are zero if only the
	// line is known.
	Line       int
	Start, End Column
}

// LineBytes is how many bytes of a line are read to find a word in it.
const LineBytes = 256 << 10

// Word returns the place of a word in a line. before is the line up to the word.
func Word(path string, line int, before, word []byte) Place {
	start := after(before)
	return Place{path, max(line, 0), start, start.plus(after(word))}
}

// InLine returns the place of a token in the line that data begins with, or the place
// of the line if the token is not in it. The members in except are not searched.
func InLine(path string, line int, data []byte, token string, except ...string) Place {
	if n, ok := mention.Of(token); ok {
		if start, end, ok := n.In(data, except...); ok {
			return Word(path, line, data[:start], data[start:end])
		}
	}
	return Place{Path: path, Line: max(line, 0)}
}

// InText returns the place of a token in a whole file, or the file's beginning if the token is not
// in it.
func InText(path string, data []byte, token string, except ...string) Place {
	n, ok := mention.Of(token)
	if !ok {
		return Place{Path: path}
	}
	start, end, ok := n.In(data, except...)
	if !ok {
		return Place{Path: path}
	}
	from := bytes.LastIndexByte(data[:start], '\n') + 1
	return Word(path, bytes.Count(data[:start], []byte{'\n'}), data[from:start], data[start:end])
}

// InFile reads a file beneath a directory that a store lists, and returns the place
// of a token in it as [InText] does.
func InFile(root, file, token string, except ...string) Place {
	path := Join(root, file)
	data, err := tree.ReadFile(root, file, agn.MaxMessage)
	if err != nil {
		return Place{Path: path} // the file exists, and an editor may show why it cannot be read
	}
	return InText(path, data, token, except...)
}

// Join returns the path of a file beneath a root. file is written with slashes.
func Join(root, file string) string { return filepath.Join(root, filepath.FromSlash(file)) }
