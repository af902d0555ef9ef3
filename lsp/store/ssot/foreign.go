package ssot

import (
	"context"
	"io/fs"
	"path"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// maxForeign is how many files [Foreign] looks at.
const maxForeign = 1000

// Foreign lists the files of a directory that hold nothing that counts: other tools'
// records, or messages in another form. It looks at the first 1000 files, and not at those
// whose names begin with a dot. It is for telling a user why there are no tasks.
func Foreign(ctx context.Context, dir string) ([]string, error) {
	root, err := disk.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var list []string
	seen := 0
	err = fs.WalkDir(root.FS(), ".", func(file string, d fs.DirEntry, err error) error {
		switch name := path.Base(file); {
		case ctx.Err() != nil:
			return ctx.Err()
		case seen == maxForeign:
			return fs.SkipAll
		case file != "." && (strings.HasPrefix(name, ".") || name == "node_modules"):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case err != nil || !d.Type().IsRegular() || file == ErrorsName:
			return nil // what cannot be read is among the snapshot's problems
		}
		seen++
		data, _, err := root.ReadRegular(file, maxRead)
		if err != nil || Kind(file, data) == "" {
			list = append(list, file)
		}
		return nil
	})
	return list, err
}
