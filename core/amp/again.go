package amp

import (
	"strconv"
	"strings"
)

// copied returns what shows that a message with the signature of an earlier one is a
// copy of it, or "" if its sender may have sent the same words twice. Almost nothing
// that it checks is signed, so a careful copy is not found out. anew is set for a key
// that never makes the same signature twice.
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
	case msg.InReplyTo == "" && sameID(msg.ThreadID, first.ID):
		return "its thread is that message's, and it is no reply"
	case !ok || !firstOK || (Arrival{Written: msg.Time.Millis, ID: msg.ID}).doubt() > maxDoubt:
		return "its id does not go with its time"
	case at < was || at == was && at%1000 != 0:
		return "by its id it is not the later one"
	}
	return ""
}

// maxDoubt is how many seconds lie at most between the time in an id and the
// timestamp, where one client made both.
const maxDoubt = 60

// idMillis returns the time in an id in Unix milliseconds; an id that counts seconds
// has whole ones.
func idMillis(s string) (millis int64, ok bool) {
	id, ok := ParseID(s)
	if !ok || !id.Millis {
		return id.Seconds * 1000, ok
	}
	digits := s[len("msg_"):]
	millis, err := strconv.ParseInt(digits[:strings.IndexAny(digits, "_-")], 10, 64)
	return millis, err == nil
}

// sameID compares ids as existing clients do, which take "-" for "_".
func sameID(a, b string) bool {
	return strings.ReplaceAll(a, "-", "_") == strings.ReplaceAll(b, "-", "_")
}
