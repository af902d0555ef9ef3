package printed

// Message is a message of SAMP mail.
type Message struct {
	ID     string   `json:"id"`
	Time   int64    `json:"time"`
	From   string   `json:"from"`
	To     string   `json:"to"`
	Thread string   `json:"thread"`
	Body   string   `json:"body" jsonschema:"the text, as its sender wrote it: apart from JSON's escapes it is not made safe for a terminal"`
	File   string   `json:"file"`
	Form   string   `json:"form" jsonschema:"the form of the id in the log: spaced (v1), compact (v1-compact), ascii-escaped, unnormalised, wrong or missing"`
	Marks  []string `json:"marks" jsonschema:"any of \"late\", \"sync copy\" and \"suspicious\""`
	TS     int64    `json:"ts" jsonschema:"the time as the record has it, in seconds"`
}

// SentMessage is a message that you sent.
type SentMessage struct {
	Message
	Receipt Receipt `json:"receipt" jsonschema:"what became of it"`
}

// Receipt is what became of a message.
type Receipt struct {
	State  string `json:"state" jsonschema:"sent, told, read, answered, or nobody if nobody reads it"`
	Reason string `json:"reason,omitempty" jsonschema:"why nobody reads it: ended, unknown or waits"`
	Time   int64  `json:"time,omitempty" jsonschema:"when it was read or answered, or since when it waits; left out where that is not known"`
}

// Marked is what "inbox mark" did.
type Marked struct {
	Threads    int `json:"threads" jsonschema:"how many threads were marked as read"`
	Unread     int `json:"unread" jsonschema:"how many unread messages are left"`
	NeedsReply int `json:"needsReply" jsonschema:"how many threads need your reply"`
}

// Compacted is what "compact" did to one log.
type Compacted struct {
	File      string `json:"file"`
	Before    int    `json:"before" jsonschema:"how many lines there were"`
	After     int    `json:"after" jsonschema:"how many lines there are"`
	Dropped   int    `json:"dropped" jsonschema:"how many duplicates and blank lines were dropped"`
	Filled    int    `json:"filled" jsonschema:"how many missing ids were filled in"`
	Malformed int    `json:"malformed" jsonschema:"how many lines are no records, and were kept"`
	Conflicts int    `json:"conflicts" jsonschema:"how many records were kept whose id another one has"`
	Rewritten bool   `json:"rewritten" jsonschema:"whether the log was replaced"`
}

// Begun is what "samp thread" prints.
type Begun struct {
	Thread string `json:"thread"`
	Body   string `json:"body" jsonschema:"the text as a record has it, without a prefix that names the thread"`
}
