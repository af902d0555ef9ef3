package names

import "strings"

// OriginalOf recognises the name of a copy that a sync tool makes of a file that two machines
// changed at once, and returns the name of its original: Syncthing's
// "log-a.sync-conflict-20260101-120000-ABCDEFG.jsonl", and the form of Dropbox, Nextcloud
// and others, "log-a (bob's conflicted copy 2026-01-01).jsonl". The original of a copy of
// a copy is the first original.
func OriginalOf(name string) (original string, ok bool) {
	var stem string
	ext := extension(name)
	if i := strings.Index(name, syncthing); i >= 0 {
		// The mark is before the last extension. If the mark has the last dot, there is none.
		if strings.Contains(ext, syncthing) {
			ext = ""
		}
		stem = name[:i]
	} else if stem, ok = bracketed(strings.TrimSuffix(name, ext)); !ok {
		return "", false
	}
	if stem == "" {
		return "", false
	}
	return stem + ext, true
}

const syncthing = ".sync-conflict-"

// bracketed returns the name in "name (… conflict…)" or "name_conflict-…".
func bracketed(stem string) (string, bool) {
	for _, sign := range []string{" (", "_conflict-"} {
		if i := strings.Index(stem, sign); i > 0 && strings.Contains(strings.ToLower(stem[i:]), "conflict") {
			return stem[:i], true
		}
	}
	return "", false
}

// extension is [path.Ext], which the core does not import.
func extension(name string) string {
	if i := strings.LastIndexAny(name, "./"); i >= 0 && name[i] == '.' {
		return name[i:]
	}
	return ""
}
