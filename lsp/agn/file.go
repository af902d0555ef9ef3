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

// maxRead is how much is read of one file: no fact is longer.
const maxRead = agn.MaxMessage

// fact is what a file says.
type fact uint8

const (
	factNone    fact = iota // nothing about AMP/1.0
	factMessage             // a sound message
	factRefused             // a message that breaks a rule
	factAck
	factResume
	factTask
	factSpoiled // only its problem
	factLarge   // too long to be looked at, where that is no fault
	facts       // how many there are
)

// record is what is known of one file.
type record struct {
	tree.Head
	fact fact
	// met is when the file was first seen with these bytes.
	met time.Time
	// The one that the fact is. refused has a message too.
	msg *agn.Message
	// distress is what may be an escalation of a message that is refused, or nil.
	distress *agn.Message
	ack      *agn.Ack
	resume   *agn.Resume
	task     *agn.Record
	// problem is for the user, or nil. Of a file in tasks it counts in a
	// directory of ours alone.
	problem *Problem
}

// head returns what a look begins with.
func (r *record) head() *tree.Head {
	if r == nil {
		return nil
	}
	return &r.Head
}

// home is the layout's folder in which a file lies, or "". In messages it may
// lie at any depth.
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

// stem is the name of a file without its ".json".
func stem(file string) string { return strings.TrimSuffix(path.Base(file), ".json") }

// claims reports whether a file has the name of a fact, or of a folder for facts,
// so that the user should know if it cannot be read.
func claims(file string) bool {
	_, ok := agn.ParseID(stem(file))
	return ok || home(file) != "" || precedence(file) == 0
}

// looker reads files, with memory of its own.
type looker struct {
	tree.Reader
	// texts is as in [state].
	texts int
}

// look reads a file, or returns the old record if the file says the same. It returns
// nil for a file that is not there.
func (l *looker) look(f tree.Folder, file string, old *record, plain bool) *record {
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
		r.unread(seen.Err)
		return r.unless(old)
	case seen.Long:
		// It is not a message, which would have to lie in messages.
		r.fact = factLarge
		return r.unless(old)
	case old != nil && old.Digest == r.Digest && old.fact != factSpoiled:
		return old.touched(r)
	}
	r.met = time.Now()
	r.parse(seen.Data)
	for _, m := range []*agn.Message{r.msg, r.distress} {
		if m != nil && l.texts > 0 {
			shorten(m, l.texts)
		}
	}
	return r.unless(old)
}

// unless returns the old record if there is nothing new to be said of a file that
// is not a fact.
func (r *record) unless(old *record) *record {
	if old == nil || r.fact != old.fact || r.fact != factNone && r.fact != factLarge && (r.fact != factSpoiled || *r.problem != *old.problem) {
		return r
	}
	old.Head = r.Head
	return old
}

// touched returns the record of a file that says what it said. The time of a message
// is shown.
func (r *record) touched(now *record) *record {
	if (r.fact == factMessage || r.fact == factRefused) && r.Mtime != now.Mtime {
		c := *r
		r = &c
	}
	r.Head = now.Head
	return r
}

// unread says why a file was not read, if it has the name of a fact. What was
// forbidden may be allowed at any time, which no stamp tells.
func (r *record) unread(err error) {
	r.Again = true
	if !claims(r.Path) {
		return
	}
	r.fact = factSpoiled
	r.problem = &Problem{Path: r.Path, Rule: "E13", Reason: disk.Cause(err).Error(), Advice: "put a regular file that can be read in its place, or remove it"}
	if _, ok := errors.AsType[*disk.KindError](err); ok {
		r.Again = false
		r.problem.Advice = "put the file itself in its place, or remove it"
	}
}

// parse says what a file is. Nothing that is kept aliases data.
func (r *record) parse(data []byte) {
	switch in := home(r.Path); {
	case in == inMessages:
		r.parseMessage(data, true)
		return
	case in == inAcks:
		a, err := agn.ParseAck(data)
		r.fact, r.ack = factAck, &a
		r.named(err, a.MsgID, "E12")
	case in == inResumes:
		a, err := agn.ParseResume(data)
		r.fact, r.resume = factResume, &a
		r.named(err, a.MsgID, "X9")
	case in == inTasks:
		t, err := agn.ParseRecord(data)
		r.fact, r.task = factTask, &t
		r.named(err, t.TaskID, "E6")
	default:
		r.parseMessage(data, false)
		return
	}
	if r.fact == factSpoiled {
		// Where the layout is not ours, a message may lie there too.
		other := record{Head: r.Head, met: r.met}
		if other.parseMessage(data, false); other.fact != factNone {
			*r = other
		}
	}
}

// named takes a record of ours for what it is about, and says so if the file has
// another name.
func (r *record) named(err error, id, rule string) {
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

// parseMessage reads an envelope. Outside of messages, what is none is nobody's
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
	case !sure && !strings.HasPrefix(msg.Version, "AMP/") && (msg.ID == "" || ourOwn(data)):
		return
	}
	r.msg, r.fact = &msg, factMessage
	if len(msg.Faults) > 0 {
		r.fact = factRefused
		r.findDistress(data)
	}
	keep(&msg)
}

// findDistress looks for an escalation in a message that is refused. Of text that is no
// JSON it also takes what the message says of itself.
func (r *record) findDistress(data []byte) {
	m, ok := agn.MalformedEscalation(data)
	if !ok || ourOwn(data) {
		return
	}
	keep(&m)
	r.distress = &m
	if r.msg.Raw == nil {
		r.msg.ID, r.msg.TaskID = m.ID, m.TaskID
	}
}

// mayBeMessage is false only of what is certainly none. A name may be written
// with escapes.
func mayBeMessage(data []byte) bool {
	return bytes.Contains(data, []byte("protocol_version")) || bytes.Contains(data, []byte("msg_id")) || bytes.Contains(data, []byte(`\u00`))
}

// ourOwn reports whether an object is one of the records that are ours, which
// name messages and are none.
func ourOwn(data []byte) bool {
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

// keep drops what aliases the file, and holds the words of the protocol once.
func keep(m *agn.Message) {
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

// digestText writes a digest as the error log has it.
func digestText(d [sha256.Size]byte) string { return hex.EncodeToString(d[:]) }

// misplaced says that a message lies in messages under another task or name than
// its own (rules E1 and E6): it counts for what it says.
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
