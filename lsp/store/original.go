package store

import (
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// HasOriginal reports whether the sender's own log holds what a record says,
// under whatever id: then a record in somebody else's log is a replica and no
// forgery. Nothing is read from disk.
func (l *Live) HasOriginal(r *samp.Record) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	content := contentHash(l.idx.seed, r)
	for n := range l.idx.texts.find(content) {
		if e := l.idx.entries.at(n); e.content == content && e.state&visible != 0 && e.filing == samp.Own {
			return true
		}
	}
	return false
}

// Logs lists the directory's logs as they were last seen, in byte order of
// their names.
func (l *Live) Logs() []Log {
	l.mu.RLock()
	defer l.mu.RUnlock()
	list := make([]Log, 0, len(l.logs))
	for _, s := range l.logs {
		list = append(list, s.log)
	}
	slices.SortFunc(list, func(a, b Log) int { return strings.Compare(a.Name, b.Name) })
	return list
}
