package mail

import "unicode/utf8"

// maxSenderKey is the maximum length in bytes of a [SenderKey].
const maxSenderKey = 96

// SenderKey returns the key by which a list is sorted by sender: the name, or as much of it
// as fits into a cursor.
func SenderKey(name string) string {
	if len(name) <= maxSenderKey {
		return name
	}
	end := maxSenderKey
	for end > 0 && !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end]
}
