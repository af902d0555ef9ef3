package claude

import (
	"bytes"

	"github.com/signalbox-dev/signalbox/core/session"
)

// isRepeat reports whether a record with the id was read before. Some versions of /branch write
// records twice, and so does Claude Code if another program drives it through its stream.
func isRepeat(l *session.Log, id string) bool {
	if id == "" {
		return false
	}
	seen, ok := l.Own.(map[string]bool)
	if !ok {
		seen = make(map[string]bool)
		l.Own = seen
	}
	was := seen[id]
	seen[id] = true
	return was
}

// duplicateID returns a record's id, and whether the record was copied by /branch from another
// session. Copies name the other session. Some versions then wrote the same records again without
// that name.
func duplicateID(line []byte) (id string, copied bool) {
	const name = `"uuid"`
	copied = bytes.Contains(line, []byte(`"forkedFrom"`))
	if bytes.Count(line, []byte(name)) > 1 { // a part of the record also has an id
		var r struct{ UUID string }
		decode(line, &r)
		return r.UUID, copied
	}
	_, rest, ok := bytes.Cut(line, []byte(name))
	rest, colon := bytes.CutPrefix(bytes.TrimLeft(rest, " "), []byte(":"))
	rest, quote := bytes.CutPrefix(bytes.TrimLeft(rest, " "), []byte(`"`))
	value, _, end := bytes.Cut(rest, []byte(`"`))
	if !ok || !colon || !quote || !end || bytes.IndexByte(value, '\\') >= 0 {
		return "", copied
	}
	return string(value), copied
}
