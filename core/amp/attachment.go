package amp

import (
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/digest"
)

// The results of a provider's scan (rule ATT-5). Pending and Rejected occur in no
// message, Unscanned only where no provider took part (rules ATT-6 and ATT-7).
const (
	Pending    = "pending"
	Clean      = "clean"
	BasicClean = "basic_clean"
	Unscanned  = "unscanned"
	Suspicious = "suspicious"
	Rejected   = "rejected"
)

// Attachment is what a message says of a file that lies elsewhere (rule ATT-3). All
// of it is the sender's word: a name is safe to use only through [SafeFilename],
// content only after [Attachment.Check].
type Attachment struct {
	ID, Filename, ContentType string
	// Size is in bytes.
	Size int64
	// Digest is sha256: and 64 hexadecimal digits.
	Digest string
	// URL is never fetched by itself. It is empty where the message has null.
	URL               string
	ScanStatus        string
	Uploaded, Expires Time
}

var attachmentShape = shape{what: "an attachment", fields: []field{
	{name: "id", rule: "ATT-15", required: true},
	{name: "filename", rule: "ATT-3", required: true},
	{name: "content_type", rule: "ATT-3", required: true},
	{name: "size", rule: "ATT-3", required: true},
	{name: "digest", rule: "ATT-3", required: true},
	{name: "url", rule: "ATT-3", required: true},
	{name: "scan_status", rule: "ATT-5", required: true},
	{name: "uploaded_at", rule: "ATT-3", required: true},
	{name: "expires_at", rule: "ATT-8", required: true},
}}

func (m *member) attachments() []Attachment {
	list := []Attachment{}
	var total int64
	n := m.each(MaxAttachments, func(e *member) {
		e.rule = "ATT-3"
		a := e.attachment(list)
		total += min(a.Size, MaxAttachmentsTotal+1)
		list = append(list, a)
	})
	if n > MaxAttachments {
		m.out.AddFault("ATT-9", m.path, m.v.Offset, "there are "+strconv.Itoa(n)+" attachments, and "+strconv.Itoa(MaxAttachments)+" are the limit")
	}
	if total > MaxAttachmentsTotal {
		m.out.AddFault("ATT-9", m.path, m.v.Offset, "the attachments have more than "+strconv.Itoa(MaxAttachmentsTotal)+" bytes together")
	}
	return list
}

// attachment reads one. before are those that were read already.
func (m *member) attachment(before []Attachment) Attachment {
	var a Attachment
	m.object(&attachmentShape, func(m *member) {
		switch m.name {
		case "id":
			a.ID = m.attachmentID(before)
		case "filename":
			if a.Filename = m.text(); m.v.Kind == canon.String {
				m.filename(a.Filename)
			}
		case "content_type":
			if a.ContentType = m.word(); a.ContentType != "" && !mediaType(a.ContentType) {
				m.note(quote(a.ContentType) + " is no MIME type")
			}
		case "size":
			if a.Size = m.count(); a.Size > MaxAttachment {
				m.out.AddFault("ATT-9", m.path, m.v.Offset, "an attachment has "+strconv.FormatInt(a.Size, 10)+" bytes, and "+strconv.Itoa(MaxAttachment)+" are the limit")
			}
		case "digest":
			a.Digest = m.word()
			if bad := checkDigest(a.Digest); a.Digest != "" && bad != nil {
				m.out.AddFault(bad.Rule, m.path, m.v.Offset, bad.Reason)
			}
		case "url":
			if m.v.Kind != canon.Null { // which was noted as rule JSN-1
				a.URL = m.word()
			}
		case "scan_status":
			a.ScanStatus = m.scanStatus()
		case "uploaded_at":
			a.Uploaded = m.time()
		case "expires_at":
			a.Expires = m.time()
		}
	})
	m.kept(&a)
	return a
}

// kept holds that an attachment is kept long enough. Between the two looks at the
// clock that a client takes a minute may have passed.
func (m *member) kept(a *Attachment) {
	const reason = "the attachment is kept for less than 7 days"
	switch left := MinTTL - (a.Expires.Millis - a.Uploaded.Millis); {
	case !a.Uploaded.OK || !a.Expires.OK || left <= 0:
	case left > 60*1000:
		m.out.AddFault("ATT-8", m.path+".expires_at", m.v.Offset, reason)
	default:
		m.out.AddNote("ATT-8", m.path+".expires_at", m.v.Offset, reason+", by a minute or less")
	}
}

func (m *member) attachmentID(before []Attachment) string {
	s := m.word()
	if s == "" {
		return ""
	}
	id, ok := ParseAttachmentID(s)
	switch {
	case !ok:
		m.fault(quote(m.path) + " has not the form att_<time>_<hexadecimal digits>: " + quote(s))
	case slices.ContainsFunc(before, func(a Attachment) bool { return a.ID == s }):
		m.fault("two attachments have the id " + quote(s))
	case id.Dashes || !hexadecimal(id.Suffix):
		m.note(quote(s) + " has not quite the form att_<time>_<hexadecimal digits>")
	case id.Millis:
		m.note(quote(m.path) + " counts milliseconds, where the text has seconds")
	}
	return s
}

func (m *member) scanStatus() string {
	all := []string{Pending, Clean, BasicClean, Unscanned, Suspicious, Rejected}
	s := m.text()
	switch {
	case m.v.Kind != canon.String:
	case !slices.Contains(all, s):
		m.fault("the scan status is " + anyOf(s, all))
	case s == Pending:
		m.out.AddFault("ATT-6", m.path, m.v.Offset, "an attachment whose scan is pending is in no message")
	case s == Rejected:
		m.out.AddFault("ATT-7", m.path, m.v.Offset, "an attachment was rejected by its scan")
	}
	return s
}

// Check holds content against the attachment's size and digest. It must be asked
// before the content is opened, shown or stored under its name (rule ATT-18), and
// returns a *[canon.Fault].
func (a *Attachment) Check(content []byte) error {
	return a.CheckSum(int64(len(content)), digest.Sum(content))
}

// CheckSum is [Attachment.Check] for content that is not in memory.
func (a *Attachment) CheckSum(size int64, sum [32]byte) error {
	if bad := checkDigest(a.Digest); bad != nil {
		return bad
	}
	if size != a.Size {
		return &canon.Fault{Rule: "ATT-18", Reason: "the content has " + strconv.FormatInt(size, 10) + " bytes, and the message says " + strconv.FormatInt(a.Size, 10)}
	}
	if got := "sha256:" + hex.EncodeToString(sum[:]); got != strings.ToLower(a.Digest) {
		return &canon.Fault{Rule: "ATT-18", Reason: "the content is not what was signed: its digest is " + got + ", not " + quote(a.Digest)}
	}
	return nil
}

// Digest gives content the form of an attachment's digest.
func Digest(content []byte) string {
	sum := digest.Sum(content)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// checkDigest refuses unknown algorithms rather than passing over them (rule
// ATT-22).
func checkDigest(s string) *canon.Fault {
	algorithm, digits, found := strings.Cut(s, ":")
	if !found || algorithm != "sha256" {
		return &canon.Fault{Rule: "ATT-22", Reason: "the digest's algorithm is unknown: " + quote(s)}
	}
	if len(digits) != 64 || !hexadecimal(digits) {
		return &canon.Fault{Rule: "ATT-3", Reason: "the digest has not 64 hexadecimal digits: " + quote(s)}
	}
	return nil
}

func hexadecimal(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; !digit(s[i]) && (c < 'a' || c > 'f') {
			return false
		}
	}
	return s != ""
}

// mediaType reports type/subtype in RFC 6838's letters, with or without parameters.
func mediaType(s string) bool {
	name, _, _ := strings.Cut(s, ";")
	top, sub, found := strings.Cut(strings.TrimSpace(name), "/")
	const more = "!#$&-^_.+"
	return found && label(top, more) && len(sub) > 0 && len(sub) <= 127 && label(sub[:min(len(sub), 63)], more) && (len(sub) <= 63 || label(sub[63:], more)) && utf8.ValidString(s)
}
