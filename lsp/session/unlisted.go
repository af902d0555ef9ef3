package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/signalbox-dev/signalbox/core/excerpt"
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// Why files that are sessions are in no list, in words that follow their number.
const (
	unreadForm   = "in a form that is not read"
	unreadKind   = "not a regular file"
	unreadClosed = "that cannot be opened"
	unreadNames  = "that does not say in which folder it worked"
)

// maxUnread is how many of such files are named.
const maxUnread = 3

// unread counts the files that are not read for one reason.
type unread struct {
	count int
	names []string
}

// count counts a file that is not read.
func (p *program) count(f *file) {
	u := p.unread[f.unread]
	if u == nil {
		u = &unread{}
		p.unread[f.unread] = u
	}
	if u.count++; len(u.names) < maxUnread {
		u.names = append(u.names, excerpt.Quote(tree.Base(f.Path)))
	}
}

// text says what was counted.
func (u *unread) text(reason string) string {
	files, more := "1 file ", ""
	if u.count > 1 {
		files = fmt.Sprintf("%d files ", u.count)
		reason = strings.NewReplacer("a regular file", "regular files", "does not say", "do not say", "it worked", "they worked").Replace(reason)
	}
	if u.count > len(u.names) {
		more = " and others"
	}
	return files + reason + ": " + strings.Join(u.names, ", ") + more
}

// foreign reports whether a transcript is in a form that is not read: not lines of records,
// but one array, records over several lines, lines joined by CR, or zeros.
func (k *looker) foreign(f *lines, head []byte) bool {
	log := &session.Log{}
	k.lines(log, head[:bytes.IndexByte(head, '\n')+1], 0, 0)
	if log.Records > 0 {
		return false // as nearly all are: no more is to be read
	}
	size, err := f.size()
	if err != nil || int64(len(head)) >= size && begun(head) {
		return false
	}
	if log, err = k.log(f, head, size, "", session.Facts{}); err != nil {
		return false
	}
	if log.Records == 0 {
		return size > longLine || !begun(head)
	}
	// The last record of an array may stand alone on its line.
	return log.Prompt == "" && log.Broken > log.Records
}

// begun reports whether the beginning of a transcript is nothing, or one record without a
// line end, whole or not, as its program leaves it while it writes the first one.
func begun(head []byte) bool {
	line := bytes.TrimSpace(session.Unmarked(head))
	if len(line) == 0 {
		return true
	}
	if line = bytes.TrimLeft(line, "\x00"); len(line) == 0 || line[0] != '{' || bytes.IndexByte(line, '\n') >= 0 {
		return false
	}
	var record json.RawMessage
	from := json.NewDecoder(bytes.NewReader(line))
	err := from.Decode(&record)
	return err == nil && from.InputOffset() == int64(len(line)) || errors.Is(err, io.ErrUnexpectedEOF)
}
