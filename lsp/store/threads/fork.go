package threads

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// MaxFork is the size in bytes of the longest log that can be forked.
const MaxFork = 1 << 30

// Fork makes a thread that begins with another one's messages, all or up to
// p.Through, and names it in parentThreadId. It returns the new one's name, which
// is p.ID or a random UUID v4. Foreign members and lines come along byte for
// byte, and the assets that the lines name are copied: the fork needs nothing of
// its parent, and stays when that is removed.
//
// The parent is not changed; it is locked, so that no half of a message is
// taken over. Fork waits as [Dir.Append] does and fails as [atsf.Fork] does.
func (d *Dir) Fork(ctx context.Context, parent string, p atsf.ForkPlan) (name string, err error) {
	if p.ID == "" {
		p.ID = NewID()
	}
	if p.Created == 0 {
		p.Created = time.Now().UnixMilli()
	}
	if p.ID == parent {
		return "", fmt.Errorf("threads: fork: %q %w", parent, ErrExists)
	}
	w, err := d.write(ctx, parent)
	if err != nil {
		return "", err
	}
	defer w.end()
	meta, _, err := w.meta()
	if err != nil {
		return "", err
	}
	messages, err := readLog(ctx, w.root)
	if err != nil {
		return "", err
	}
	thread, log, err := atsf.Fork(meta, messages, p)
	if err != nil {
		return "", fmt.Errorf("threads: fork %q: %w", parent, err)
	}
	return p.ID, d.put(p.ID, func(root *disk.Root, mode fs.FileMode) error {
		if err := writeNew(root, atsf.ThreadName, thread, mode); err != nil {
			return err
		}
		if err := writeNew(root, atsf.MessagesName, log, mode); err != nil {
			return err
		}
		return d.copyAssets(ctx, parent, root, namedAssets(log))
	})
}

// readLog reads the whole log of a thread.
func readLog(ctx context.Context, root *disk.Root) ([]byte, error) {
	f, info, err := openFile(root, atsf.MessagesName)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > MaxFork {
		return nil, fmt.Errorf("threads: %s is %d bytes long, and at most %d are forked", atsf.MessagesName, info.Size(), MaxFork)
	}
	var data bytes.Buffer
	data.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := data.ReadFrom(&cancelReader{ctx, io.LimitReader(f, MaxFork)}); err != nil {
		return nil, fmt.Errorf("threads: %s: %w", atsf.MessagesName, disk.Cause(err))
	}
	return data.Bytes(), nil
}

// namedAssets returns the names of assets that stand anywhere in a log: blocks
// that nobody knows may refer to some, too. A name in a text costs a copy that
// is not needed, and no more.
func namedAssets(log []byte) []string {
	const begin = "sha256-"
	var names []string
	seen := make(map[string]bool)
	for {
		i := bytes.Index(log, []byte(begin))
		if i < 0 {
			return names
		}
		n := i + len(begin)
		for n < len(log) && isNamePart(log[n]) {
			n++
		}
		name := string(log[i:n])
		log = log[n:]
		if _, err := atsf.ParseAssetName(name); err == nil && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
}

func isNamePart(c byte) bool {
	return c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// copyAssets copies the assets of a thread that are there.
func (d *Dir) copyAssets(ctx context.Context, parent string, to *disk.Root, names []string) error {
	if len(names) == 0 {
		return nil
	}
	from, err := d.openAssets(parent)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer from.Close()
	if err := to.Mkdir(atsf.AssetsName, to.DirMode()); err != nil {
		return disk.Cause(err)
	}
	assets, err := to.OpenRoot(atsf.AssetsName)
	if err != nil {
		return disk.Cause(err)
	}
	defer assets.Close()
	for _, name := range names {
		// What is not there, or is a link, is missing in the parent as well.
		if info, err := from.Lstat(name); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if err := copyFile(ctx, from, assets, name); err != nil {
			return err
		}
	}
	return assets.Sync()
}
