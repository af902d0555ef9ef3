package agn

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/excerpt"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// ErrorsName is the error log, a list of refused messages (rule E0).
const ErrorsName = "errors.jsonl"

// Bounds on the error log: its newest part is read, and its newest lines kept.
const (
	maxLog    = 64 << 20
	maxLogged = 10_000
	maxBadLog = 20
)

// logged is a line of the error log, without the text.
type logged struct {
	agn.Rejection
	// sent is set where no file ever held it: the line has the text.
	sent bool
	// msg is what could be read of the text, if there is one.
	msg *agn.Message
}

// conflict reports whether the log holds a sound message that was too late for
// its name (rule E1).
func (l *logged) conflict() bool {
	return l.msg != nil && len(l.msg.Faults) == 0 && slices.ContainsFunc(l.Faults, func(f canon.Fault) bool { return f.Rule == "E1" })
}

// key names what a rejection is about: the same text from the same file.
type key struct{ source, digest string }

// maxName bounds what the error log says of a message that may say anything.
const maxName = 1024

func keyOf(source, digest string) key { return key{excerpt.ClipTo(source, maxName), digest} }

// logReader reads the error log as it grows (rule E0).
type logReader struct {
	tree.Stamp
	again bool
	// offset is the end of the last whole line, line its number, 0 where the
	// beginning was not read. tail is what stands before offset, in a hash, to
	// notice another file.
	offset  int64
	line    int
	tail    [sha256.Size]byte
	entries []*logged
	// known has every line that was read, nil for one that entries dropped.
	known map[key]*logged
	// fresh are those that the last look found.
	fresh []*logged
	bad   []Problem
	more  int // bad lines beyond maxBadLog
	// fault is why it cannot be read.
	fault *Problem
}

// tailSize is how much of a log is compared to see that it only grew.
const tailSize = 4096

// refresh reads what is new. anew is set where it may not only have grown.
func (l *logReader) refresh(f tree.Folder) (changed, anew bool) {
	i, err := f.Stat(ErrorsName)
	if errors.Is(err, fs.ErrNotExist) {
		changed = l.offset > 0 || l.fault != nil
		*l = logReader{}
		return changed, changed
	}
	if err == nil && i.Stamp == l.Stamp && !l.again {
		return false, false
	}
	if err == nil && !i.Kind.IsRegular() {
		err = &disk.KindError{Kind: i.Kind}
	}
	var file *os.File
	if err == nil {
		file, i, err = f.File(ErrorsName)
	}
	if err != nil {
		fault := Problem{Path: ErrorsName, Rule: "E0", Reason: disk.Cause(err).Error(), Advice: "put a regular file that can be read in its place, or remove it"}
		changed = l.fault == nil || *l.fault != fault
		*l = logReader{fault: &fault, again: true}
		return changed, changed
	}
	defer file.Close()
	grew := l.fault == nil && i.Inode == l.Inode && i.Size >= l.offset && (i.Size > l.Size || i.Mtime == l.Mtime) && l.tail == tailOf(file, l.offset)
	if !grew {
		anew = l.offset > 0 || l.fault != nil
		*l = logReader{}
	}
	before := l.offset
	l.fresh = nil
	l.Stamp, l.again = i.Stamp, i.Young()
	if err := l.read(file, i.Size); err != nil {
		l.again = true
		l.fault = &Problem{Path: ErrorsName, Rule: "E0", Reason: "cannot be read: " + disk.Cause(err).Error()}
		return true, true
	}
	l.tail = tailOf(file, l.offset)
	return anew || l.offset != before, anew
}

// tailOf hashes what stands before an offset.
func tailOf(file *os.File, offset int64) (sum [sha256.Size]byte) {
	part := make([]byte, min(offset, tailSize))
	n, _ := file.ReadAt(part, offset-int64(len(part)))
	return sha256.Sum256(part[:n])
}

// read takes the whole lines from offset on. The last one, if it is not
// finished, waits for its end.
func (l *logReader) read(file *os.File, size int64) error {
	ctx := context.Background() // at most maxLog bytes are read
	numbered := l.line > 0 || l.offset == 0
	from := max(l.offset, size-maxLog)
	end, err := jsonl.End(ctx, io.NewSectionReader(file, from, size-from), size-from)
	if err != nil {
		return err
	}
	if end += from; from > l.offset {
		l.bad = append(l.bad, Problem{Path: ErrorsName, Rule: "E0", Reason: fmt.Sprintf("the log is longer than %d MiB, and only its end is read", maxLog>>20), Advice: "move it elsewhere; a new one is begun"})
		if end == from {
			// One line is longer than all that is read.
			l.offset, l.line = size, 0
			return nil
		}
		next, err := jsonl.FirstBreak(ctx, file, from, end)
		if err != nil {
			return err
		}
		l.offset, l.line, numbered = next+1, 0, false
	}
	lines := jsonl.Forward{R: file, At: l.offset, End: end}
	for {
		line, err := lines.Next(ctx)
		if errors.Is(err, jsonl.ErrEnd) {
			return nil
		}
		if err != nil {
			return err
		}
		if numbered {
			l.line++
		}
		if line.Long {
			l.fail("the line is too long")
		} else {
			l.take(line.Raw)
		}
		l.offset = lines.At
	}
}

// take reads one line.
func (l *logReader) take(line []byte) {
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	r, err := agn.ParseRejection(line)
	if err != nil {
		f, _ := errors.AsType[*canon.Fault](err)
		l.fail(f.Reason)
		return
	}
	e := &logged{Rejection: r, sent: r.Text != ""}
	if e.sent {
		if msg, err := agn.ParseMessage([]byte(r.Text)); err == nil {
			keep(&msg)
			shorten(&msg, keepTexts)
			e.msg = &msg
		}
		e.Text = ""
	}
	k := keyOf(r.Source, r.Digest)
	if _, again := l.known[k]; again {
		return // two programs may log it
	}
	if l.known == nil {
		l.known = make(map[key]*logged)
	}
	l.known[k] = e
	l.fresh = append(l.fresh, e)
	if l.entries = append(l.entries, e); len(l.entries) > maxLogged {
		old := l.entries[0]
		l.known[keyOf(old.Source, old.Digest)] = nil
		l.entries = l.entries[1:]
	}
}

// fail notes a line that cannot be read.
func (l *logReader) fail(reason string) {
	if len(l.bad) >= maxBadLog {
		l.more++
		return
	}
	at := fmt.Sprintf("line %d", l.line)
	if l.line == 0 {
		at = fmt.Sprintf("the line at byte %d", l.offset)
	}
	l.bad = append(l.bad, Problem{Path: ErrorsName, Rule: "E0", Reason: at + ": " + reason, Advice: "remove the line, or leave it: the others count"})
}

// problems lists what is wrong with the log.
func (l *logReader) problems() []Problem {
	list := l.bad
	if l.fault != nil {
		list = append(list[:len(list):len(list)], *l.fault)
	}
	if l.more > 0 {
		list = append(list[:len(list):len(list)], Problem{Path: ErrorsName, Rule: "E0", Reason: fmt.Sprintf("%d more lines cannot be read", l.more)})
	}
	return list
}
