package abi

// Shape documents one op. Argument 1 is a JSON object of parameters throughout,
// and nothing at all stands for an empty one; a member that an op does not know
// is refused, so that a host never thinks an older module obeyed it. Argument 2
// is the bytes of the format.
type Shape struct {
	Op Op
	// Params names the members of argument 1; a question mark follows those
	// that may be missing or null.
	Params string
	// Input says what argument 2 is, or is empty if it must be.
	Input string
	// Result is the result's shape, and About a sentence on the op.
	Result, About string
}

const (
	messageShape = `{"id","ts","from","to","thread","body","log","offset","filing","form"}`
	profileNote  = `"profile"?`
)

// Ops documents every op, in the order of their numbers.
func Ops() []Shape {
	all := []Shape{{
		Op: Info, Params: "", Input: "",
		Result: `{"abi":{"major","minor"},"maxInput","ops":[{"op","name"}]}`,
		About:  "What this module is.",
	}}
	for _, format := range [][]Shape{sampOps(), atsfReading(), atsfWriting(), agnReading(), agnWriting(), agnRecords(), ampReading(), ampWriting(), ampNames(), mailOps(), renderOps()} {
		all = append(all, format...)
	}
	return all
}

func sampOps() []Shape {
	return []Shape{
		{
			Op: SAMPParse, Params: profileNote, Input: "one line of a log",
			Result: `{"id","ts","from","to","thread","body","key","form","lossy"}`,
			About:  `Reads a record. "id" is the stored id, "key" the effective one (computed in the profile's form where none is stored), "form" what the stored id turned out to be: missing, spaced, compact, ascii-escaped, unnormalised or wrong.`,
		},
		{
			Op: SAMPInspect, Params: `"log"`, Input: "one line of that log",
			Result: `{"malformed","form","faults":[{"rule","field","offset","reason"}],"notes":[…]}`,
			About:  `All that one line shows about the rules. "log" is the log's file name; "form" is null for a malformed line.`,
		},
		{
			Op: SAMPID, Params: profileNote, Input: "one line of a log",
			Result: "16 hexadecimal digits",
			About:  "Computes the id over the fields that the line has; the stored id plays no part.",
		},
		{
			Op: SAMPCanonical, Params: profileNote, Input: "one line of a log",
			Result: "the text that the profile hashes",
			About:  "The canonical bytes of a record.",
		},
		{
			Op: SAMPThread, Params: `"from","date","profile"?`, Input: "the body of a new message",
			Result: `{"thread","body"}`,
			About:  `Derives a new message's thread, and the body as it is stored. "date" is YYYY-MM-DD.`,
		},
		{
			Op: SAMPInbox, Params: `"me","profile"?,"mode"?,"forms"?,"watermark"?,"now"?,"logs":[{"name","length"}]`,
			Input:  "the logs' bytes, one after the other in the order of \"logs\"",
			Result: `{"messages":[` + messageShape + `],"suspicious":[…],"older","replicas","lines","malformed","watermark","logs":[{"name","lines","malformed","complete"}]}`,
			About:  `One reader's mail. "mode" is "default" (what the watermark lets through; needs "now" in Unix seconds), "all", "raw" (as all, and each message has its line as "raw") or a number (the newest so many). "watermark" is {"ts","ids"}, and comes back moved on in the default mode and as it was in the others. "older" counts what the watermark hides because of its time alone. "offset" is in bytes from the start of the message's log, "filing" own, copied or misfiled, "complete" the log's length up to its last line end. "forms":false leaves "form" out, which saves hashing.`,
		},
		{
			Op: SAMPReply, Params: `"me","body","ts","profile"?,"to_id"?,"logs":[{"name","length"}]`,
			Input:  "the logs' bytes, as for samp.inbox",
			Result: `{"target":` + messageShape + `,"tied":[…],"id","line"}`,
			About:  `Drafts the reply to the newest message to "me", or to the one whose id is "to_id". "line" is the record to append to the log of "me". Where several senders tie at the newest second (or gave their messages that id), "target", "id" and "line" are null and "tied" holds the last message of each; for an empty inbox "tied" is empty too. What is dated more than 300 seconds after "ts" is answered by its id alone.`,
		},
		{
			Op: SAMPBuild, Params: `"from","to","thread","ts","profile"?`, Input: "the body",
			Result: "the record as a line, with its line end",
			About:  `Makes the record of a new message, to be appended to the log of "from". "thread" comes from samp.thread, or is inherited by a reply.`,
		},
		{
			Op: SAMPCompact, Params: profileNote, Input: "a log's bytes",
			Result: `{"changed","before","after","filled","malformed","conflicts","length"}, a line feed, and the log's new bytes`,
			About:  `Drops duplicates and blank lines and fills in missing ids. "before" and "after" count lines; "length" is that of the new bytes, which are the old ones if "changed" is false.`,
		},
		{
			Op: SAMPWatermark, Params: `"now"?`, Input: "the bytes of a watermark file",
			Result: `{"ts": …, "ids": […]}, as the file holds it`,
			About:  `Reads a watermark and writes it in the published form, with "ts" no later than "now".`,
		},
		{
			Op: SAMPAlias, Params: "", Input: "an alias",
			Result: `{"valid","allowed","reason","log","watermark"}`,
			About:  `"valid" is what reading asks of a name, "allowed" what writing asks, "reason" why not. "log" and "watermark" are the file names, empty for a name that is not valid.`,
		},
		{
			Op: SAMPValidate, Params: `"log","limit"?`, Input: "that log's bytes",
			Result: `{"lines","malformed","torn","forms":{"spaced",…},"findings":[{"line","offset","level","rule","field","reason"}],"more"}`,
			About:  `Checks every line of a log. "line" counts from 1, "offset" is in bytes from the start of the log, "level" is fault or note, "torn" tells that the last line has no line end, "more" counts the findings beyond "limit" (1000 unless said otherwise, at most 100000).`,
		},
		{
			Op: SAMPThreads, Params: `"me"?,"profile"?,"limit"?,"logs":[{"name","length"}]`,
			Input:  "the logs' bytes, as for samp.inbox",
			Result: `{"threads":[{"thread","count","first","parties":[…],"last":` + messageShape + `}],"more","suspicious","replicas","lines","malformed"}`,
			About:  `Groups the logs' messages into threads, that with the newest message first. "me" leaves only mail to one reader; it may be left out, not empty. "count" is that of the messages, each counted once; "first" is the time of the oldest, "last" the newest message, "parties" all who wrote or got one, in order. "more" counts the threads beyond "limit" (1000 unless said otherwise, at most 100000), "suspicious" the records that are in no thread since somebody else may have forged them.`,
		},
	}
}
