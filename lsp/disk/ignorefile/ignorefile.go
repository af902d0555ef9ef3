// Package ignorefile keeps sync tools from copying files that belong to one machine:
// watermarks, locks, unfinished files, private keys. It writes the .stignore of Syncthing
// and the .gitignore of git, and never changes or drops a line that someone else wrote.
//
// Start with [Look].
package ignorefile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// The ignore files, and the names in a folder that show that a tool syncs it.
const (
	Syncthing = ".stignore"
	Git       = ".gitignore"

	stMarker  = ".stfolder"
	gitMarker = ".git"
)

// maxFile is the length in bytes of the longest ignore file that is read.
const maxFile = 1 << 20

// Rules are the files of a directory that must not be synced, as paths relative to it with
// "/" between the names, * for anything within a name, and "**/" in front for any depth. They
// are written in this order.
type Rules struct {
	Dir string
	// Ignore are the rules.
	Ignore []string
	// Own is set if the directory holds only files of its format. Then the ignore file is
	// written even if no tool syncs the directory yet: it has to exist before a tool first
	// reads the directory.
	Own bool
}

// File is an ignore file that is missing or lacks rules.
type File struct {
	// Path is the file's path. Name is [Syncthing] or [Git].
	Path, Name string
	// Folder is the folder that the tool syncs. Found is set if the tool syncs it now.
	Folder string
	Found  bool
	// Missing are the missing lines, in the tool's own form.
	Missing []string

	old  []byte
	info fs.FileInfo
	// Err is why the file cannot be read. It cannot be written then either.
	Err error
}

// Look returns the ignore files that lack rules of a directory: the .stignore of each
// Syncthing folder around it, which has a .stfolder, and the .gitignore of the git work tree.
// A directory with [Rules.Own] needs a .stignore in any case. The error is [fs.ErrNotExist]
// if the directory does not exist. Look writes nothing.
func Look(r Rules) ([]File, error) {
	abs, err := filepath.Abs(r.Dir)
	if err == nil {
		// A tool sees the folder itself and not a link to it.
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, fmt.Errorf("ignorefile: %q: %w", r.Dir, disk.Cause(err))
	}
	var files []File
	repo := ""
	synced := false
	for at := abs; ; at = filepath.Dir(at) {
		if exists(at, stMarker) {
			synced = true
			files = append(files, File{Path: filepath.Join(at, Syncthing), Name: Syncthing, Folder: at, Found: true})
		}
		if repo == "" && exists(at, gitMarker) {
			repo = at
		}
		if filepath.Dir(at) == at {
			break
		}
	}
	if r.Own && !synced {
		files = append(files, File{Path: filepath.Join(abs, Syncthing), Name: Syncthing, Folder: abs})
	}
	if r.Own && repo != "" {
		// git reads the .gitignore of every folder, so the rules can be in the directory
		// itself.
		files = append(files, File{Path: filepath.Join(abs, Git), Name: Git, Folder: abs, Found: true})
	}
	lacking := files[:0]
	for _, f := range files {
		if f.read(); f.Err == nil {
			f.findMissing(abs, r.Ignore)
		}
		if f.Err != nil || len(f.Missing) > 0 {
			lacking = append(lacking, f)
		}
	}
	return lacking, nil
}

func exists(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, name))
	return err == nil
}

// read reads the file without following a link: a user who has it elsewhere must change it
// there.
func (f *File) read() {
	root, err := disk.OpenRoot(f.Folder)
	if err == nil {
		defer root.Close()
		f.old, f.info, err = root.ReadRegular(f.Name, maxFile)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err == nil && f.info != nil && f.info.Size() > maxFile {
		err = fmt.Errorf("it is longer than %d bytes", maxFile)
	}
	f.Err = disk.Cause(err)
}

// findMissing adds the rules that no line of the file covers to Missing.
func (f *File) findMissing(dir string, rules []string) {
	prefix := "/"
	if rel, err := filepath.Rel(f.Folder, dir); err == nil && rel != "." {
		prefix += plain(filepath.ToSlash(rel)) + "/"
	}
	have := make(map[string]bool)
	for l := range strings.Lines(string(f.old)) {
		have[bare(l)] = true
	}
	for _, rule := range rules {
		var lines []string
		deep, ok := strings.CutPrefix(rule, "**/")
		switch {
		case ok && f.Name == Syncthing:
			// In Syncthing "a/**/b" needs a folder between the two.
			lines = []string{prefix + deep, prefix + rule}
		default:
			lines = []string{prefix + rule}
		}
		for _, l := range lines {
			// A name without a folder matches at every depth.
			if !have[strings.TrimPrefix(l, "/")] && !have[path.Base(l)] {
				f.Missing = append(f.Missing, l)
			}
		}
	}
}

// bare returns a line without the parts that do not change which names it matches. One of
// these is "!": a line that asks for a file to be synced is a user's decision, so no rule is
// added against it.
func bare(line string) string {
	line = strings.TrimSpace(line)
	for {
		was := line
		line = strings.TrimPrefix(line, "!")
		for _, flag := range []string{"(?d)", "(?i)"} {
			line = strings.TrimPrefix(line, flag)
		}
		if line == was {
			break
		}
	}
	if strings.HasPrefix(line, "//") {
		return "//" // a comment
	}
	return strings.TrimPrefix(line, "/")
}

// plain returns a pattern that matches a path. Syncthing has no escapes on Windows, so on all
// systems each special character becomes "?", which matches any character.
func plain(path string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`*?[]{}\,!`, r) {
			return '?'
		}
		return r
	}, path)
}

// about is the comment line above our rules.
const about = "signalbox doctor --fix: belongs to one machine alone"

// Text returns the content of the file with the missing lines. All other lines stay as they
// were.
func (f *File) Text() []byte {
	end := "\n"
	if bytes.Contains(f.old, []byte("\r\n")) {
		end = "\r\n"
	}
	if f.Name == Git {
		// In git the last matching rule counts.
		return f.insert(f.old, nil, "# "+about, end)
	}
	// In Syncthing the first matching rule counts. Ours go to the top, below our comment or
	// a directive that must be the first line.
	at := 0
	if bytes.HasPrefix(f.old, []byte("#escape")) {
		at = lineEnd(f.old, 0)
	}
	if i := bytes.Index(f.old, []byte("// "+about)); i >= 0 {
		at = lineEnd(f.old, i)
	}
	return f.insert(f.old[:at], f.old[at:], "// "+about, end)
}

func lineEnd(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// insert puts the missing lines between two parts of the file.
func (f *File) insert(before, after []byte, head, end string) []byte {
	text := slices.Clone(before)
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, end...)
	}
	if !bytes.Contains(f.old, []byte(head)) {
		text = append(text, head+end...)
	}
	for _, l := range f.Missing {
		text = append(text, l+end...)
	}
	return append(text, after...)
}

// ErrChanged is returned by [File.Write] if the file is no longer what [Look] found.
var ErrChanged = errors.New("changed meanwhile; run it again")

// Write adds the missing rules in one step: a reader sees either the old file or the new one.
// It keeps the file's mode.
func (f *File) Write() error {
	if f.Err != nil {
		return f.Err
	}
	root, err := disk.OpenRoot(f.Folder)
	if err != nil {
		return disk.Cause(err)
	}
	defer root.Close()
	w := disk.Whole{Root: root}
	if f.info == nil {
		if err = w.Add(f.Name, f.Text()); errors.Is(err, fs.ErrExist) {
			err = ErrChanged
		}
		return err
	}
	return w.ReplaceIf(f.Name, f.Text(), f.info.Mode().Perm(), func(at *disk.Root) error {
		now, info, err := at.ReadRegular(f.Name, maxFile)
		if err != nil || !os.SameFile(info, f.info) || !bytes.Equal(now, f.old) {
			return errors.Join(ErrChanged, err)
		}
		return nil
	})
}
