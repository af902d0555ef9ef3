package client

// Profile is the form of new records and of computed ids. The default is v1.
type Profile string

// The profiles of SAMP v1 that are in use.
const (
	V1        Profile = "v1"
	V1Compact Profile = "v1-compact"
)

// Form is what a stored id turned out to be.
type Form string

// The forms of a stored id.
const (
	FormMissing      Form = "missing"
	FormSpaced       Form = "spaced"
	FormCompact      Form = "compact"
	FormASCIIEscaped Form = "ascii-escaped"
	FormUnnormalised Form = "unnormalised"
	FormWrong        Form = "wrong"
)

// Fault is a broken rule, or something worth a note.
type Fault struct {
	// The id of the rule, and the member that breaks it.
	Rule  string `json:"rule"`
	Field string `json:"field"`
	// In bytes from the start of what was read; in a finding, from the start of the file.
	Offset int64 `json:"offset"`
	// A lower-case phrase, which may quote the input.
	Reason string `json:"reason"`
}

// Findings are what was read shows about the rules: faults break them, notes do not.
type Findings struct{ Faults, Notes []Fault }

// Finding is a fault or a note in a log.
type Finding struct {
	// Counts from 1.
	Line  int64
	Level string `abi:"fault|note"`
	Fault
}

// Record is one line of a log. Its texts are a stranger's. JavaScript rounds a
// time beyond 2^53.
type Record struct {
	// The stored id, or empty.
	ID string
	// In Unix seconds.
	TS                     int64
	From, To, Thread, Body string
	// The effective id.
	Key  string
	Form Form
	// Whether an escape in the line stood for half a character.
	Lossy bool
}

// Inspection is what one line shows about the rules.
type Inspection struct {
	Malformed bool
	// Missing for a malformed line.
	Form Form `abi:"null"`
	Findings
}

// Validation is what a whole log shows about the rules.
type Validation struct {
	Lines, Malformed int64
	// Whether the last line has no line end.
	Torn bool
	// Counts the records by the form of their id.
	Forms    map[Form]int64
	Findings []Finding
	// Counts the findings beyond the limit.
	More int64
}

// DerivedThread is a new message's thread, and its body as it is stored.
type DerivedThread struct{ Thread, Body string }

// NewMessage is what a new record says.
type NewMessage struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Thread string `json:"thread"`
	// In Unix seconds.
	TS      int64   `json:"ts"`
	Profile Profile `json:"profile,omitzero"`
	Body    string  `json:"-" abi:"input"`
}

// Log is a log's file name and its bytes.
type Log struct {
	Name string
	Data []byte `abi:"input"`
}

// Watermark is what a reader has seen: everything before its time, in Unix
// seconds, and of later mail the messages with these ids.
type Watermark struct {
	TS  int64    `json:"ts"`
	IDs []string `json:"ids"`
}

// InboxQuery asks for one reader's mail.
type InboxQuery struct {
	// The reader's alias.
	Me      string  `json:"me"`
	Profile Profile `json:"profile,omitzero"`
	Mode    Mode    `json:"mode,omitzero"`
	// In JSON "forms": false leaves out the form of each message, which saves hashing.
	SkipForms Negated `json:"forms,omitzero"`
	// Missing for a reader who has none.
	Watermark *Watermark `json:"watermark,omitzero"`
	// The time in Unix seconds, which the watermark never passes. The default mode needs it.
	Now  int64 `json:"now" abi:"new?"`
	Logs []Log `json:"-" abi:"input"`
}

// Message is a record and where it was found. Its texts are a stranger's.
type Message struct {
	// The effective id.
	ID string
	// In Unix seconds. JavaScript rounds a time beyond 2^53.
	TS                     int64
	From, To, Thread, Body string
	// The log's file name, and the line's first byte in it.
	Log    string
	Offset int64
	Filing string `abi:"own|copied|misfiled"`
	Form   Form   `abi:"?"`
	// The line without its end, in the raw mode only.
	Raw string `abi:"?"`
}

// Inbox is one reader's mail out of many logs.
type Inbox struct {
	// Sorted by time, then log, then line.
	Messages []Message
	// Records in somebody else's log that their sender never wrote.
	Suspicious []Message
	// Counts what the watermark hides only because of its time.
	Older int64
	// Counts the records that stood in several places.
	Replicas int64
	// Counts the lines that are not blank, and the ones among them that were found not to be records.
	Lines, Malformed int64
	// What to store after the messages were shown.
	Watermark *Watermark
	// Sorted by name.
	Logs []Scan
}

// Scan is what reading one log came to.
type Scan struct {
	Name             string
	Lines, Malformed int64
	// The log's length in bytes up to its last line end.
	Complete int64
}

// ThreadsQuery asks for the threads of a directory.
type ThreadsQuery struct {
	// Selects mail to one reader. By default all mail is grouped.
	Me      string  `json:"me,omitzero"`
	Profile Profile `json:"profile,omitzero"`
	// How many threads are listed, by default 1000.
	Limit int64 `json:"limit,omitzero"`
	Logs  []Log `json:"-" abi:"input"`
}

// MessageThread is the messages of one thread.
type MessageThread struct {
	Thread string
	// Counts the messages, each once.
	Count int64
	// The time of the oldest, in Unix seconds.
	First int64
	// Everybody who wrote or received one, in order.
	Parties []string
	// The newest.
	Last Message
}

// MessageThreads are the threads of a directory, newest message first.
type MessageThreads struct {
	Threads []MessageThread
	// Counts the threads beyond the limit.
	More int64
	// Counts the records that are in no thread, since somebody else may have forged them.
	Suspicious int64
	// Counts the records that stood in several places.
	Replicas         int64
	Lines, Malformed int64
}

// ReplyQuery asks for the draft of a reply.
type ReplyQuery struct {
	// The writer's alias.
	Me   string `json:"me"`
	Body string `json:"body"`
	// The reply's time in Unix seconds.
	TS      int64   `json:"ts"`
	Profile Profile `json:"profile,omitzero"`
	// Names the message to answer, by default the newest.
	ToID string `json:"to_id,omitzero"`
	Logs []Log  `json:"-" abi:"input"`
}

// Draft is a reply that is ready to be appended to its writer's log.
type Draft struct {
	// The message that is answered, or null if several are tied or the inbox is empty.
	Target *Message
	// The messages to choose from.
	Tied []Message
	// The new record's id, and the record with its line end.
	ID   string `abi:"null"`
	Line string `abi:"null"`
}

// Compaction is what compacting did to a log.
type Compaction struct {
	// Whether the log has to be rewritten with the new bytes.
	Changed bool
	// Counts lines.
	Before, After int64
	// Counts the records that got an id.
	Filled int64
	// Counts the unreadable lines, which are kept.
	Malformed int64
	// Counts the records under an id that another had before. They are kept.
	Conflicts int64
	// The length of the new bytes.
	Length int64
	Data   []byte `json:"-" abi:"rest"`
}

// Alias says whether a name may be read and written, and which files it has.
type Alias struct {
	// What reading asks of the name, and what writing asks.
	Valid, Allowed bool
	// Why it is not allowed.
	Reason string
	// File names, empty for a name that is not valid.
	Log, Watermark string
}
