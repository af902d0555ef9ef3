package claude

import (
	"bytes"

	"github.com/signalbox-dev/signalbox/core/session"
)

// again reports whether a record was read already. Some versions of /branch, and programs
// that feed Claude Code by its stream, have it write records twice.
func again(l *session.Log, id string) bool {
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

// twin finds the records of a session that /branch made of another one: their copies name
// the other one, and what some versions wrote once more behind all of them does not.
func twin(line []byte) (id string, copied bool) {
	const name = `"uuid"`
	copied = bytes.Contains(line, []byte(`"forkedFrom"`))
	if bytes.Count(line, []byte(name)) > 1 { // a part of it has an id, too
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
