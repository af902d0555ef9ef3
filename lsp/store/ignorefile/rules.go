package ignorefile

// Messages is what stays in a message directory of SAMP (rule S2): readers' marks, logs
// that are being put together, by the published tool and by us, and locks of logs.
func Messages(dir string) Rules {
	return Rules{Dir: dir, Own: true, Ignore: []string{".seen-*", ".mtime-*", ".log-*.tmp", ".log-*.lock", ".signalbox-*"}}
}

// Mailboxes is what stays with the mailboxes of amp/0.1: private keys, the secrets
// of providers, and what a writer has not finished. On another machine that would
// be taken for the remains of a killed one, and taken back.
func Mailboxes(root string) Rules {
	return Rules{Dir: root, Own: true, Ignore: []string{
		"keys/private.pem", "registrations", ".signalbox", "agents/*/keys/private.pem", "agents/*/registrations", "agents/*/.signalbox", "**/.signalbox-*",
	}}
}

// Tasks is what stays in a directory of AMP/1.0 tasks. Of one in our own layout the
// summaries and the error log do as well: each machine makes them from the messages,
// and two that write them would be in each other's way.
func Tasks(dir string, layout bool) Rules {
	r := Rules{Dir: dir, Ignore: []string{".lock", "**/.signalbox-*"}}
	if layout {
		r.Ignore = append(r.Ignore, "tasks", "errors.jsonl")
	}
	return r
}

// Threads is what stays in a project's folder: locks of the logs of ATSF, and what
// is being written there.
func Threads(folder string) Rules {
	return Rules{Dir: folder, Ignore: []string{
		".agent/threads/*/messages.jsonl.lock", ".agent/threads/*/.*", ".agent/threads/*/assets/.*", ".agent/threads/.*", ".agent/.*.signalbox*",
	}}
}
