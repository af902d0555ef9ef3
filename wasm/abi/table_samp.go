package abi

const (
	lineOfLog = "one line of a log"
	someLogs  = `the logs' bytes, one after the other in the order of "logs"`
	atMost    = `"more" counts those beyond "limit", which is 1000 by default and at most 100000`
)

func sampOps() []Spec {
	return []Spec{
		{
			Op: 100, Name: "samp.parse", Args: "*line: bytes, profile?: Profile", Input: lineOfLog,
			Result: "Record",
			About:  `Reads a record. "id" is the stored id and "key" the effective one, which is computed in the profile's form where none is stored. "form" is what the stored id turned out to be.`,
		},
		{
			Op: 101, Name: "samp.inspect", Args: "log: text, *line: bytes", Input: "one line of that log",
			Result: "Inspection",
			About:  `Checks one line against the rules. "log" is the log's file name. "form" is null for a malformed line.`,
		},
		{
			Op: 102, Name: "samp.id", Args: "*line: bytes, profile?: Profile", Input: lineOfLog,
			Result: "text: 16 hexadecimal digits",
			About:  "Computes the id from the fields that the line has. The stored id plays no part.",
		},
		{
			Op: 103, Name: "samp.canonical", Args: "*line: bytes, profile?: Profile", Input: lineOfLog,
			Result: "the text that the profile hashes",
			About:  "Returns the canonical bytes of a record.",
		},
		{
			Op: 104, Name: "samp.thread", Args: "*body: text, from: text, date: text, profile?: Profile", Input: "the body of a new message",
			Result: "DerivedThread",
			About:  `Derives a new message's thread from its body, and the body as it is stored. "date" is YYYY-MM-DD, local in v1 and UTC in v1-compact.`,
		},
		{
			Op: 105, Name: "samp.inbox", Args: "...query: InboxQuery", Input: someLogs,
			Result: "Inbox",
			About:  `Filters a directory's logs for one reader. "mode" is "default" (what the watermark lets through; needs "now" in Unix seconds), "all", "raw" (like all, and each message has its line as "raw") or a number (the newest so many). "watermark" comes back advanced in the default mode and unchanged in the others. "older" counts what the watermark hides because of its time alone. "offset" is in bytes from the start of the message's log, and "complete" is the log's length up to its last line end. "forms": false leaves "form" out, which saves hashing.`,
		},
		{
			Op: 106, Name: "samp.reply", Args: "...query: ReplyQuery", Input: someLogs,
			Result: "Draft",
			About:  `Drafts the reply to the newest message to "me", or to the one whose id is "to_id". "line" is the record to append to the log of "me". Where several senders tie at the newest second (or gave their messages that id), "target", "id" and "line" are null and "tied" holds the last message of each. For an empty inbox "tied" is empty too. A message dated more than 300 seconds after "ts" is answered by its id alone.`,
		},
		{
			Op: 107, Name: "samp.build", Args: "...message: NewMessage", Input: "the body",
			Result: "the record as a line, with its line end",
			About:  `Makes the record of a new message, to be appended to the log of "from". "thread" comes from samp.thread, or a reply inherits it.`,
		},
		{
			Op: 108, Name: "samp.compact", Args: "*data: bytes, profile?: Profile", Input: "a log's bytes",
			Result: "Compaction",
			About:  `Drops a log's duplicates and blank lines and fills in missing ids. "before" and "after" count lines. "length" is the length of the new bytes, which are the old ones if "changed" is false.`,
		},
		{
			Op: 109, Name: "samp.watermark", Args: "*file: bytes, now?: int", Input: "the bytes of a watermark file",
			Result: "Watermark",
			About:  `Reads a watermark and writes it in the published form, with "ts" no later than "now", in Unix seconds.`,
		},
		{
			Op: 110, Name: "samp.alias", Args: "*name: text", Input: "an alias",
			Result: "Alias",
			About:  `Checks a name. "valid" is what reading asks of it, "allowed" what writing asks, and "reason" why not. "log" and "watermark" are the file names, empty for a name that is not valid.`,
		},
		{
			Op: 111, Name: "samp.validate", Args: "log: text, *data: bytes, limit?: int", Input: "that log's bytes",
			Result: "Validation",
			About:  `Checks every line of a log. "log" is its file name. "line" counts from 1, "offset" is in bytes from the start of the log, and "torn" means that the last line has no line end. Of the findings ` + atMost + `.`,
		},
		{
			Op: 112, Name: "samp.threads", Args: "...query: ThreadsQuery", Input: someLogs,
			Result: "MessageThreads",
			About:  `Groups the logs' messages into threads, newest message first. "me" selects mail to one reader; it may be left out, not empty. "count" counts the messages, each once; "first" is the time of the oldest, "last" the newest message, and "parties" lists everybody who wrote or received one. Of the threads ` + atMost + `. "suspicious" counts the records that are in no thread, since somebody else may have forged them.`,
		},
	}
}
