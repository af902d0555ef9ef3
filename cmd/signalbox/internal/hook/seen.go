package hook

import (
	"context"

	"github.com/signalbox-dev/signalbox/lsp/store/project"
	"github.com/signalbox-dev/signalbox/lsp/store/worktree"
)

// remember notes the work trees of the repository in which a session begins, so that the
// session stays listed when its worktree is gone. It may fail: another one is noted then.
func (h *hook) remember(ctx context.Context, e *event) {
	if e.kind != started || e.folder == "" {
		return
	}
	if r, err := worktree.Find(e.folder); err == nil {
		_ = project.At(h.Env.StateDir()).Note(ctx, h.Now().UnixMilli(), []project.Seen{{Repository: r}}, nil)
	}
}
