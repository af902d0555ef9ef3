package agn

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// The folders of the layout.
const (
	inMessages = "messages"
	inAcks     = "acks"
	inResumes  = "resumes"
	inTasks    = "tasks"
)

// maxRead is how many bytes of a file are read: no fact is longer.
const maxRead = agn.MaxMessage

// fact is the kind of a file's content.
type fact uint8

const (
	factNone    fact = iota // unrelated to AMP/1.0
	factMessage             // a valid message
	factRefused             // a message that breaks a rule
	factAck
	factResume
	factTask
	factSpoiled // only its problem is known
	factLarge   // too long to read, which is not a fault here
	facts       // the number of kinds
)

// record is everything known about one file.
type record struct {
	tree.Head
	fact fact
	// firstSeen is when the file was first seen with these bytes.
	firstSeen time.Time
	// Only the field for the fact is set. A refused message has msg too.
	msg *agn.Message
	// malformed is the escalation that a refused message may be, or nil.
	malformed *agn.Message
	ack       *agn.Ack
	resume    *agn.Resume
	task      *agn.Record
	// problem is for the user, or nil. In the tasks folder it is shown only if the directory has
	// our layout.
	problem *Problem
}

// head returns the file's stamp and digest at the last look.
func (r *record) head() *tree.Head {
	if r == nil {
		return nil
	}
	return &r.Head
}

// home returns the layout's folder that a file belongs to, or "". In messages it may be at any
// depth.
func home(file string) string {
	top, rest, _ := strings.Cut(file, "/")
	switch top {
	case inMessages:
		return top
	case inAcks, inResumes, inTasks:
		if rest != "" && !strings.Contains(rest, "/") {
			return top
		}
	}
	return ""
}

// stem returns the name of a file without its ".json".
func stem(file string) string { return strings.TrimSuffix(path.Base(file), ".json") }

// looksLikeFact reports whether a file or folder has a fact's name or place, so that the user
// should hear of it if it cannot be read.
func looksLikeFact(file string) bool {
	_, ok := agn.ParseID(stem(file))
	return ok || home(file) != "" || precedence(file) == 0
}

// scanner reads files, reusing its own buffers.
type scanner struct {
	tree.Reader
	// texts is as in [state].
	texts int
}

// look reads a file. It returns the old record if the content is the same, and nil if the file
// does not exist.
func (l *scanner) look(f tree.Folder, file string, old *record, plain bool) *record {
	seen, state := l.Look(f, file, old.head(), plain, tree.Want{Limit: maxRead, Start: home(file) != ""})
	switch {
	case state == tree.Gone || seen.Kind.IsDir():
		return nil
	case state == tree.Same:
		return old
	}
	r := &record{Head: seen.Head}
	switch {
	case seen.Err != nil:
		r.setError(seen.Err)
		return r.orUnchanged(old)
	case seen.Long:
		// It cannot be a message: those must be in messages.
		r.fact = factLarge
		return r.orUnchanged(old)
	case old != nil && old.Digest == r.Digest && old.fact != factSpoiled:
		return old.withHead(r)
	}
	r.firstSeen = time.Now()
	r.parse(seen.Data)
	for _, m := range []*agn.Message{r.msg, r.malformed} {
		if m != nil && l.texts > 0 {
			shorten(m, l.texts)
		}
	}
	return r.orUnchanged(old)
}

// orUnchanged returns the old record if r is not a fact and tells the user nothing new.
func (r *record) orUnchanged(old *record) *record {
	if old == nil || r.fact != old.fact || r.fact != factNone && r.fact != factLarge && (r.fact != factSpoiled || *r.problem != *old.problem) {
		return r
	}
	old.Head = r.Head
	return old
}

// withHead returns the record with the stamp of now, a file with the same content. A message
// whose time changed is copied, because that time is shown.
func (r *record) withHead(now *record) *record {
	if (r.fact == factMessage || r.fact == factRefused) && r.Mtime != now.Mtime {
		c := *r
		r = &c
	}
	r.Head = now.Head
	return r
}

// setError records why a file could not be read, if it has a fact's name. Permissions may
// change without changing the stamp, so the file is tried again.
func (r *record) setError(err error) {
	r.Again = true
	if !looksLikeFact(r.Path) {
		return
	}
	r.fact = factSpoiled
	r.problem = &Problem{Path: r.Path, Rule: "E13", Reason: disk.Cause(err).Error(), Advice: "put a regular file that can be read in its place, or remove it"}
	if _, ok := errors.AsType[*disk.KindError](err); ok {
		r.Again = false
		r.problem.Advice = "put the file itself in its place, or remove it"
	}
}

// parse sets what the file is. Nothing in the record aliases data.
func (r *record) parse(data []byte) {
	switch in := home(r.Path); {
	case in == inMessages:
		r.parseMessage(data, true)
		return
	case in == inAcks:
		a, err := agn.ParseAck(data)
		r.fact, r.ack = factAck, &a
		r.checkName(err, a.MsgID, "E12")
	case in == inResumes:
		a, err := agn.ParseResume(data)
		r.fact, r.resume = factResume, &a
		r.checkName(err, a.MsgID, "X9")
	case in == inTasks:
		t, err := agn.ParseRecord(data)
		r.fact, r.task = factTask, &t
		r.checkName(err, t.TaskID, "E6")
	default:
		r.parseMessage(data, false)
		return
	}
	if r.fact == factSpoiled {
		// In a directory that is not ours, a message may be in this folder too.
		other := record{Head: r.Head, firstSeen: r.firstSeen}
		if other.parseMessage(data, false); other.fact != factNone {
			*r = other
		}
	}
}

// checkName records a parse error, or a problem if the file's name does not match the id it is
// about.
func (r *record) checkName(err error, id, rule string) {
	if err != nil {
		f, _ := errors.AsType[*canon.Fault](err)
		r.fact, r.ack, r.resume, r.task = factSpoiled, nil, nil, nil
		r.problem = &Problem{Path: r.Path, Rule: f.Rule, Reason: f.Reason, Advice: "write it again, or remove it"}
		return
	}
	if stem(r.Path) != id {
		r.problem = &Problem{
			Path: r.Path, Rule: rule,
			Reason: fmt.Sprintf("it is about %q, and its name is another", id),
			Advice: fmt.Sprintf("name it %q", id+".json"),
		}
	}
}

// parseMessage reads a message. Outside of messages, a file that is not a message is not a
// fault.
func (r *record) parseMessage(data []byte, sure bool) {
	if !sure && !mayBeMessage(data) {
		return
	}
	msg, err := agn.ParseMessage(data)
	switch {
	case err != nil:
		if !sure && !(bytes.Contains(data, []byte(`"msg_id"`)) && bytes.Contains(data, []byte(`"`+agn.Version+`"`))) {
			return
		}
		f, _ := errors.AsType[*canon.Fault](err)
		msg = agn.Message{Findings: canon.Findings{Faults: []canon.Fault{*f}}}
	case !sure && !strings.HasPrefix(msg.Version, "AMP/") && (msg.ID == "" || isOurRecord(data)):
		return
	}
	r.msg, r.fact = &msg, factMessage
	if len(msg.Faults) > 0 {
		r.fact = factRefused
		r.findMalformed(data)
	}
	detach(&msg)
}

// findMalformed looks for an escalation in a refused message. If the text is not JSON, it also
// takes the ids found there.
func (r *record) findMalformed(data []byte) {
	m, ok := agn.MalformedEscalation(data)
	if !ok || isOurRecord(data) {
		return
	}
	detach(&m)
	r.malformed = &m
	if r.msg.Raw == nil {
		r.msg.ID, r.msg.TaskID = m.ID, m.TaskID
	}
}

// mayBeMessage returns false only if data is certainly not a message. Names may be written
// with escapes.
func mayBeMessage(data []byte) bool {
	return bytes.Contains(data, []byte("protocol_version")) || bytes.Contains(data, []byte("msg_id")) || bytes.Contains(data, []byte(`\u00`))
}

// isOurRecord reports whether an object is one of our own records, which refer to messages but
// are not messages.
func isOurRecord(data []byte) bool {
	found := false
	_ = canon.Object(data, func(key []byte, v canon.Value) error {
		if string(key) == "format" && v.Kind == canon.String {
			s, _ := canon.Unquote(v.Raw)
			found = found || strings.HasPrefix(s, "signalbox-")
		}
		return nil
	})
	return found
}

// detach drops everything that aliases the file, and shares the strings of the protocol's
// words.
func detach(m *agn.Message) {
	m.Raw, m.Payload.Raw = nil, nil
	if d := m.Payload.Dispatch; d != nil {
		d.Constraints = slices.Clone(d.Constraints)
	}
	for _, s := range []*string{&m.Version, &m.Type, &m.From, &m.To} {
		for _, word := range [...]string{
			agn.Version, agn.TypeDispatch, agn.TypeResult, agn.TypeRequest, agn.TypeVerdict, agn.TypeEscalation,
			agn.Admin, agn.Coordinator, agn.Executor, agn.Reviewer, agn.System,
		} {
			if *s == word {
				*s = word
			}
		}
	}
}

// digestText returns a digest in the form that the error log uses.
func digestText(d [sha256.Size]byte) string { return hex.EncodeToString(d[:]) }

// misplaced returns a problem if a message in messages has another task's folder or another
// name than its own (rules E1 and E6). The message still counts.
func (r *record) misplaced() (Problem, bool) {
	want := MessagePath(r.msg.TaskID, r.msg.ID)
	if home(r.Path) != inMessages || r.Path == want {
		return Problem{}, false
	}
	p := Problem{Path: r.Path, Rule: "E1", Reason: fmt.Sprintf("the message is called %q, and its file is not", r.msg.ID)}
	if path.Dir(r.Path) != path.Dir(want) {
		p.Rule, p.Reason = "E6", fmt.Sprintf("the message is one of task %s, and lies elsewhere", r.msg.TaskID)
	}
	p.Advice = fmt.Sprintf("move it to %q", want)
	return p, true
}
