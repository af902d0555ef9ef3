package setup

import (
	"crypto/rand"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

const (
	// maxProgram is the length in bytes of the longest program that is copied.
	maxProgram = 256 << 20
	copyMode   = 0o700
	copyTag    = "program-"
)

// copyPath is where the copy of this program lies that an editor writes into the clients'
// files: the program in the editor's own folder moves with each of its versions.
func (s *setup) copyPath() string {
	name := "signalbox"
	if s.windows {
		name += ".exe"
	}
	return filepath.Join(s.Env.StateDir(), "bin", name)
}

// keepCopy copies this program to [setup.copyPath], unless the copy is as new.
func (s *setup) keepCopy() (string, error) {
	to := s.copyPath()
	self, err := os.Executable()
	if err != nil || sameFile(self, to) {
		return to, err
	}
	return to, copyProgram(self, to)
}

// copyProgram copies a program, unless the copy is as new or newer: another editor may
// have brought a newer one. The copy has the time of the program.
func copyProgram(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if have, err := os.Stat(to); err == nil && have.Mode().IsRegular() && asNew(have, info) {
		return nil
	}
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	defer file.Close()
	root, err := disk.Disk{}.MakeRoot(filepath.Dir(to), disk.PrivateDir)
	if err != nil {
		return err
	}
	defer root.Close()
	defer root.SweepAll(copyTag)
	program, err := io.ReadAll(io.LimitReader(file, maxProgram))
	if err != nil {
		return err
	}
	if int64(len(program)) != info.Size() {
		return fmt.Errorf("%q is longer than %d bytes, or was replaced meanwhile", from, maxProgram)
	}
	name := filepath.Base(to)
	w := disk.Whole{Root: root, Tag: copyTag}
	if err = w.ReplaceIf(name, program, copyMode, nil); err != nil {
		// Windows replaces no program that runs, and lets it have another name.
		if root.Rename(name, disk.TempPrefix+copyTag+rand.Text()) != nil {
			return err
		}
		if err = w.ReplaceIf(name, program, copyMode, nil); err != nil {
			return err
		}
	}
	return root.Chtimes(name, time.Time{}, info.ModTime())
}

// asNew reports whether a copy need not be made again. Programs of one time and several
// sizes are builds of a system that gives all files one time.
func asNew(have, program fs.FileInfo) bool {
	if have.ModTime().Equal(program.ModTime()) {
		return have.Size() == program.Size()
	}
	return have.ModTime().After(program.ModTime())
}
