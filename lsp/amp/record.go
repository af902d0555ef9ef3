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
	// partialSince is set for a file that cannot be read and may be half written: it is when
	// these bytes were first seen. Until that is clear, the record holds the file's former
	// content, if any.
	partialSince time.Time
	msg          *Message // shared with callers; the index sets its mailbox
	// copyKey is equal for the copies of one message, and zero for a file that cannot have
	// copies.
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
	text []byte // the input of a message's digest
	// settle is how long a file that cannot be read must be unchanged before that is reported:
	// existing clients write in place, so the file may be half written.
	settle time.Duration
}

// limit returns the size in bytes of the largest file that is read, 0 for a file that is never
// opened.
func (p part) limit() int {
	switch p {
	case partMessage:
		return amp.MaxStored
	case partPrivate, partNone:
		return 0
	}
	return maxConfig
}

// look reads a file. It returns the old record if the file is unchanged, and nil if it does not
// exist.
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

// take returns the record of a file's content. Content that cannot be read, and may be half
// written, keeps the old record's values until it has been the same for l.settle.
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
	partial := record{Head: r.Head, part: r.part, partialSince: time.Now()}
	partial.Again = true
	if old != nil {
		partial.msg, partial.copyKey, partial.owner, partial.key, partial.problem = old.msg, old.copyKey, old.owner, old.key, old.problem
	}
	return &partial
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

// touched returns the record of a file whose content is unchanged, with the new time.
func (r *record) touched(latest *record) *record {
	if r.msg == nil || r.Mtime == latest.Mtime {
		r.Head = latest.Head
		return r
	}
	c, m := *r, *r.msg
	c.Head, c.msg = latest.Head, &m
	m.Modified = latest.Millis()
	return &c
}

// orSame returns the old record if it shows the same as r, whose content was not read.
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

// tooLong sets the error of a file that is too long to be read (rule PAY-8).
func (r *record) tooLong() {
	if r.part == partMessage {
		r.setUnreadable(&canon.Fault{Rule: "PAY-8", Offset: amp.MaxStored, Reason: fmt.Sprintf("the message is %d bytes long, and %d is the limit", r.Size, amp.MaxStored)})
	} else {
		r.setProblem("", fmt.Errorf("it is %d bytes long and was not read", r.Size))
	}
}

// notRead sets the error of a file that was not read. Unless it is of the wrong kind, it is
// tried again each time: a permission may change while the file's stamp stays the same.
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
