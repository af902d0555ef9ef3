package panel

import (
	"bytes"
	"path/filepath"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/store"
	words "github.com/signalbox-dev/signalbox/lsp/store/mention"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
	"github.com/signalbox-dev/signalbox/lsp/store/tree"
)

// Column is a place in a line, counted in each of the ways that clients count.
type Column struct{ UTF8, UTF16, UTF32 int }

// columnAfter gives the column behind the beginning of a line.
func columnAfter(s []byte) (c Column) {
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

// Place is where something stands in a file that a store knows. It is never made of
// what a message says: the path is that of a file that the store found itself.
type Place struct {
	// Path is absolute.
	Path string
	// Line counts from 0. Start and End are in it; both are zero where only the line
	// is known.
	Line       int
	Start, End Column
}

// lineRead is how much of a line or file is read to tell where in it a word stands.
const lineRead = 256 << 10

// inLine is the place of a word in a line whose beginning is known.
func inLine(path string, line int, before, text []byte) Place {
	start := columnAfter(before)
	return Place{path, max(line, 0), start, start.plus(columnAfter(text))}
}

// wordIn is the place of a token in the line that data begins with, or of the line.
func wordIn(path string, line int, data []byte, token string, but ...string) Place {
	if n, ok := words.Of(token); ok {
		if start, end, ok := n.In(data, but...); ok {
			return inLine(path, line, data[:start], data[start:end])
		}
	}
	return Place{Path: path, Line: max(line, 0)}
}

// wordInFile is the place of a token in a whole file, or the file's beginning.
func wordInFile(path string, data []byte, token string, but ...string) Place {
	n, ok := words.Of(token)
	if !ok {
		return Place{Path: path}
	}
	start, end, ok := n.In(data, but...)
	if !ok {
		return Place{Path: path}
	}
	from := bytes.LastIndexByte(data[:start], '\n') + 1
	return inLine(path, bytes.Count(data[:start], []byte{'\n'}), data[from:start], data[start:end])
}

// filePlace is wordInFile for a file beneath a directory that a store lists.
func filePlace(root, file, token string, but ...string) Place {
	path := filepath.Join(root, filepath.FromSlash(file))
	data, err := tree.ReadFile(root, file, agn.MaxMessage)
	if err != nil {
		return Place{Path: path} // it is there, and the editor may say why it cannot be read
	}
	return wordInFile(path, data, token, but...)
}

// recordPlace is where a record of SAMP lies, at a token of it.
func recordPlace(s opened, m *store.Message, token string) Place {
	path := filepath.Join(s.live.Stats().Path, m.File)
	raw, err := s.live.LineOf(m, lineRead)
	if err != nil {
		return Place{Path: path, Line: max(m.Line-1, 0)}
	}
	return wordIn(path, s.live.NumberOf(m)-1, raw, token)
}

// taskPlace is where a message of AMP/1.0 lies.
func taskPlace(s *ssot.Snapshot, t *ssot.Task, at int) Place {
	return filePlace(s.Path, t.Files[at], t.History.Messages[at].ID)
}

// agentFilePath gives the path of a file of an agent's thread. ok is false for a
// thread that is gone.
func agentFilePath(now *threads.Snapshot, it *threads.Item, name string) (folder, file string, ok bool) {
	f, ok := now.Folder(it.Folder)
	if !ok || it.Gone || f.Gone {
		return "", "", false
	}
	return f.Path, atsf.DirName + "/" + atsf.ThreadsName + "/" + it.Name + "/" + name, true
}

// agentPlaces gives where an agent's thread lies: none if it is gone.
func agentPlaces(now *threads.Snapshot, it *threads.Item) []Place {
	folder, file, ok := agentFilePath(now, it, atsf.ThreadName)
	if !ok {
		return []Place{}
	}
	return []Place{filePlace(folder, file, it.Thread.ID)}
}
