package amp

import (
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/digest"
	"github.com/signalbox-dev/signalbox/core/names"
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

// Attachment is a message's description of a file (rule ATT-3), whose content is elsewhere. All
// of it is the sender's word: use the name only through [SafeFilename], and the content only
// after [Attachment.Check].
type Attachment struct {
	ID, Filename, ContentType string
	Size                      int64  // in bytes
	Digest                    string // sha256: and 64 hexadecimal digits
	URL                       string // never fetched by itself. It is empty where the message has null.
	ScanStatus                string
	Uploaded, Expires         Time
	// Ref is the file's location in another protocol ([Elsewhere]). Such an attachment may lack
	// an id, a URL, a scan and dates, and have any size: it did not go through a provider.
	Ref string
}

// Elsewhere is the "storage" of an attachment whose file is fetched by a file protocol, by
// the attachment's "ref".
const Elsewhere = "afp"

type attachmentReader struct {
	Attachment
	before []Attachment
}

var attachmentShape = canon.Shape[*attachmentReader]{What: "an attachment", Fields: []canon.Field[*attachmentReader]{
	{Name: "id", Rule: "ATT-15", Set: func(a *attachmentReader, m *canon.Member) { a.ID = attachmentID(m, a.before) }},
	{Name: "filename", Rule: "ATT-3", Set: func(a *attachmentReader, m *canon.Member) {
		if a.Filename = m.Text(); m.Kind == canon.String {
			filename(m, a.Filename)
		}
	}},
	{Name: "content_type", Rule: "ATT-3", Set: func(a *attachmentReader, m *canon.Member) {
		if a.ContentType = nonEmpty(m); a.ContentType != "" && !mediaType(a.ContentType) {
			m.Note(quote(a.ContentType) + " is not a MIME type")
		}
	}},
	{Name: "size", Rule: "ATT-3", Set: func(a *attachmentReader, m *canon.Member) {
		if a.Size = count(m); a.Size > MaxAttachment {
			m.FaultOf("ATT-9", "an attachment has "+strconv.FormatInt(a.Size, 10)+" bytes, and "+strconv.Itoa(MaxAttachment)+" are the limit")
		}
	}},
	{Name: "digest", Rule: "ATT-3", Set: func(a *attachmentReader, m *canon.Member) {
		a.Digest = nonEmpty(m)
		if bad := checkDigest(a.Digest); a.Digest != "" && bad != nil {
			m.FaultOf(bad.Rule, bad.Reason)
		}
	}},
	{Name: "url", Rule: "ATT-3", Set: func(a *attachmentReader, m *canon.Member) {
		if m.Kind != canon.Null { // which was noted as rule JSN-1
			a.URL = nonEmpty(m)
		}
	}},
	{Name: "scan_status", Rule: "ATT-5", Set: func(a *attachmentReader, m *canon.Member) { a.ScanStatus = scanStatus(m) }},
	{Name: "uploaded_at", Rule: "ATT-3", Set: func(a *attachmentReader, m *canon.Member) { a.Uploaded = readTime(m) }},
	{Name: "expires_at", Rule: "ATT-8", Set: func(a *attachmentReader, m *canon.Member) { a.Expires = readTime(m) }},
}}

// elsewhereShape is the shape of an attachment whose storage is [Elsewhere].
var elsewhereShape = canon.Shape[*attachmentReader]{What: "an attachment", Fields: elsewhereFields()}

func elsewhereFields() []canon.Field[*attachmentReader] {
	fields := []canon.Field[*attachmentReader]{
		{Name: "storage", Rule: "ATT-3", Set: func(*attachmentReader, *canon.Member) {}},
		{Name: "ref", Rule: "ATT-3", Set: func(a *attachmentReader, m *canon.Member) { a.Ref = nonEmpty(m) }},
	}
	for _, f := range attachmentShape.Fields {
		switch f.Name {
		case "size":
			f.Set = func(a *attachmentReader, m *canon.Member) { a.Size = count(m) }
		case "filename":
		default:
			f.Optional = true
		}
		fields = append(fields, f)
	}
	return fields
}

func shapeOf(m *canon.Member) *canon.Shape[*attachmentReader] {
	shape := &attachmentShape
	_ = canon.Object(m.Raw, func(key []byte, v canon.Value) error {
		if string(key) == "storage" && v.Kind == canon.String {
			if s, _ := canon.Unquote(v.Raw); s == Elsewhere {
				shape = &elsewhereShape
			}
		}
		return nil
	})
	return shape
}

func attachments(m *canon.Member) []Attachment {
	list := []Attachment{}
	var total int64
	n := m.Each(MaxAttachments, func(e *canon.Member) {
		e.Rule = "ATT-3"
		a := attachmentReader{before: list}
		shape := shapeOf(e)
		shape.Read(e, &a)
		checkRetention(e, &a.Attachment)
		if shape == &attachmentShape {
			total += min(a.Size, MaxAttachmentsTotal+1)
		}
		list = append(list, a.Attachment)
	})
	if n > MaxAttachments {
		m.FaultOf("ATT-9", "there are "+strconv.Itoa(n)+" attachments, and "+strconv.Itoa(MaxAttachments)+" are the limit")
	}
	if total > MaxAttachmentsTotal {
		m.FaultOf("ATT-9", "the attachments have more than "+strconv.Itoa(MaxAttachmentsTotal)+" bytes together")
	}
	return list
}

// checkRetention checks that an attachment is kept long enough. A client reads the clock for each
// of the two times, so they may be off by a minute.
func checkRetention(m *canon.Member, a *Attachment) {
	const reason = "the attachment is kept for less than 7 days"
	switch left := MinTTL - (a.Expires.Millis - a.Uploaded.Millis); {
	case !a.Uploaded.OK || !a.Expires.OK || left <= 0:
	case left > 60*1000:
		m.Out.AddFault("ATT-8", m.Path()+".expires_at", m.Offset, reason)
	default:
		m.Out.AddNote("ATT-8", m.Path()+".expires_at", m.Offset, reason+", by a minute or less")
	}
}

func attachmentID(m *canon.Member, before []Attachment) string {
	s := nonEmpty(m)
	if s == "" {
		return ""
	}
	id, ok := ParseAttachmentID(s)
	switch {
	case !ok:
		m.Fault(m.Quoted() + " does not have the form att_<time>_<hexadecimal digits>: " + quote(s))
	case slices.ContainsFunc(before, func(a Attachment) bool { return a.ID == s }):
		m.Fault("two attachments have the id " + quote(s))
	case id.Dashes || !hexadecimal(id.Suffix):
		m.Note(quote(s) + " does not quite have the form att_<time>_<hexadecimal digits>")
	case id.Millis:
		m.Note(m.Quoted() + " counts milliseconds, where the text has seconds")
	}
	return s
}

func scanStatus(m *canon.Member) string {
	all := []string{Pending, Clean, BasicClean, Unscanned, Suspicious, Rejected}
	s := m.Text()
	switch {
	case m.Kind != canon.String:
	case !slices.Contains(all, s):
		m.Fault("the scan status is " + anyOf(s, all))
	case s == Pending:
		m.FaultOf("ATT-6", "an attachment whose scan is pending is in no message")
	case s == Rejected:
		m.FaultOf("ATT-7", "an attachment was rejected by its scan")
	}
	return s
}

// Check returns a *[canon.Fault] if content differs from the attachment's size or digest. Call it
// before the content is opened, shown or stored under its name (rule ATT-18).
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

// Digest returns the digest of content as attachments write it.
func Digest(content []byte) string {
	sum := digest.Sum(content)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// checkDigest returns a fault for a malformed digest or an unknown algorithm (rule ATT-22).
func checkDigest(s string) *canon.Fault {
	algorithm, digits, found := strings.Cut(s, ":")
	if !found || algorithm != "sha256" {
		return &canon.Fault{Rule: "ATT-22", Reason: "the digest's algorithm is unknown: " + quote(s)}
	}
	if len(digits) != 64 || !hexadecimal(digits) {
		return &canon.Fault{Rule: "ATT-3", Reason: "the digest does not have 64 hexadecimal digits: " + quote(s)}
	}
	return nil
}

func hexadecimal(s string) bool {
	for i := range len(s) {
		if !names.Hexadecimal(s[i]) {
			return false
		}
	}
	return s != ""
}

// mediaType reports whether s is a type/subtype in RFC 6838's characters, with or without
// parameters.
func mediaType(s string) bool {
	name, _, _ := strings.Cut(s, ";")
	top, sub, found := strings.Cut(strings.TrimSpace(name), "/")
	const more = "!#$&-^_.+"
	return found && label(top, more) && len(sub) > 0 && len(sub) <= 127 && label(sub[:min(len(sub), 63)], more) && (len(sub) <= 63 || label(sub[63:], more)) && utf8.ValidString(s)
}
