package transcript

import (
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/core/excerpt"
	"github.com/signalbox-dev/signalbox/lsp/store/tree"
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
