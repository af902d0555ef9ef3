package setup

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/disk"
	"golang.org/x/mod/semver"
)

const (
	// maxProgram is the size of the largest program that is copied, in bytes.
	maxProgram = 256 << 20
	copyMode   = 0o700
	copyTag    = "program-"
)

// copyPath returns the path of the copy of this program that an editor writes into the
// clients' files: the program in the editor's own folder moves with each version.
func (s *setup) copyPath() string {
	name := "signalbox"
	if s.windows {
		name += ".exe"
	}
	return filepath.Join(s.Env.StateDir(), "bin", name)
}

// keepCopy copies this program to [setup.copyPath] unless that copy is up to date.
func (s *setup) keepCopy() (string, error) {
	to := s.copyPath()
	self, err := os.Executable()
	if err != nil || !s.copyIsDue() {
		return to, err
	}
	return to, copyProgram(self, to)
}

// copyIsDue reports whether there is no copy, or an older one.
func (s *setup) copyIsDue() bool {
	to := s.copyPath()
	self, err := os.Executable()
	return err == nil && !disk.SameFile(self, to) && !s.keeps(self, to, versionOf(to))
}

// keeps reports whether a copy of a version is up to date: it is newer, if another editor
// has a newer release, or it has the same bytes. A copy without a version is not.
func (s *setup) keeps(program, copied, version string) bool {
	switch order := semver.Compare("v"+version, "v"+s.Version); {
	case version == "" || order < 0:
		return false
	case order > 0:
		return true
	}
	return sameBytes(program, copied)
}

// versionTimeout is how long a copy may take to print its version.
const versionTimeout = 5 * time.Second

// versionOf runs a copy to get its version. It returns "" if there is no copy or no answer.
func versionOf(program string) string {
	ctx, cancel := context.WithTimeout(context.Background(), versionTimeout)
	defer cancel()
	out, err := exec.CommandContext(ctx, program, "version", "--json").Output()
	var answer struct {
		Version string `json:"version"`
	}
	if err != nil || json.Unmarshal(out, &answer) != nil {
		return ""
	}
	return answer.Version
}

// sameBytes reports whether two programs are the same. It is false if they are too large
// to be copied.
func sameBytes(a, b string) bool {
	one, err := os.Stat(a)
	two, err2 := os.Stat(b)
	if err != nil || err2 != nil || !two.Mode().IsRegular() || one.Size() != two.Size() || one.Size() > maxProgram {
		return false
	}
	left, err := os.ReadFile(a)
	right, err2 := os.ReadFile(b)
	return err == nil && err2 == nil && bytes.Equal(left, right)
}

func copyProgram(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
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
		// Windows does not replace a running program, but renames it.
		if root.Rename(name, disk.TempPrefix+copyTag+rand.Text()) != nil {
			return err
		}
		if err = w.ReplaceIf(name, program, copyMode, nil); err != nil {
			return err
		}
	}
	return nil
}
