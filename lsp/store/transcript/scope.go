package transcript

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/store/disk"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

// scope is the checkouts in which sessions count. It is never changed.
type scope []threads.Folder

func findScope(ctx context.Context, folders []string) scope { return threads.Checkouts(ctx, folders) }

// same reports whether the same folders are the same checkouts.
func (s scope) same(o scope) bool {
	return slices.EqualFunc(s, o, func(a, b threads.Folder) bool {
		return a.ID == b.ID && a.Branch == b.Branch && a.Gone == b.Gone
	})
}

// maxPath is the length in bytes of the longest folder that is looked for.
const maxPath = 4096

// find returns the ID of the innermost checkout that a folder lies in, or "". A folder
// that is no more counts by its name: git still lists a removed worktree, or it lay in
// another checkout.
func (s scope) find(folder string) string {
	if !filepath.IsAbs(folder) || len(folder) > maxPath {
		return ""
	}
	real := disk.Resolve(filepath.Clean(folder))
	var best *threads.Folder
	for i := range s {
		f := &s[i]
		if rel, err := filepath.Rel(f.Path, real); err == nil && filepath.IsLocal(rel) && (best == nil || len(f.Path) > len(best.Path)) {
			best = f
		}
	}
	if best == nil {
		return ""
	}
	return best.ID
}
