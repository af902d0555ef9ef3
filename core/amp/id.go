package amp

import (
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/names"
)

// ID is the id of a message or an attachment (rules ENV-2 and ATT-15) in its parts:
// msg_<time>_<suffix>. It is safe in a path. It is not signed: an id proves nothing about its
// message.
type ID struct {
	Seconds int64  // the time in it as Unix seconds; fractions are cut off
	Millis  bool   // set if the text counts milliseconds, as existing clients do
	Suffix  string // letters and digits
	Dashes  bool   // set for an id with "-" instead of "_", which existing clients accept
}

// ParseID reads the id of a message.
func ParseID(s string) (ID, bool) { return parseID(s, "msg") }

// ParseAttachmentID reads the id of an attachment.
func ParseAttachmentID(s string) (ID, bool) { return parseID(s, "att") }

// NormalizeID returns an id, or the beginning of one, in the spelling for comparing ids: existing
// clients treat "-" like "_".
func NormalizeID(id string) string { return strings.ReplaceAll(id, "-", "_") }

func parseID(s, kind string) (id ID, ok bool) {
	const longest = 128
	if len(s) <= len(kind)+1 || len(s) > longest || s[:len(kind)] != kind || s[len(kind)] != '_' && s[len(kind)] != '-' {
		return ID{}, false
	}
	rest := s[len(kind)+1:]
	at := strings.IndexAny(rest, "_-")
	if at < 1 || at > 16 || at+1 == len(rest) {
		return ID{}, false
	}
	for i := range at {
		if !names.Digit(rest[i]) {
			return ID{}, false
		}
	}
	for i := at + 1; i < len(rest); i++ {
		if !names.Alphanumeric(rest[i]) {
			return ID{}, false
		}
	}
	id.Seconds, _ = strconv.ParseInt(rest[:at], 10, 64) // at most 16 digits
	// Twelve digits of seconds are 33 thousand years away.
	if at > 11 {
		id.Seconds, id.Millis = id.Seconds/1000, true
	}
	id.Suffix, id.Dashes = rest[at+1:], s[len(kind)] == '-' || rest[at] == '-'
	return id, true
}

// NewID returns an id for a message with a time in Unix milliseconds. random must be
// unpredictable.
func NewID(millis int64, random [8]byte) string { return newID("msg_", millis, random) }

// NewAttachmentID returns an id for an attachment, as [NewID] does for a message.
func NewAttachmentID(millis int64, random [8]byte) string { return newID("att_", millis, random) }

func newID(kind string, millis int64, random [8]byte) string {
	return kind + strconv.FormatInt(max(millis, 0)/1000, 10) + "_" + hex.EncodeToString(random[:])
}

// NewIdempotencyKey returns a key made of 16 random bytes: idk_ and a UUID of version 4 (rule
// IDK-1).
func NewIdempotencyKey(random [16]byte) string {
	return "idk_" + names.UUID(random)
}

// ValidIdempotencyKey reports whether a key has the form that rule IDK-1 recommends.
func ValidIdempotencyKey(s string) bool {
	const form = "idk_00000000-0000-4000-8000-000000000000"
	if len(s) != len(form) {
		return false
	}
	for i := range len(s) {
		ok := false
		switch {
		case i < 4 || form[i] == '-' || form[i] == '4':
			ok = s[i] == form[i]
		case form[i] == '8':
			ok = strings.IndexByte("89abAB", s[i]) >= 0
		default:
			ok = hexadecimal(s[i : i+1])
		}
		if !ok {
			return false
		}
	}
	return true
}

// Address is a full address (rule ENV-3): agent@tenant.provider. There may be scopes
// between the agent and the tenant, so only a provider knows where in the domain the
// tenant begins.
type Address struct {
	// Agent is 1 to 63 letters, digits, "-" and "_". It contains no path separator, but may be
	// the name of a device.
	Agent  string
	Domain string // all after the "@"
}

// ParseAddress reads a full address. ok is false for a short one, whose domain lacks a tenant or
// a provider, and for characters that have a meaning in a path or in the signed text.
func ParseAddress(s string) (a Address, ok bool) {
	agent, domain, found := strings.Cut(s, "@")
	if !found || len(s) > 254 || !label(agent, "-_") || !strings.Contains(domain, ".") {
		return Address{}, false
	}
	for part := range strings.SplitSeq(domain, ".") {
		if !label(part, "-") {
			return Address{}, false
		}
	}
	return Address{Agent: agent, Domain: domain}, true
}

func (a Address) String() string { return a.Agent + "@" + a.Domain }

// Same reports whether two addresses mean the same agent. It ignores case: existing senders write
// all addresses in lower case.
func (a Address) Same(b Address) bool {
	return strings.EqualFold(a.Agent, b.Agent) && strings.EqualFold(a.Domain, b.Domain)
}

// label reports whether s is 1 to 63 letters, digits and characters of more.
func label(s, more string) bool {
	if s == "" || len(s) > 63 {
		return false
	}
	for i := range len(s) {
		if !names.Alphanumeric(s[i]) && strings.IndexByte(more, s[i]) < 0 {
			return false
		}
	}
	return true
}

func upper(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return 'A' <= r && r <= 'Z' }) >= 0
}
