package amp

import (
	"bytes"
	"iter"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Step is the form in which a message was signed: what the receiver's client changed when it
// stored the message, and how the sender's client wrote the signed text. The zero Step is
// [NotVerified]. In any other Step the last two bits are one of AsStored, NoAttachments and
// NoWrapper, and the other constants may be added.
//
// No two different messages may have the same signed form. Each form can be undone from the step
// and the signed text, except for these harmless differences:
//
//   - The payload's escapes: the hashed JSON has any of three spellings, all of which read
//
// alike.
//   - The subject as jq's @tsv: each escape begins with a backslash, which is escaped itself,
//
// so that
//
//	only blanks at the ends are lost. The same bytes can be another sender's plain subject,
//
// so [Judge]
//
//	  returns the subject as signed.
//	- The line ends: their number is part of the step.
//	- The empty list of attachments has no meaning. The wrapper is shown around the signed
//
// text, and
//
//	contains only words of its client, the sender's name and words of the text.
type Step int

// The steps: first the changes made in storing, then the spellings.
const (
	NotVerified   Step = iota // no form was signed
	AsStored                  // the payload as it is
	NoAttachments             // the payload without an empty list of attachments
	// NoWrapper is the payload without the trust wrapper around its text, with or without an
	// empty list of attachments.
	NoWrapper
	EscapedDelete Step = 4 // the payload with U+007F written as an escape, by jq
	// EscapedASCII is the payload with everything except ASCII written as escapes, by Python, as
	// in the spec's sample.
	EscapedASCII Step = 2 * EscapedDelete
	// TabSubject is the subject as jq's @tsv writes it, without blanks at its ends.
	TabSubject Step = 2 * EscapedASCII
	// LineEnd is a line end after the text that was not stored. Up to [MaxLineEnds] may be
	// added.
	LineEnd Step = 2 * TabSubject
)

// MaxLineEnds is the maximum number of line ends that are tried at the end of a text. LastStep is
// the largest possible Step.
const (
	MaxLineEnds = 4
	LastStep    = (MaxLineEnds+1)*LineEnd - 1
)

// stored returns what the receiver's client changed.
func (s Step) stored() Step { return s & (EscapedDelete - 1) }

// lineEnds returns how many line ends were cut.
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

// form is a payload that the sender may have signed. rewritten is set if its text differs from
// the stored text, bare if it has no empty list of attachments.
type form struct {
	step            Step
	text            string
	rewritten, bare bool
}

// forms lists the payloads that may have been signed, in the order in which they are tried: first
// those whose text was stored unchanged, then those whose last line ends were cut. A client cuts
// either all of them or none.
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
	if w := unwrap(p.Text); w.namesSender(msg.From) {
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

func (msg *Message) signedForm(f form) ([]byte, error) {
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
func dropEmpty(steps []canon.Step, v canon.Value) bool {
	return len(steps) != 1 || string(steps[0].Key) != "attachments" || v.Kind != canon.Array
}

// spelling is how a sender's client writes what it signs.
type spelling struct {
	step    Step
	payload []byte
	subject string
}

// spellings lists the spellings of a payload, given as we hash it, and of the subject, in the
// order in which they are tried: ours; jq's, with the subject unchanged and as @tsv; Python's. It
// leaves out spellings that are the same as an earlier one.
func (msg *Message) spellings(payload []byte) iter.Seq[spelling] {
	return func(yield func(spelling) bool) {
		if !yield(spelling{0, payload, msg.Subject}) {
			return
		}
		jq := spelling{0, payload, msg.Subject}
		if bytes.IndexByte(payload, 0x7f) >= 0 {
			jq.step, jq.payload = EscapedDelete, bytes.ReplaceAll(payload, []byte{0x7f}, []byte(`\u007f`))
			if !yield(jq) {
				return
			}
		}
		if tab := tabbed(msg.Subject); tab != msg.Subject && !yield(spelling{jq.step | TabSubject, jq.payload, tab}) {
			return
		}
		if ascii := appendASCII(nil, payload); !bytes.Equal(ascii, jq.payload) {
			yield(spelling{EscapedASCII, ascii, msg.Subject})
		}
	}
}

// tabbed returns a subject as signed by a client of shell scripts, which reads it from jq's
// @tsv.
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
