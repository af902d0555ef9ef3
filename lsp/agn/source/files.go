package source

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	agnstore "github.com/signalbox-dev/signalbox/lsp/agn"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// maxBeside is how many files of a folder are searched for other messages of a task.
const maxBeside = 20_000

// Walk calls take for every file below a folder that may hold a message, with its path from
// there and the kind it has in a task directory ("" for none), or the error if it cannot be
// read. It follows no links.
func Walk(ctx context.Context, path string, take func(name, kind string, data []byte, err error) error) error {
	return walk(ctx, path, inLayout(path), messageFile, take)
}

// walk is [Walk] for the wanted files of a folder whose place in the layout is home.
func walk(ctx context.Context, path, home string, wanted func(fs.DirEntry) bool, take func(name, kind string, data []byte, err error) error) error {
	root, err := disk.OpenRoot(path)
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		var data []byte
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.Type().IsRegular() || strings.HasPrefix(d.Name(), ".") || !wanted(d):
			return nil
		default:
			data, _, err = root.ReadRegular(filepath.FromSlash(name), agn.MaxMessage)
		}
		return take(name, agnstore.Kind(home+name, data), data, err)
	})
}

// maxForeign is how many files [Box.Foreign] checks.
const maxForeign = 1000

// Foreign lists the files that are not task messages, such as other tools' records or messages in
// another form. It explains why a directory has no tasks, and returns nil if the directory has tasks.
func (b *Box) Foreign(ctx context.Context) (list []string, err error) {
	if len(b.in.Tasks) > 0 {
		return nil, nil
	}
	seen := 0
	other := func(d fs.DirEntry) bool { return d.Name() != ErrorsName }
	err = walk(ctx, b.in.Path, "", other, func(name, kind string, _ []byte, err error) error {
		switch seen++; {
		case seen > maxForeign:
			return fs.SkipAll
		case kind == "" && err == nil: // unreadable files are among the problems
			list = append(list, name)
		}
		return nil
	})
	return list, err
}

// inLayout returns a folder's place in a task directory, with "/" at the end. "" means
// the task directory itself or a folder elsewhere.
func inLayout(path string) string {
	if info, err := os.Stat(filepath.Join(path, "messages")); err == nil && info.IsDir() {
		return ""
	}
	switch name, up := filepath.Base(path), filepath.Base(filepath.Dir(path)); {
	case slices.Contains([]string{"messages", "acks", "resumes", "tasks"}, name):
		return name + "/"
	case up == "messages" && agn.ValidTaskID(name):
		return up + "/" + name + "/"
	}
	return ""
}

// messageFile reports whether a directory's entry may hold a message.
func messageFile(d fs.DirEntry) bool {
	return d.Type().IsRegular() && strings.HasSuffix(d.Name(), ".json")
}

// Beside returns the sound messages of a folder, by task. Files that cannot be read are
// skipped.
func Beside(folder string) map[string][]agn.Message {
	byTask := map[string][]agn.Message{}
	root, err := disk.OpenRoot(folder)
	if err != nil {
		return byTask
	}
	defer root.Close()
	dir, err := root.Open(".")
	if err != nil {
		return byTask
	}
	defer dir.Close()
	entries, _ := dir.ReadDir(maxBeside)
	for _, d := range entries {
		if !messageFile(d) {
			continue
		}
		data, _, err := root.ReadRegular(d.Name(), agn.MaxMessage)
		if err != nil || !bytes.Contains(data, []byte(agn.Version)) {
			continue
		}
		if m, err := agn.ParseMessage(data); err == nil && len(m.Faults) == 0 {
			byTask[m.TaskID] = append(byTask[m.TaskID], m)
		}
	}
	return byTask
}
