package amp

import (
	"bytes"
	"iter"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Step says in which form a message was signed: what the receiver's client changed when
// it stored the message, and how the sender's client wrote what it signed. The zero
// Step is [NotVerified]. In any other Step the last two bits are one of the first three
// constants, and the other constants may be added.
//
// No form may make two messages one. Each form can be undone from the step and the
// signed text, except for a difference that the step names:
//
//   - The payload's escapes: what is hashed is JSON in any of the three spellings,
//     and JSON is read in one way.
//   - The subject as jq's @tsv: each of its escapes begins with a backslash, which is
//     escaped itself, so that only blanks at its ends are lost. The same bytes can be
//     another sender's subject as it stands: [Judge] gives the subject as signed.
//   - The line ends: their number is a part of the step.
//   - The empty list of attachments says nothing, and the wrapper is shown around the
//     signed text, with no words but its client's, the sender's name and the text's own.
type Step int

// The steps. What is stored comes first, then how it was written.
const (
	NotVerified   Step = iota // no form was signed
	AsStored                  // the payload as it is
	NoAttachments             // the payload without an empty list of attachments
	// NoWrapper is the payload without the trust wrapper around its text, and then
	// also without an empty list of attachments.
	NoWrapper
	EscapedDelete Step = 4 // the payload with U+007F written as an escape, by jq
	// EscapedASCII is the payload with all that is not ASCII written as escapes, by
	// Python, as in the sample of the format's text.
	EscapedASCII Step = 2 * EscapedDelete
	// TabSubject is the subject as jq's @tsv writes it, without blanks at its ends.
	TabSubject Step = 2 * EscapedASCII
	// LineEnd is a line end after the text that was not stored. There are up to
	// [MaxLineEnds].
	LineEnd Step = 2 * TabSubject
)

// MaxLineEnds is the number of line ends at the end of a text that are looked for,
// and LastStep is the last one that can be.
const (
	MaxLineEnds = 4
	LastStep    = (MaxLineEnds+1)*LineEnd - 1
)

// stored is what the receiver's client changed.
func (s Step) stored() Step { return s & (EscapedDelete - 1) }

// lineEnds is how many were cut.
func (s Step) lineEnds() int { return int(s / LineEnd) }

func (s Step) String() string {
	var name string
	switch s.stored() {
	case AsStored:
		name = "as stored"
	case NoAttachments:
		name = "without the empty attachments"
	case NoWrapper:
		name = "without the trust wrapper"
	default:
		return "not verified"
	}
	if s&EscapedDelete != 0 {
		name += ", with U+007F as an escape"
	}
	if s&EscapedASCII != 0 {
		name += ", with escapes for all but ASCII"
	}
	if s&TabSubject != 0 {
		name += ", with the subject as jq's @tsv"
	}
	switch n := s.lineEnds(); n {
	case 0:
	case 1:
		name += ", with a line end after the text"
	default:
		name += ", with " + strconv.Itoa(n) + " line ends after the text"
	}
	return name
}

// form is a payload that the sender may have signed. If rewritten is set, its text
// differs from the stored one. If bare is set, it has no empty attachments.
type form struct {
	step            Step
	text            string
	rewritten, bare bool
}

// forms lists the payloads that may have been signed, in the order in which they are
// tried: first those that a client may have stored as they were, then those whose
// last line ends it cut. A client that cuts them cuts all.
func (msg *Message) forms() []form {
	p := &msg.Payload
	list := []form{{step: AsStored}}
	empty := p.Attachments != nil && len(p.Attachments) == 0
	if empty {
		list = append(list, form{step: NoAttachments, bare: true})
	}
	if p.textValue.Kind != canon.String {
		return list
	}
	cut := []form{{list[len(list)-1].step, p.Text, true, empty}}
	if w := unwrap(p.Text); w.names(msg.From) {
		for _, inner := range w.texts {
			list = append(list, form{NoWrapper, inner, true, false})
			if empty {
				list = append(list, form{NoWrapper, inner, true, true})
			}
			if w.kind != wrapBackstop { // that client cuts nothing
				cut = append(cut, form{NoWrapper, inner, true, empty})
			}
		}
	}
	for n := range Step(MaxLineEnds) {
		for _, f := range cut {
			if !strings.HasSuffix(f.text, "\n") {
				f.step += (n + 1) * LineEnd
				list = append(list, f)
			}
		}
	}
	return list
}

func (msg *Message) formed(f form) ([]byte, error) {
	raw := msg.Payload.Raw
	if f.rewritten {
		at := msg.Payload.textAt()
		text := append([]byte{}, raw[:at]...)
		text = canon.AppendString(text, f.text+strings.Repeat("\n", f.step.lineEnds()))
		raw = append(text, raw[at+len(msg.Payload.textValue.Raw):]...)
	}
	if f.bare {
		return payloadBytes(raw, dropEmpty)
	}
	return payloadBytes(raw, nil)
}

// dropEmpty leaves out the payload's own empty list of attachments.
func dropEmpty(way []canon.Step, v canon.Value) bool {
	return len(way) != 1 || string(way[0].Key) != "attachments" || v.Kind != canon.Array
}

// hand is how a sender's client writes what it signs.
type hand struct {
	step    Step
	payload []byte
	subject string
}

// hands lists the ways of writing a payload, given as we hash it, and the subject, in
// the order in which they are tried: ours; jq's, with the subject as it is and in its
// own way; Python's. What makes no difference is left out.
func (msg *Message) hands(payload []byte) iter.Seq[hand] {
	return func(yield func(hand) bool) {
		if !yield(hand{0, payload, msg.Subject}) {
			return
		}
		jq := hand{0, payload, msg.Subject}
		if bytes.IndexByte(payload, 0x7f) >= 0 {
			jq.step, jq.payload = EscapedDelete, bytes.ReplaceAll(payload, []byte{0x7f}, []byte(`\u007f`))
			if !yield(jq) {
				return
			}
		}
		if tab := tabbed(msg.Subject); tab != msg.Subject && !yield(hand{jq.step | TabSubject, jq.payload, tab}) {
			return
		}
		if ascii := appendASCII(nil, payload); !bytes.Equal(ascii, jq.payload) {
			yield(hand{EscapedASCII, ascii, msg.Subject})
		}
	}
}

// tabbed is a subject as a client of shell scripts signs it, which takes it from a
// line of jq's @tsv.
func tabbed(subject string) string {
	return strings.Trim(strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`).Replace(subject), " ")
}

// appendASCII appends JSON with escapes for U+007F and everything above, which occur
// only in strings.
func appendASCII(dst, payload []byte) []byte {
	for _, r := range string(payload) {
		if r < 0x7f {
			dst = append(dst, byte(r))
		} else {
			dst = canon.EscapeASCII(dst, string(r))
		}
	}
	return dst
}
