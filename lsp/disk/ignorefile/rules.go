package ignorefile

// Messages returns the rules of a message directory (rule S2): for watermarks, for logs that
// the published tool or Signalbox is compacting, and for locks of logs.
func Messages(dir string) Rules {
	return Rules{Dir: dir, Own: true, Ignore: []string{".seen-*", ".mtime-*", ".log-*.tmp", ".log-*.lock", ".signalbox-*"}}
}

// Mailboxes returns the rules of the mailboxes of amp/0.1: for private keys, the secrets of
// providers, and unfinished files. Another machine would take unfinished files for the
// remains of a killed writer and undo them.
func Mailboxes(root string) Rules {
	return Rules{Dir: root, Own: true, Ignore: []string{
		"keys/private.pem", "registrations", ".signalbox", "agents/*/keys/private.pem", "agents/*/registrations", "agents/*/.signalbox", "**/.signalbox-*",
	}}
}

// Tasks returns the rules of a directory of AMP/1.0 tasks. In our own layout they include the
// summaries and the error log: each machine makes them from the messages, and two machines
// that write them would conflict.
func Tasks(dir string, layout bool) Rules {
	r := Rules{Dir: dir, Ignore: []string{".lock", "**/.signalbox-*"}}
	if layout {
		r.Ignore = append(r.Ignore, "tasks", "errors.jsonl")
	}
	return r
}

// Threads returns the rules of a project's folder: for locks of threads, and for unfinished
// files.
func Threads(folder string) Rules {
	return Rules{Dir: folder, Ignore: []string{
		".agent/threads/*/messages.jsonl.lock", ".agent/threads/*/.*", ".agent/threads/*/assets/.*", ".agent/threads/.*", ".agent/.*.signalbox*",
	}}
}
