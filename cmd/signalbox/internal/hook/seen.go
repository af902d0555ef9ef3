package hook

import (
	"context"

	"github.com/signalbox-dev/signalbox/lsp/panel/talk"
)

// remember notes the work trees of the repository in which a session begins, so that the
// session stays listed when its worktree is gone. It may fail: another one is noted then.
func (h *hook) remember(ctx context.Context, e *event) {
	if e.kind == started && e.folder != "" {
		_ = (&talk.Project{Env: h.Env, Folder: e.folder, Peek: true, Now: h.Now}).Note(ctx)
	}
}
