package turns

import (
	"context"
	"path/filepath"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/edits"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

const (
	// editedMost is how many of a checkout's newest conversations are searched for edits, and
	// editPage how many of the newest messages in each.
	editedMost = 20
	editPage   = 200
	// editLines is how many lines of an edit are cached, and editsKept how many lines of one
	// conversation.
	editLines = 400
	editsKept = 4_000
	// conversationsKept is how many conversations' edits are cached.
	conversationsKept = RecentMost + 2*editedMost
)

// Editing is a conversation that is searched for changes to files.
type Editing interface {
	Conversation
	// Root returns the checkout it belongs to.
	Root() string
	// Newest calls each with the newest messages, oldest first. line is the line's number, or 0 if
	// that is not known.
	Newest(ctx context.Context, most int, each func(cursor string, line int64, m *atsf.Message)) error
}

// Edits caches the changes to files in conversations, until their logs grow.
type Edits struct {
	mu   sync.Mutex
	kept map[panel.Ref]kept
}

type kept struct {
	size int64
	list []edit
	cut  bool // there were more
}

// edit is a change with the file's absolute path.
type edit struct {
	path string
	panel.FileEdit
	tool           int // the index of the tool call in the message
	added, removed int
}

// Of returns the changes to a file in conversations, which must be newest first. A
// conversation that cannot be read has none, since its page shows the error.
func (e *Edits) Of(ctx context.Context, file string, all []Editing) (list []panel.FileEdit) {
	file = filepath.Clean(file)
	left := editedMost
	for _, c := range all {
		root := c.Root()
		if root == "" || !strings.HasPrefix(file, strings.TrimRight(filepath.Clean(root), `/\`)+string(filepath.Separator)) {
			continue
		}
		if left--; left < 0 || ctx.Err() != nil {
			break
		}
		for _, it := range e.in(ctx, c).list {
			if it.path == file {
				list = append(list, it.FileEdit)
			}
		}
	}
	return list
}

// Changes returns the changes to files in the newest messages of a conversation. Once the
// context is done, it returns only cached changes. A read that has begun is finished, so that
// a caller with little time makes progress with every call.
func (e *Edits) Changes(ctx context.Context, c Editing) panel.FileChanges {
	if ctx.Err() != nil && !e.has(c) {
		return panel.FileChanges{Unread: true}
	}
	k := e.in(context.WithoutCancel(ctx), c)
	list := make([]panel.FileChange, 0, len(k.list))
	for _, it := range k.list {
		list = append(list, panel.FileChange{Path: it.path, Added: it.added, Removed: it.removed, Message: it.Message, Tool: it.tool})
	}
	return panel.FileChanges{Changes: list, Cut: k.cut}
}

// has reports whether a conversation's current changes are cached.
func (e *Edits) has(c Editing) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	k, ok := e.kept[c.Ref()]
	return ok && k.size == c.Size()
}

// in returns the changes in a conversation.
func (e *Edits) in(ctx context.Context, c Editing) kept {
	e.mu.Lock()
	defer e.mu.Unlock()
	k, ok := e.kept[c.Ref()]
	if ok && k.size == c.Size() {
		return k
	}
	k = kept{size: c.Size()}
	lines, messages := 0, 0
	err := c.Newest(ctx, editPage, func(cursor string, _ int64, m *atsf.Message) {
		messages++
		for i := range m.Tools {
			d := m.Tools[i].Diff
			if d == nil || m.Tools[i].State() == atsf.Failed {
				continue
			}
			it := edit{path: filepath.Clean(d.Path), tool: i}
			if !filepath.IsAbs(it.path) {
				it.path = filepath.Join(c.Folder(), it.path)
			}
			it.added, it.removed = changedLines(d.Old, d.New)
			it.Text = edits.Changed(d.Old, d.New, editLines)
			it.Thread, it.Message, it.Title, it.By = c.Ref(), c.Line(cursor), c.Title(), c.Speaker(m)[0]
			if m.Time.OK {
				it.Time = show.Time(m.Time.Millis)
			}
			lines += len(it.Text)
			k.list = append(k.list, it)
		}
	})
	if err != nil {
		return kept{}
	}
	k.cut = messages >= editPage
	for lines > editsKept {
		lines -= len(k.list[0].Text)
		k.list, k.cut = k.list[1:], true
	}
	if e.kept == nil || len(e.kept) >= conversationsKept {
		e.kept = make(map[panel.Ref]kept)
	}
	e.kept[c.Ref()] = k
	return k
}
