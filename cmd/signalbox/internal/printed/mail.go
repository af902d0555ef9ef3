package printed

// Message is a message of SAMP mail.
type Message struct {
	ID     string `json:"id"`
	Time   int64  `json:"time"`
	From   string `json:"from"`
	To     string `json:"to"`
	Thread string `json:"thread"`
	// the text, as its sender wrote it: apart from JSON's escapes it is not made safe for a terminal
	Body string `json:"body"`
	File string `json:"file"`
	// the form of the id in the log: spaced (v1), compact (v1-compact), ascii-escaped, unnormalised, wrong or missing
	Form string `json:"form"`
	// any of "late", "sync copy" and "suspicious"
	Marks []string `json:"marks"`
	// the time as the record has it, in seconds
	TS int64 `json:"ts"`
}

// Marked is what "inbox mark" did.
type Marked struct {
	// how many threads were marked as read
	Threads int `json:"threads"`
	// how many unread messages are left
	Unread int `json:"unread"`
	// how many threads need your reply
	NeedsReply int `json:"needsReply"`
}

// Compacted is what "compact" did to one log.
type Compacted struct {
	File string `json:"file"`
	// how many lines there were
	Before int `json:"before"`
	// how many lines there are
	After int `json:"after"`
	// how many duplicates and blank lines were dropped
	Dropped int `json:"dropped"`
	// how many missing ids were filled in
	Filled int `json:"filled"`
	// how many lines are no records, and were kept
	Malformed int `json:"malformed"`
	// how many records were kept whose id another one has
	Conflicts int `json:"conflicts"`
	// whether the log was replaced
	Rewritten bool `json:"rewritten"`
}

// Begun is what "samp thread" prints.
type Begun struct {
	Thread string `json:"thread"`
	// the text as a record has it, without a prefix that names the thread
	Body string `json:"body"`
}
