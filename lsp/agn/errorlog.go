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

// Limits of the error log: how many of its last bytes are read, how many of the newest lines
// are kept, and how many bad lines are listed.
const (
	maxLog    = 64 << 20
	maxLogged = 10_000
	maxBadLog = 20
)

// logged is a line of the error log, without the message's text.
type logged struct {
	agn.Rejection
	// sent is set if the message was never in a file: the line holds its text.
	sent bool
	// msg is the message parsed from that text, if there is one.
	msg *agn.Message
}

// conflict reports whether the line is about a valid message whose id was already taken (rule
// E1).
func (l *logged) conflict() bool {
	return l.msg != nil && len(l.msg.Faults) == 0 && slices.ContainsFunc(l.Faults, func(f canon.Fault) bool { return f.Rule == "E1" })
}

// key identifies a rejection: a text and the file it came from.
type key struct{ source, digest string }

// maxName is the largest length in bytes of a name or id in the error log: a message may
// contain anything there.
const maxName = 1024

func keyOf(source, digest string) key { return key{excerpt.ClipTo(source, maxName), digest} }

// logReader reads the error log as it grows (rule E0).
type logReader struct {
	tree.Stamp
	again bool
	// offset is the end of the last complete line and line its number, or 0 if the beginning was
	// not read. tail is a hash of the bytes before offset, to notice that the file was replaced.
	offset  int64
	line    int
	tail    [sha256.Size]byte
	entries []*logged
	// known has every line that was read, with nil for those dropped from entries.
	known map[key]*logged
	// added are the lines that the last refresh found.
	added []*logged
	bad   []Problem
	more  int // bad lines beyond maxBadLog
	// fault is the reason why the log cannot be read.
	fault *Problem
}

// tailSize is how many bytes are compared to see that a log only grew.
const tailSize = 4096

// refresh reads the new lines. reset is set if the log did more than grow.
func (l *logReader) refresh(f tree.Folder) (changed, reset bool) {
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
		reset = l.offset > 0 || l.fault != nil
		*l = logReader{}
	}
	before := l.offset
	l.added = nil
	l.Stamp, l.again = i.Stamp, i.Young()
	if err := l.read(file, i.Size); err != nil {
		l.again = true
		l.fault = &Problem{Path: ErrorsName, Rule: "E0", Reason: "cannot be read: " + disk.Cause(err).Error()}
		return true, true
	}
	l.tail = tailOf(file, l.offset)
	return reset || l.offset != before, reset
}

// tailOf returns a hash of the bytes before an offset.
func tailOf(file *os.File, offset int64) (sum [sha256.Size]byte) {
	part := make([]byte, min(offset, tailSize))
	n, _ := file.ReadAt(part, offset-int64(len(part)))
	return sha256.Sum256(part[:n])
}

// read reads the complete lines from l.offset. An unfinished last line is read later.
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
			// A single line is longer than maxLog.
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
			detach(&msg)
			shorten(&msg, maxTexts)
			e.msg = &msg
		}
		e.Text = ""
	}
	k := keyOf(r.Source, r.Digest)
	if _, again := l.known[k]; again {
		return // two programs may log the same message
	}
	if l.known == nil {
		l.known = make(map[key]*logged)
	}
	l.known[k] = e
	l.added = append(l.added, e)
	if l.entries = append(l.entries, e); len(l.entries) > maxLogged {
		old := l.entries[0]
		l.known[keyOf(old.Source, old.Digest)] = nil
		l.entries = l.entries[1:]
	}
}

// fail records a line that cannot be read.
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
