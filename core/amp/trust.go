package amp

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/excerpt"
)

// State is how far a message can be trusted.
type State string

// The states.
const (
	// TrustVerified is signed by the sender's known key, and from the receiver's own tenant.
	TrustVerified State = "verified"
	// TrustExternal is signed by the sender's known key, and from elsewhere.
	TrustExternal State = "external"
	// TrustUntrusted has a signature that does not fit, or is for somebody else.
	TrustUntrusted  State = "untrusted"
	TrustUnsigned   State = "unsigned"    // has no signature
	TrustKeyUnknown State = "key unknown" // has a signature that no known key can check
	// TrustKeyMismatch is signed with another key than the first one seen from this
	// sender.
	TrustKeyMismatch State = "key mismatch"
	// TrustReplayed has the signature of an earlier message, and its envelope shows
	// that it is a copy.
	TrustReplayed State = "replayed"
	// TrustRepeated has the signature of an earlier message, and may be from its sender: the same
	// words sent again have the same signature. We cannot know whether somebody else delivered
	// them again.
	TrustRepeated State = "sent before"
	// TrustExpired is correctly signed, but past its expiry, or with an expiry that cannot be
	// read.
	TrustExpired State = "expired"
)

// Known is what the caller knows when it judges a message. Nothing in the message can replace
// it.
type Known struct {
	Keys []Key  // the sender's keys, however they were looked up
	Pin  string // the fingerprint of the sender's first seen key, or empty
	// Self holds the addresses of the mailbox's owner. A message neither from nor to one of them
	// is somebody else's. If Self is empty, this is not checked.
	Self []Address
	// Earlier returns the message that first had a signature, by [Message.SignatureID].
	Earlier map[string]Earlier
	Now     int64 // in Unix milliseconds
}

// Earlier is what distinguishes a message that was sent again from a copy.
// IdempotencyKey is empty if it is not known.
type Earlier struct{ ID, IdempotencyKey string }

// Trust is the result of judging a message.
type Trust struct {
	State  State
	Reason string // a lower-case phrase for a person. It may quote the message.
	// Step is the form in which the payload was signed, including of a message that is not
	// trusted for another reason.
	Step Step
	Key  string // the fingerprint of the key that the signature fits, or empty
	// Flags holds the result of [Flags] for the shown text. It is information and does not change
	// the state.
	Flags []string
}

// Judge returns the trust in a message. It uses only what the caller knows: claims about
// verification in a message or its store do not count. If there are several reasons not to trust
// it, Judge returns the gravest, in the order of the checks below.
func Judge(msg *Message, k Known) Trust {
	t := judge(msg, k)
	t.Flags = msg.flags(t.Step)
	return t
}

func judge(msg *Message, k Known) Trust {
	if msg.Signature == "" {
		return Trust{State: TrustUnsigned, Reason: "nobody signed it, so that anybody may have written it"}
	}
	pinned := func(key Key) bool { return key.Fingerprint() == k.Pin }
	switch {
	case len(k.Keys) == 0:
		return Trust{State: TrustKeyUnknown, Reason: "there is no key of " + quote(msg.From) + " to hold the signature against"}
	case k.Pin != "" && !slices.ContainsFunc(k.Keys, pinned):
		return Trust{State: TrustKeyMismatch, Reason: "the key of " + quote(msg.From) + " has changed: it was " + k.Pin + " and is " + k.Keys[0].Fingerprint()}
	}
	t, bad := k.verify(msg)
	if bad != nil {
		return Trust{State: TrustUntrusted, Reason: bad.Reason}
	}
	t.State, t.Reason = k.state(msg, &t)
	return t
}

// verify looks for a key that the signature fits, starting with the pinned one. The result has no
// state yet.
func (k *Known) verify(msg *Message) (Trust, *canon.Fault) {
	keys := k.Keys
	if at := slices.IndexFunc(keys, func(key Key) bool { return key.Fingerprint() == k.Pin }); at > 0 {
		keys = slices.Concat(keys[at:at+1], keys[:at], keys[at+1:])
	}
	var why *canon.Fault
	for _, key := range keys {
		v, err := Verify(msg, key)
		if err == nil {
			return Trust{Step: v.Step, Key: key.Fingerprint()}, nil
		}
		if bad, ok := err.(*canon.Fault); ok && (why == nil || bad.Rule == "SIG-7") { //nolint:errorlint // the contract is the type itself
			why = bad // the reason for a key of the right kind is more specific
		}
	}
	return Trust{}, why
}

func (k *Known) state(msg *Message, t *Trust) (State, string) {
	from, _ := ParseAddress(msg.From)
	to, _ := ParseAddress(msg.To)
	mine := func(a Address) bool { return a.Same(from) || a.Same(to) }
	first, seen := k.Earlier[msg.SignatureID()]
	again, copied := seen && first.ID != msg.ID, ""
	if again {
		anew := func(key Key) bool { return key.Fingerprint() == t.Key && key.Algorithm() == P256 }
		copied = msg.copied(first, slices.ContainsFunc(k.Keys, anew))
	}
	switch {
	case k.Pin != "" && t.Key != k.Pin:
		return TrustKeyMismatch, "it is signed with another key of " + quote(msg.From) + " than the one that was first seen"
	case len(k.Self) > 0 && !slices.ContainsFunc(k.Self, mine):
		return TrustUntrusted, "it was written to " + quote(msg.To) + ", and somebody put it here"
	case copied != "":
		return TrustReplayed, "its signature is that of " + quote(first.ID) + ": somebody delivered that message again; " + copied
	case msg.has("ENV-7"):
		return TrustExpired, "it says when it expires in a way that cannot be read"
	case msg.Expired(k.Now):
		return TrustExpired, "it expired at " + FormatTime(msg.Expires.Millis)
	case again:
		return TrustRepeated, "its signature fits and is that of " + quote(first.ID) + ": the same words again, from the sender or delivered by somebody else, which cannot be told"
	case !Address.Same(Address{Domain: from.Domain}, Address{Domain: to.Domain}):
		return TrustExternal, msg.fits(t.Step) + "; the sender is from outside, at " + quote(from.Domain)
	}
	return TrustVerified, msg.fits(t.Step)
}

// fits returns a phrase for the form in which the message was signed. It contains the subject as
// signed if that differs from the shown one.
func (msg *Message) fits(step Step) string {
	reason := "its signature fits, " + step.String()
	if step&TabSubject != 0 {
		reason += `; the subject is signed as "` + excerpt.Clip(tabbed(msg.Subject)) + `"`
	}
	return reason
}

// copied returns the evidence that a message with the signature of an earlier one is a copy of
// it, or "" if its sender may have sent the same words twice. Almost nothing that it checks is
// signed. anew is set for a key that never makes the same signature twice.
func (msg *Message) copied(first Earlier, anew bool) string {
	at, ok := idMillis(msg.ID)
	was, firstOK := idMillis(first.ID)
	switch {
	case anew:
		return "this kind of key signs the same words differently each time"
	case len(msg.Payload.Attachments) > 0:
		return "attachments that are sent again have other ids"
	case first.IdempotencyKey != "" && msg.IdempotencyKey == first.IdempotencyKey:
		return "it has that message's idempotency key, and another id"
	case msg.InReplyTo == "" && NormalizeID(msg.ThreadID) == NormalizeID(first.ID):
		return "its thread is that message's, and it is no reply"
	case !ok || !firstOK || (Arrival{Written: msg.Time.Millis, ID: msg.ID}).doubt() > maxDoubt:
		return "its id does not go with its time"
	case at < was || at == was && at%1000 != 0:
		return "by its id it is not the later one"
	}
	return ""
}

// maxDoubt is the longest plausible difference between the time in an id and the timestamp, in
// seconds, if one client made both.
const maxDoubt = 60

// idMillis returns the time in an id in Unix milliseconds, whole seconds if the id counts
// seconds.
func idMillis(s string) (millis int64, ok bool) {
	id, ok := ParseID(s)
	if !ok || !id.Millis {
		return id.Seconds * 1000, ok
	}
	digits := s[len("msg_"):]
	millis, err := strconv.ParseInt(digits[:strings.IndexAny(digits, "_-")], 10, 64)
	return millis, err == nil
}

// Arrival decides which of two messages with the same signature came first, and which
// is a replay (rule SIG-9). None of it is signed.
type Arrival struct {
	// Received is the time recorded by the program that stored the message, Written the message's
	// timestamp. Both are in Unix milliseconds, or 0 if unknown.
	Received, Written int64
	ID                string
}

// Compare is negative if a came before b. It compares the times of receipt, then the times of
// writing, unknown ones last, then how well each id agrees with the time of writing, since a
// sender makes both at once.
func (a Arrival) Compare(b Arrival) int {
	if c := cmp.Or(cmp.Compare(unknownLast(a.Received), unknownLast(b.Received)), cmp.Compare(unknownLast(a.Written), unknownLast(b.Written))); c != 0 {
		return c
	}
	return cmp.Compare(a.doubt(), b.doubt())
}

// unknownLast replaces an unknown time by the latest one.
func unknownLast(millis int64) int64 {
	if millis == 0 {
		return math.MaxInt64
	}
	return millis
}

// doubt returns the difference between the time in the id and the time of writing, in
// seconds.
func (a Arrival) doubt() int64 {
	id, ok := ParseID(a.ID)
	if !ok || a.Written == 0 {
		return math.MaxInt64
	}
	return max(id.Seconds-a.Written/1000, a.Written/1000-id.Seconds)
}
