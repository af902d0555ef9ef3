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

// Reasons why session files are not listed, as phrases that follow their number.
const (
	unlistedForm   = "in a form that is not read"
	unlistedKind   = "not a regular file"
	unlistedClosed = "that cannot be opened"
	unlistedNames  = "that does not say in which folder it worked"
)

// maxUnlisted is how many of these files are named.
const maxUnlisted = 3

// unlisted counts the files that are not listed for one reason.
type unlisted struct {
	count int
	names []string
}

// count counts a file that is not listed.
func (p *program) count(f *file) {
	u := p.unlisted[f.unlisted]
	if u == nil {
		u = &unlisted{}
		p.unlisted[f.unlisted] = u
	}
	if u.count++; len(u.names) < maxUnlisted {
		u.names = append(u.names, excerpt.Quote(tree.Base(f.Path)))
	}
}

// text returns the count and the reason in words.
func (u *unlisted) text(reason string) string {
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

// foreign reports whether a transcript has an unsupported form: not lines of records, but one
// array, records over several lines, lines joined by CR, or zeros.
func (k *scanner) foreign(f *lines, head []byte) bool {
	log := &session.Log{}
	k.lines(log, head[:bytes.IndexByte(head, '\n')+1], 0, 0)
	if log.Records > 0 {
		return false // nearly all files end here without more reading
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
	// The last record of an array may be alone on its line.
	return log.Prompt == "" && log.Broken > log.Records
}

// begun reports whether the beginning of a transcript is empty, or a single record without a
// line end, complete or not. Its program leaves it like that while it writes the first record.
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
