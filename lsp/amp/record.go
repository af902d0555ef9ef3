package amp

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

type record struct {
	tree.Head
	part part
	// partialSince is when these bytes were first seen, of a file that cannot be read and
	// may still be being written: zero for all others. Until that is sure the record
	// is what the file said before, if anything.
	partialSince time.Time
	msg          *Message // what is given out. It has its mailbox from the index.
	// copyKey is what the copies of one message have in common, and zero for what
	// has none.
	copyKey [sha256.Size]byte
	owner   *owner
	key     amp.Key
	hasKey  bool    // set for a private key
	problem Problem // the zero value for none
}

func (r *record) head() *tree.Head {
	if r == nil {
		return nil
	}
	return &r.Head
}

type scanner struct {
	tree.Reader
	text []byte // what is digested of a message
	// settle is how long a file that cannot be read must stay as it is until that is
	// said: existing clients write in place, and who looks meanwhile sees
	// the beginning.
	settle time.Duration
}

// limit is the number of bytes that are read of a file, 0 for what is never opened.
func (p part) limit() int {
	switch p {
	case partMessage:
		return amp.MaxStored
	case partPrivate, partNone:
		return 0
	}
	return maxConfig
}

// look reads a file, or returns the old record if the file says the same. It returns
// nil for a file that is not there.
func (l *scanner) look(f tree.Folder, at string, old *record, plain bool) *record {
	part := partOf(at)
	seen, state := l.Look(f, at, old.head(), plain, tree.Want{Limit: part.limit()})
	switch state {
	case tree.Gone:
		return nil
	case tree.Same:
		return old
	}
	r := &record{Head: seen.Head, part: part}
	switch {
	case seen.Err != nil:
		return r.notRead(seen.Err).orSame(old)
	case part == partNone:
		return r.notRead(&disk.KindError{Kind: seen.Kind}).orSame(old)
	case part == partPrivate:
		r.hasKey = true
		return r.orSame(old)
	case seen.Long:
		r.tooLong()
		return r.orSame(old)
	}
	return l.take(r, seen.Data, old)
}

func (l *scanner) take(r *record, data []byte, old *record) *record {
	if old != nil && old.Digest == r.Digest && old.partialSince.IsZero() {
		return old.touched(r)
	}
	if l.parse(r, data) || l.settle == 0 {
		return r
	}
	if old != nil && old.Digest == r.Digest {
		if time.Since(old.partialSince) >= l.settle {
			return r
		}
		old.Stamp = r.Stamp
		return old
	}
	now := record{Head: r.Head, part: r.part, partialSince: time.Now()}
	now.Again = true
	if old != nil {
		now.msg, now.copyKey, now.owner, now.key, now.problem = old.msg, old.copyKey, old.owner, old.key, old.problem
	}
	return &now
}

func (l *scanner) parse(r *record, data []byte) bool {
	rule := "ENV-3"
	var err error
	switch r.part {
	case partMessage:
		return l.parseMessage(r, data)
	case partPublic:
		rule = "SIG-6"
		r.key, err = amp.ParseKey(data)
	case partConfig, partRegistration:
		var o owner
		o, err = readOwner(data, r.part)
		r.owner = &o
	}
	if err != nil {
		r.setProblem(rule, err)
	}
	return err == nil
}

// touched returns the record of a file that says what it said. Its time is shown.
func (r *record) touched(now *record) *record {
	if r.msg == nil || r.Mtime == now.Mtime {
		r.Head = now.Head
		return r
	}
	c, m := *r, *r.msg
	c.Head, c.msg = now.Head, &m
	m.Modified = now.Millis()
	return &c
}

// orSame returns the old record if nothing new is to be said of a file whose bytes
// were not looked at.
func (r *record) orSame(old *record) *record {
	if old == nil || r.hasKey != old.hasKey || r.problem != old.problem || (r.msg == nil) != (old.msg == nil) || old.owner != nil || old.key.Algorithm() != "" {
		return r
	}
	if r.msg != nil && (!tree.SameError(r.msg.Err, old.msg.Err) || r.msg.Size != old.msg.Size || r.msg.Modified != old.msg.Modified) {
		return r
	}
	old.Head = r.Head
	return old
}

// tooLong takes note of a file that is too long to be read (rule PAY-8).
func (r *record) tooLong() {
	if r.part == partMessage {
		r.setUnreadable(&canon.Fault{Rule: "PAY-8", Offset: amp.MaxStored, Reason: fmt.Sprintf("the message is %d bytes long, and %d is the limit", r.Size, amp.MaxStored)})
	} else {
		r.setProblem("", fmt.Errorf("it is %d bytes long and was not read", r.Size))
	}
}

// notRead says why a file was not read. What was forbidden may be allowed at any
// time, which no stamp tells.
func (r *record) notRead(err error) *record {
	if kind, ok := errors.AsType[*disk.KindError](err); ok {
		r.problem = Problem{Path: r.Path, Rule: "STO-1", Reason: kind.Error(), Advice: "put the file or folder itself in its place, or remove it"}
		return r
	}
	r.Again = true
	if r.part == partMessage {
		r.setUnreadable(disk.Cause(err))
	} else {
		r.setProblem("STO-1", disk.Cause(err))
	}
	return r
}

func (r *record) setProblem(rule string, err error) {
	r.problem = Problem{Path: r.Path, Rule: rule, Reason: err.Error(), Advice: "put a file in its place that can be read"}
}

func (r *record) stem() string { return strings.TrimSuffix(tree.Base(r.Path), ext) }
