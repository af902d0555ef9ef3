package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// Compose builds the record of a new message (§4, §5). An empty thread is
// derived from the body, where "[thread:name]" overrides it; one that is given,
// as a reply's is, is taken as it stands. The date is local in V1 and UTC in
// V1Compact. Errors are a *[samp.Fault] naming the rule.
func Compose(now time.Time, p samp.Profile, from, to, thread, body string) (samp.Record, error) {
	if thread == "" {
		if p == samp.V1Compact {
			now = now.UTC()
		}
		thread, body = samp.DeriveThread(body, from, now.Format(time.DateOnly), p)
	}
	return samp.Build(from, to, thread, body, now.Unix(), p)
}

// CheckWriter returns a *[samp.Fault] of rule L2 unless alias may write here:
// it is valid, is not how a sync tool calls its copy of a log, and no log stands here
// under another spelling of it, which a file system without case would take for the
// same file.
func (d *Dir) CheckWriter(alias string) error {
	if err := samp.CheckAlias(alias); err != nil {
		return err
	}
	if owner, ok := copyOf(alias); ok {
		return &samp.Fault{
			Rule: "L2", Field: "from",
			Reason: fmt.Sprintf("alias %q is what a sync tool calls its copy of %q's log", alias, owner),
		}
	}
	logs, _, err := d.Logs()
	if err != nil {
		return err
	}
	if other, found := sameButCase(logs, alias); found {
		return &samp.Fault{
			Rule: "L2", Field: "from",
			Reason: fmt.Sprintf("alias %q differs only in case from %q, which has a log here", alias, other),
		}
	}
	return nil
}

// Append writes a record to the log of its sender, and to no other (rules W1
// to W4): one line in one write with O_APPEND, so that several processes under
// one alias lose nothing; a line end first if the log's last line is torn, so
// that the tear costs only itself. What a failed write left behind is removed.
//
// It returns the log's path. The caller has checked the alias with
// [Dir.CheckWriter].
func (d *Dir) Append(r *samp.Record) (path string, err error) {
	name := samp.LogName(r.From)
	path = filepath.Join(d.path, name)
	f, err := d.openRegular(name, os.O_RDWR|os.O_APPEND|os.O_CREATE, d.logMode())
	if err != nil {
		return path, err
	}
	err = appendLine(f, r.Append(nil))
	if err = errors.Join(err, f.Close()); err != nil {
		return path, fmt.Errorf("store: append to %q: %w", path, disk.Cause(err))
	}
	return path, nil
}

// logMode is 0600, or 0640 where the directory is shared with a group.
func (d *Dir) logMode() fs.FileMode {
	const group = 0o030
	if info, err := d.root.Stat("."); err == nil && info.Mode().Perm()&group == group {
		return 0o640
	}
	return 0o600
}

// appended is the part of a file that appending needs, so that a test can give
// one that fails.
type appended interface {
	Write([]byte) (int, error)
	ReadAt([]byte, int64) (int, error)
	Stat() (fs.FileInfo, error)
	Truncate(int64) error
	Sync() error
}

func appendLine(f appended, line []byte) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	if size > 0 {
		var last [1]byte
		if _, err := f.ReadAt(last[:], size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			line = append([]byte{'\n'}, line...)
		}
	}
	n, err := f.Write(line)
	if err != nil {
		return errors.Join(err, undo(f, line[:n]))
	}
	return f.Sync()
}

// undo removes the beginning of a line that could not be written whole, if it
// still is the end of the file. If another process has appended behind it in
// the meantime, it stays as a torn line, which readers skip: cutting there
// would lose the other's message.
func undo(f appended, part []byte) error {
	if len(part) == 0 {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	start := info.Size() - int64(len(part))
	tail := make([]byte, len(part))
	if start < 0 {
		return nil
	}
	if _, err := f.ReadAt(tail, start); err != nil {
		return err
	}
	if string(tail) != string(part) {
		return errors.New("the written part stays behind as a torn line, since another process wrote after it")
	}
	return f.Truncate(start)
}
