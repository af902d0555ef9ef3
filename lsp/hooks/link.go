package hooks

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

// checkSource returns the info about the source of a link. A source that is a link, or is
// reached through one, is refused: it could lead out of the tree, or to git's own files.
func checkSource(project *os.Root, name string) (fs.FileInfo, error) {
	if err := walk(project, path.Dir(name), nil); err != nil {
		return nil, fmt.Errorf("the source %w", err)
	}
	info, err := project.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("the source does not exist")
	case err != nil:
		return nil, fmt.Errorf("the source cannot be read: %w", err)
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, errors.New("the source is itself a link")
	case !info.IsDir() && !info.Mode().IsRegular():
		return nil, errors.New("the source is neither a file nor a directory")
	}
	return info, nil
}

// walk checks the directories of a path, none of which may be a link. mkdir makes missing
// ones. Without it they are an error.
func walk(root *os.Root, dir string, mkdir func(name string) error) error {
	if dir == "." {
		return nil
	}
	at := ""
	for part := range strings.SplitSeq(dir, "/") {
		at = path.Join(at, part)
		info, err := root.Lstat(at)
		if errors.Is(err, fs.ErrNotExist) && mkdir != nil {
			if err := mkdir(at); err != nil && !errors.Is(err, fs.ErrExist) {
				return err
			}
			// Someone else may have made what is there now.
			info, err = root.Lstat(at)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return errors.New("does not exist")
		case err != nil:
			return fmt.Errorf("cannot be read: %w", err)
		case info.Mode()&fs.ModeSymlink != 0:
			return fmt.Errorf("leads through %q, which is a link", at)
		case !info.IsDir():
			return fmt.Errorf("leads through %q, which is no directory", at)
		}
	}
	return nil
}

// link makes a link of the plan. skipped says why nothing had to be made. An existing target
// is never removed or replaced.
func (p *Plan) link(l *Link) (how, skipped string, err error) {
	if l.Problem != "" {
		return "", "", errors.New(l.Problem)
	}
	project, err := os.OpenRoot(p.Project)
	if err != nil {
		return "", "", err
	}
	defer project.Close()
	tree, err := os.OpenRoot(p.Worktree)
	if err != nil {
		return "", "", err
	}
	defer tree.Close()
	info, err := checkSource(project, l.source)
	if err != nil {
		return "", "", err
	}
	if err := walk(tree, path.Dir(l.target), func(name string) error { return tree.Mkdir(name, 0o755) }); err != nil {
		return "", "", fmt.Errorf("the target %w", err)
	}
	switch _, err := tree.Lstat(l.target); {
	case err == nil:
		return "", "the target exists", nil
	case !errors.Is(err, fs.ErrNotExist):
		return "", "", fmt.Errorf("the target cannot be read: %w", err)
	}
	how, err = makeLink(tree, l, info.IsDir())
	if errors.Is(err, fs.ErrExist) {
		return "", "the target exists", nil
	}
	return how, "", err
}
