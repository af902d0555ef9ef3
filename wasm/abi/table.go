package abi

// Spec describes one op: a row of the only table of ops. Argument 1 is always a JSON
// object of parameters; no bytes mean an empty object. An op refuses a member it does
// not know, so that a host never thinks an older module obeyed it. Argument 2 holds the
// bytes of the format.
type Spec struct {
	Op Op
	// Name is the format's prefix and the name of the call.
	Name string
	// Params lists the parameters, with a question mark after those that may be missing.
	Params string
	// Input says what argument 2 is, or is empty if it must be.
	Input string
	// Result names a type in wasm/js/src/types.ts, or describes bytes.
	Result string
	// About says what the call does. It begins with a verb.
	About string
	// Call is the method in JavaScript: its arguments and result, and after "=>" what it
	// calls of the class Ops. A call that cuts bytes is written by hand and has none.
	Call string
}

// Ops describes every op, in the order of their numbers: 1 to 99 are general, 100
// to 199 SAMP, 200 to 299 ATSF, 300 to 399 tasks of AMP/1.0, 400 to 499 amp/0.1, 500
// to 549 about all formats, and 550 to 599 make text safe to show. A number is never
// changed or used again.
//
// From this table abigen writes the constants and names, the module's dispatch, the
// calls of JavaScript, and the tables in wasm/README.md. The module does not carry it.
func Ops() []Spec {
	return []Spec{
		{
			1, "info", "", "", "Info",
			"Says what the module is.",
			"",
		},
		{
			100, "samp.parse", `"profile"?`, "one line of a log", "SampRecord",
			`Reads a record. "id" is the stored id and "key" the effective one, which is computed in the profile's form where none is stored. "form" is what the stored id turned out to be.`,
			`(line: Bytes, profile?: Profile): SampRecord => json({ profile }, line)`,
		},
		{
			101, "samp.inspect", `"log"`, "one line of that log", "Inspection",
			`Checks one line against the rules. "log" is the log's file name. "form" is null for a malformed line.`,
			`(log: string, line: Bytes): Inspection => json({ log }, line)`,
		},
		{
			102, "samp.id", `"profile"?`, "one line of a log", "16 hexadecimal digits",
			"Computes the id from the fields that the line has. The stored id plays no part.",
			`(line: Bytes, profile?: Profile): string => text({ profile }, line)`,
		},
		{
			103, "samp.canonical", `"profile"?`, "one line of a log", "the text that the profile hashes",
			"Returns the canonical bytes of a record.",
			`(line: Bytes, profile?: Profile): Uint8Array => bytes({ profile }, line)`,
		},
		{
			104, "samp.thread", `"from","date","profile"?`, "the body of a new message", "DerivedThread",
			`Derives a new message's thread from its body, and the body as it is stored. "date" is YYYY-MM-DD, local in v1 and UTC in v1-compact.`,
			`(body: Bytes, from: string, date: string, profile?: Profile): DerivedThread => json({ from, date, profile }, body)`,
		},
		{
			105, "samp.inbox", `"me","profile"?,"mode"?,"forms"?,"watermark":Watermark?,"now"?,"logs":[{"name","length"}]`, `the logs' bytes, one after the other in the order of "logs"`, "Inbox",
			`Filters a directory's logs for one reader. "mode" is "default" (what the watermark lets through; needs "now" in Unix seconds), "all", "raw" (like all, and each message has its line as "raw") or a number (the newest so many). "watermark" comes back advanced in the default mode and unchanged in the others. "older" counts what the watermark hides because of its time alone. "offset" is in bytes from the start of the message's log, and "complete" is the log's length up to its last line end. "forms": false leaves "form" out, which saves hashing.`,
			`({ logs, ...query }: InboxQuery): Inbox => json((input) => ({ ...query, logs: input.logs(logs) }))`,
		},
		{
			106, "samp.reply", `"me","body","ts","profile"?,"to_id"?,"logs":[{"name","length"}]`, `the logs' bytes, one after the other in the order of "logs"`, "Draft",
			`Drafts the reply to the newest message to "me", or to the one whose id is "to_id". "line" is the record to append to the log of "me". Where several senders tie at the newest second (or gave their messages that id), "target", "id" and "line" are null and "tied" holds the last message of each. For an empty inbox "tied" is empty too. A message dated more than 300 seconds after "ts" is answered by its id alone.`,
			`({ toId, logs, ...query }: ReplyQuery): Draft => json((input) => ({ ...query, to_id: toId, logs: input.logs(logs) }))`,
		},
		{
			107, "samp.build", `"from","to","thread","ts","profile"?`, "the body", "the record as a line, with its line end",
			`Makes the record of a new message, to be appended to the log of "from". "thread" comes from samp.thread, or a reply inherits it.`,
			`({ body, ...message }: NewMessage): Uint8Array => bytes(message, body)`,
		},
		{
			108, "samp.compact", `"profile"?`, "a log's bytes", "Compaction, a line feed, and the new bytes",
			`Drops a log's duplicates and blank lines and fills in missing ids. "before" and "after" count lines. "length" is the length of the new bytes, which are the old ones if "changed" is false.`,
			`(data: Bytes, profile?: Profile): Compaction => data({ profile }, data)`,
		},
		{
			109, "samp.watermark", `"now"?`, "the bytes of a watermark file", "Watermark",
			`Reads a watermark and writes it in the published form, with "ts" no later than "now", in Unix seconds.`,
			`(file: Bytes, now?: number): Watermark => json({ now }, file)`,
		},
		{
			110, "samp.alias", "", "an alias", "Alias",
			`Checks a name. "valid" is what reading asks of it, "allowed" what writing asks, and "reason" why not. "log" and "watermark" are the file names, empty for a name that is not valid.`,
			`(name: Bytes): Alias => json({}, name)`,
		},
		{
			111, "samp.validate", `"log","limit"?`, "that log's bytes", "Validation",
			`Checks every line of a log. "log" is its file name. "line" counts from 1, "offset" is in bytes from the start of the log, and "torn" means that the last line has no line end. Of the findings "more" counts those beyond "limit", which is 1000 by default and at most 100000.`,
			`(log: string, data: Bytes, limit?: number): Validation => json({ log, limit }, data)`,
		},
		{
			112, "samp.threads", `"me"?,"profile"?,"limit"?,"logs":[{"name","length"}]`, `the logs' bytes, one after the other in the order of "logs"`, "MessageThreads",
			`Groups the logs' messages into threads, newest message first. "me" selects mail to one reader; it may be left out, not empty. "count" counts the messages, each once; "first" is the time of the oldest, "last" the newest message, and "parties" lists everybody who wrote or received one. Of the threads "more" counts those beyond "limit", which is 1000 by default and at most 100000. "suspicious" counts the records that are in no thread, since somebody else may have forged them.`,
			`({ logs, ...query }: ThreadsQuery): MessageThreads => json((input) => ({ ...query, logs: input.logs(logs) }))`,
		},
		{
			200, "atsf.thread", `"dir"?`, "the bytes of a thread.json", "AgentThread",
			`Reads a thread.json. "metadata" is the file's own value. "odd" is the fault of a thread whose id is not the name of its directory, "dir", or else null.`,
			`(file: Bytes, dir?: string): AgentThread => json({ dir }, file)`,
		},
		{
			201, "atsf.message", "", "one line of a messages.jsonl", "AgentMessage",
			`Reads a message. Blocks and tool calls say where they stand in the line, in bytes, so that a host has their bytes with all unknown members. "blocks" and "toolCalls" also count those beyond the 4096 of each that are listed. "inline" means base64 data in the line, which atsf.takeInline moves out. "state" is the status as this version writes it.`,
			`(line: Bytes): AgentMessage => json({}, line)`,
		},
		{
			202, "atsf.log", `"limit"?`, "the bytes of a messages.jsonl, or a part of it that starts at a line", "AgentLog",
			`Reads lines, at most "limit" of them or 65536. Blank lines have no entry. "message" is null for a line that is not a message; then "fault" says why. "number" counts lines from 1 and "offset" bytes, both from the start of the input. Reading goes on at "next", where with "torn" an unfinished line stands.`,
			`(data: Bytes, limit?: number): AgentLog => json({ limit }, data)`,
		},
		{
			203, "atsf.config", "", "the bytes of a config.json", "AgentConfig",
			`Reads a project's configuration. Paths of links are confined to their trees; a link or command with a "fault" must not be made or run. "timeout" is in milliseconds, and "platforms" is null for all of them. "secrets" names members that look like secrets.`,
			`(file: Bytes): AgentConfig => json({}, file)`,
		},
		{
			204, "atsf.count", "", "the bytes of a messages.jsonl, or a part of it that starts at a line", "Tally",
			`Derives the figures that thread.json caches. "last" is the time of the last message that has one, and "bad" counts lines that are not messages.`,
			`(messages: Bytes): Tally => json({}, messages)`,
		},
		{
			205, "atsf.compare", `"threadLength"`, "the bytes of thread.json, and after them the bytes of messages.jsonl", "Comparison",
			"Compares the figures that thread.json caches with the messages.",
			`({ thread, messages }: ThreadFiles): Comparison => json((input) => ({ threadLength: input.one(thread) }), messages)`,
		},
		{
			206, "atsf.check", `"threadLength","dir"?,"limit"?`, "the bytes of thread.json, and after them the bytes of messages.jsonl", "ThreadCheck",
			`Checks a thread's two files against the rules. "line" counts from 1 and is 0 for thread.json, and "offset" is in bytes from the start of the file. Of the findings "more" counts those beyond "limit", which is 1000 by default and at most 100000. A line is compared with the 65536 lines before it.`,
			`({ thread, messages }: ThreadFiles, options: CheckOptions = {}): ThreadCheck => json((input) => ({ ...options, threadLength: input.one(thread) }), messages)`,
		},
		{
			207, "atsf.repair", `"threadLength"`, "the bytes of thread.json, and after them the bytes of messages.jsonl", "Repair, a line feed, and the new bytes",
			"Writes the figures that the messages bear out into thread.json, and leaves every other byte.",
			`({ thread, messages }: ThreadFiles): Repair => data((input) => ({ threadLength: input.one(thread) }), messages)`,
		},
		{
			208, "atsf.edit", `"changes":[Change]`, "the bytes of a thread.json or config.json", "the file's new bytes",
			"Sets members, each named by its path through the objects it stands in, to JSON values. Every other byte stays.",
			`(file: Bytes, changes: readonly Change[]): Uint8Array => bytes({ changes }, file)`,
		},
		{
			209, "atsf.buildThread", `"id","title","created","updated"?,"agent":NewAgent,"context":NewThreadContext,"stats":Counts?,"parentId"?,"metadata"?`, "", "the bytes of a new thread.json",
			`Makes a thread.json. Times are Unix milliseconds. "updated" equals "created" where it is missing.`,
			`(thread: NewThread): Uint8Array => bytes(thread)`,
		},
		{
			210, "atsf.buildMessage", `"id","role","time","content":[NewBlock],"tools":[NewToolCall]?,"stopReason"?,"model"?,"tokens":Tokens?`, "", "the message as a line, with its line end",
			`Makes the line of a new message. "raw" is a block or tool call as a JSON value, which is written as it stands without white space; without it the other members say what to write. "time" is in Unix milliseconds.`,
			`(message: NewAgentMessage): Uint8Array => bytes(message)`,
		},
		{
			211, "atsf.buildConfig", `"name","version"`, "", "the bytes of a new config.json",
			"Makes a config.json that names the application.",
			`(by: Application): Uint8Array => bytes(by)`,
		},
		{
			212, "atsf.fork", `"threadLength","id","created","title"?,"through"?`, "the bytes of thread.json, and after them the bytes of messages.jsonl", "ForkHead, a line feed, and bytes",
			`Makes the two files of a thread that begins with its parent's messages: all of them, or up to the one whose id is "through". A line of JSON, thread.json and messages.jsonl follow one another. "created" is in Unix milliseconds. The host copies the assets.`,
			"",
		},
		{
			213, "atsf.asset", `"name"?,"ext"?,"mimeType"?`, "the content of an asset", "Asset",
			`Names content by its digest, with the extension "ext", or the extension of the MIME type, or of the image it is. "fault" says what is wrong with the content under the name that it has now, parameter "name".`,
			`(content: Bytes, query: AssetQuery = {}): Asset => json(query, content)`,
		},
		{
			214, "atsf.assetName", "", "an assetRef", "AssetName",
			`Reads a reference to an asset. One with a "fault" must not be opened.`,
			`(ref: Bytes): AssetName => json({}, ref)`,
		},
		{
			215, "atsf.takeInline", "", "one line of a messages.jsonl", "InlineHead, a line feed, and bytes",
			`Moves base64 data out of a line. A line of JSON, the line's new bytes, and the assets in the order of "assets" follow one another. The assets must be stored before the line is.`,
			"",
		},
		{
			216, "atsf.newId", `"random"`, "", "a UUID of version 4",
			`Makes a thread's or message's id. "random" is 16 random bytes as 32 hexadecimal digits.`,
			`(random: Uint8Array = randomBytes(16)): string => text({ random: hex(random) })`,
		},
		{
			217, "atsf.validId", "", "a thread's id", `{"valid"}`,
			"Reports whether an id can be the name of a new thread's directory on every system.",
			`(id: Bytes): boolean => json({}, id).valid`,
		},
		{
			300, "agn.message", "", "a message", "TaskMessage",
			`Reads a message, even an invalid one: "faults" lists every rule of the schema that it breaks, and one with any must not be acted upon. "payload" has the member of the message's type. Its members are left out where the message has none, since an empty list is not a missing one. "distress" is what a message with faults says if it can be read as an escalation in any way. "ackTimeout" is the message's own and "timeout" the one that holds, both in seconds and 0 for none. An answer in "criteriaMet" or "passed" is null where nobody could verify it.`,
			`(message: Bytes): TaskMessage => json({}, message)`,
		},
		{
			301, "agn.payload", `"type"`, "a payload without its envelope", "ReadPayload",
			"Reads a payload as one of the five types.",
			`(type: 'task_dispatch' | 'task_result' | 'review_request' | 'review_verdict' | 'escalation', payload: Bytes): ReadPayload => json({ type }, payload)`,
		},
		{
			302, "agn.check", `"messageLength","history":[…]`, "a message, and after it the other messages of its task", "TaskCheck",
			`Checks a message without faults against the others of its task, in any order, for what no message shows by itself: references, subtasks, criteria, counts, the gate of the builds. "history" lists the lengths of the others in bytes; "unread" counts those that are not JSON objects.`,
			`(message: Bytes, history: readonly Bytes[]): TaskCheck => json((input) => ({ messageLength: input.one(message), history: input.all(history) }))`,
		},
		{
			303, "agn.state", `"taskId","messages":[…],"acks":[…]?,"resumes":[…]?,"now"`, "the texts of messages, ACKs and answers, one after the other", "TaskState",
			`Follows a task to the moment "now". Times are Unix milliseconds. "messages", "acks" and "resumes" are the lengths of the texts in bytes, in their order; "unread" counts those that are not a JSON object, or not a record.`,
			`(taskId: string, { messages, acks = [], resumes = [] }: TaskHistory, now: number): TaskState => json((input) => ({ taskId, messages: input.all(messages), acks: input.all(acks), resumes: input.all(resumes), now }))`,
		},
		{
			304, "agn.alarms", `"taskId","messages":[…],"acks":[…]?,"resumes":[…]?,"now","refused":[…]?`, "the texts of messages, ACKs and answers, one after the other, and then the messages that were refused", "Alarms",
			`Lists what the admin must be told at the moment "now" and was not told yet: missed ACKs, silence, a lock that nobody escalated, a dispatch that was refused for its branch. "escalation" is the payload that says it, for agn.buildEscalation. "messages", "acks" and "resumes" are the lengths of the texts in bytes, in their order; "unread" counts those that are not a JSON object, or not a record.`,
			`(taskId: string, { messages, acks = [], resumes = [] }: TaskHistory, now: number, refused: readonly Bytes[] = []): Alarms => json((input) => ({ taskId, messages: input.all(messages), acks: input.all(acks), resumes: input.all(resumes), now, refused: input.all(refused) }))`,
		},
		{
			305, "agn.id", "", "a message's id", "MessageId",
			"Takes an id apart. A valid one is safe as the name of a file.",
			`(id: Bytes): MessageId => json({}, id)`,
		},
		{
			306, "agn.validTaskId", "", "a task's id", `{"valid"}`,
			"Reports whether an id has the form T-YYYY-NNN. One that has is safe as the name of a file.",
			`(id: Bytes): boolean => json({}, id).valid`,
		},
		{
			307, "agn.buildDispatch", `"taskId","millis","number"?,"ackTimeout"?,"contextRef":[…]?,"dispatch":NewDispatch`, "", "the bytes of a new message",
			`Makes a task_dispatch. The id consists of the type, "taskId", and "millis", when the message is made, or "number" in its place: for what several may write and only one must. "ackTimeout" is in seconds. The module makes no message that it would find fault with.`,
			`(head: TaskHead, dispatch: NewDispatch): Uint8Array => bytes({ ...head, dispatch })`,
		},
		{
			308, "agn.buildResult", `"taskId","millis","number"?,"ackTimeout"?,"contextRef":[…]?,"result":NewTaskResult`, "", "the bytes of a new message",
			`Makes a task_result, as agn.buildDispatch does. A "time" is a text in ISO 8601 with an offset.`,
			`(head: TaskHead, result: NewTaskResult): Uint8Array => bytes({ ...head, result })`,
		},
		{
			309, "agn.buildRequest", `"taskId","millis","number"?,"ackTimeout"?,"contextRef":[…]?,"request":ReviewRequest`, "", "the bytes of a new message",
			"Makes a review_request, as agn.buildDispatch does.",
			`(head: TaskHead, request: ReviewRequest): Uint8Array => bytes({ ...head, request })`,
		},
		{
			310, "agn.buildVerdict", `"taskId","millis","number"?,"ackTimeout"?,"contextRef":[…]?,"verdict":Verdict`, "", "the bytes of a new message",
			"Makes a review_verdict, as agn.buildDispatch does.",
			`(head: TaskHead, verdict: Verdict): Uint8Array => bytes({ ...head, verdict })`,
		},
		{
			311, "agn.buildEscalation", `"taskId","millis","number"?,"ackTimeout"?,"contextRef":[…]?,"from","escalation":Escalation`, "", "the bytes of a new message",
			`Makes an escalation, as agn.buildDispatch does. It goes from "from" to the admin and asks for no ACK.`,
			`(head: TaskHead, from: string, escalation: Escalation): Uint8Array => bytes({ ...head, from, escalation })`,
		},
		{
			312, "agn.ack", "", "the bytes of an ACK", "Ack",
			"Reads an ACK, of the format signalbox-ack/1. Any other is Malformed, as with the next three.",
			`(record: Bytes): Ack => json({}, record)`,
		},
		{
			313, "agn.resume", "", "the bytes of the admin's answer", "Resume",
			"Reads the admin's answer, of the format signalbox-resume/1.",
			`(record: Bytes): Resume => json({}, record)`,
		},
		{
			314, "agn.record", "", "the bytes of a task's file", "TaskRecord",
			"Reads a task's file, of the format signalbox-task/1.",
			`(record: Bytes): TaskRecord => json({}, record)`,
		},
		{
			315, "agn.rejection", "", "one line of the error log", "Rejection",
			"Reads a line of the error log, of the format signalbox-rejection/1.",
			`(line: Bytes): Rejection => json({}, line)`,
		},
		{
			316, "agn.buildAck", `"msgId","by","millis"`, "", "the bytes of a new record",
			`Makes an ACK: the party "by" received a message.`,
			`(ack: Ack): Uint8Array => bytes(ack)`,
		},
		{
			317, "agn.buildResume", `"msgId","action","text"?,"millis"`, "", "the bytes of a new record",
			"Makes the answer to an escalation, or to the verdict that locked a task: approve, redirect, split or terminate. A redirect needs a text.",
			`(resume: NewResume): Uint8Array => bytes(resume)`,
		},
		{
			318, "agn.buildRecord", `"taskId","title"?,"repo"?,"branch"?,"risk"?,"phase","rejectCount"?,"messages"?,"lastMsgId"?,"created","updated"`, "", "the bytes of a new record",
			"Makes a task's file.",
			`(record: NewTaskRecord): Uint8Array => bytes(record)`,
		},
		{
			319, "agn.buildRejection", `"millis","source","msgId"?,"taskId"?,"digest","faults":[Fault],"text"?`, "", "the record as a line, with its line end",
			`Makes a line of the error log about a message that was refused. "digest" is the SHA-256 of its bytes, and "text" the message itself where nothing else keeps it.`,
			`(rejection: NewRejection): Uint8Array => bytes(rejection)`,
		},
		{
			400, "amp.message", "", "a message, as it was sent or as it is stored", "Mail",
			`Reads a message. "faults" lists every rule that it breaks, and "notes" what real senders do and a reader copes with; a message with either can be shown. Only from, to, subject, priority, inReplyTo and the payload are signed. "context" is the message's own object, or null. "signatureId" names a signature, so that it is found again under another message's id. "local" and "security" are the word of whoever stored the message, and never a reason to trust it; a "riskScore" of -1 is none. Nothing in an attachment is a path: amp.filename and amp.attachmentId say what may be one.`,
			`(message: Bytes): Mail => json({}, message)`,
		},
		{
			401, "amp.payloadBytes", "", "a payload, the object alone", "the bytes that are hashed",
			"Returns a payload as it is hashed: sorts members by code point at every level, drops white space, and keeps the digits of numbers and raw UTF-8.",
			`(payload: Bytes): Uint8Array => bytes({}, payload)`,
		},
		{
			402, "amp.payloadHash", "", "a payload, the object alone", "the digest of these bytes, as the signed text has it",
			"Computes the SHA-256 digest of the bytes from amp.payloadBytes, in base64.",
			`(payload: Bytes): string => text({}, payload)`,
		},
		{
			403, "amp.signed", "", "a message", "the bytes that its signature must fit",
			"Returns the signed text, with the payload as it is stored. A message whose signed text is not certain is Malformed.",
			`(message: Bytes): Uint8Array => bytes({}, message)`,
		},
		{
			404, "amp.verify", `"messageLength"`, "a message, and after it a public key in PEM or DER", "MailVerdict",
			`Verifies a message with one key. A signature that does not fit is not an error. "step" is the form in which the message was signed; "payload" and "signed" are then the bytes that were hashed and signed, and "fault" is null. When the step is "not verified", the fault says what is wrong. A key that cannot be read is Malformed.`,
			`(message: Bytes, key: Bytes): MailVerdict => json((input) => ({ messageLength: input.one(message) }), key)`,
		},
		{
			405, "amp.judge", `"messageLength","now","keys":[…]?,"pin"?,"self":[…]?,"earlier":[MailSignature]?`, "a message, and after it the public keys of its sender", "MailTrust",
			`Says in one word how far a message can be trusted. "now" is in Unix milliseconds, "keys" lists the lengths of the keys in bytes, "pin" is the fingerprint of the key that was first seen of the sender, "self" lists the reader's addresses (anybody's where there are none), and "earlier" the signatures of messages that came before. "key" is the fingerprint of the key that fits. "flags" come from amp.flags.`,
			`(message: Bytes, { keys = [], ...known }: MailKnown): MailTrust => json((input) => ({ ...known, messageLength: input.one(message), keys: input.all(keys) }))`,
		},
		{
			406, "amp.threads", `"links":[MailLink]`, "", `{"places":[MailPlace]}`,
			`Groups messages by what they reply to, a place for each in their order. "parent" is a message's index in the list, or -1. "missing" marks a reply to a message that is not there, and "cycle" one that was taken out of a circle.`,
			`(links: readonly MailLink[]): readonly MailPlace[] => json({ links }).places`,
		},
		{
			407, "amp.flags", "", "the text of a message", `{"flags":[…]}`,
			"Lists categories of suspicious words in a text: a hint for a person, and nothing may depend on it.",
			`(text: Bytes): readonly string[] => json({}, text).flags`,
		},
		{
			408, "amp.unwrap", "", "the text of a message", `{"texts":[…]}`,
			"Returns the texts that could stand in a trust wrapper, at most two, or none. Only a signature can tell which it was.",
			`(text: Bytes): readonly string[] => json({}, text).texts`,
		},
		{
			409, "amp.compose", `"id","idempotencyKey","from","to","subject","priority"?,"millis","expires"?,"inReplyTo"?,"threadId"?,"type","text"?,"context"?,"attachments":[NewMailAttachment]?,"routed"?`, "", "MailLetter",
			`Puts a message together, without its signature. "signed" is what has to be signed: Ed25519 signs the text itself, RSA and ECDSA its SHA-256 digest. "portability" lists what other implementations hash in another way. "millis" and "expires" are Unix milliseconds; the times of an attachment are texts, as a provider gave them. What the module would find fault with, or note, is refused.`,
			`(draft: MailDraft): MailLetter => json(draft)`,
		},
		{
			410, "amp.finish", `"id","idempotencyKey","from","to","subject","priority"?,"millis","expires"?,"inReplyTo"?,"threadId"?,"type","text"?,"context"?,"attachments":[NewMailAttachment]?,"routed"?`, "the bytes of the signature", "the bytes of a new message",
			"Writes the message of a draft with its signature. Only amp.verify says whether the signature fits.",
			`(draft: MailDraft, signature: Bytes): Uint8Array => bytes(draft, signature)`,
		},
		{
			411, "amp.reply", "", "a message", "MailReply",
			"Begins the draft of an answer, from the message's receiver to its sender.",
			`(message: Bytes): MailReply => json({}, message)`,
		},
		{
			412, "amp.receive", `"at","method"`, "a message", "its bytes with the receiver's notes",
			`Notes when a message came ("at", in Unix milliseconds) and how, and that it is unread. What was signed stays to the byte.`,
			`(message: Bytes, at: number, method: string): Uint8Array => bytes({ at, method }, message)`,
		},
		{
			413, "amp.setStatus", `"status","at"?`, "a stored message", "its bytes with the new state",
			`Sets a message's state to unread, read or archived. "at" is when it was read, in Unix milliseconds. Every other byte stays.`,
			`(message: Bytes, status: 'unread' | 'read' | 'archived', at?: number): Uint8Array => bytes({ status, at }, message)`,
		},
		{
			414, "amp.newId", `"millis","random"`, "", "a message's id",
			`Makes a message's id from a time in Unix milliseconds. "random" is 8 random bytes as 16 hexadecimal digits.`,
			`(millis: number, random: Uint8Array = randomBytes(8)): string => text({ millis, random: hex(random) })`,
		},
		{
			415, "amp.newAttachmentId", `"millis","random"`, "", "an attachment's id",
			"Makes an attachment's id, as amp.newId does.",
			`(millis: number, random: Uint8Array = randomBytes(8)): string => text({ millis, random: hex(random) })`,
		},
		{
			416, "amp.newIdempotencyKey", `"random"`, "", "an idempotency key",
			`Makes an idempotency key. "random" is 16 random bytes as 32 hexadecimal digits.`,
			`(random: Uint8Array = randomBytes(16)): string => text({ random: hex(random) })`,
		},
		{
			417, "amp.filename", "", "a file's name", "MailFilename",
			`Says what may become of a file's name. "safe" is the name under which a received attachment may be stored, and "clean" the one that a new attachment gets for a file of that name; either is empty where its fault is not null. "device" means the name of a device on Windows.`,
			`(name: Bytes): MailFilename => json({}, name)`,
		},
		{
			418, "amp.digest", "", "the content of a file", "the digest in the form that attachments have",
			"Computes the digest of content: sha256: and 64 hexadecimal digits.",
			`(content: Bytes): string => text({}, content)`,
		},
		{
			419, "amp.checkAttachment", `"size","digest"`, "the content of an attachment", `{"fault":Fault}`,
			"Compares content with what a message says about it. With a fault it must not be opened, shown or stored under its name.",
			`(size: number, digest: string, content: Bytes): Fault | null => json({ size, digest }, content).fault`,
		},
		{
			420, "amp.key", "", "a public key in PEM or DER", "MailKey",
			"Reads a public key: Ed25519, RSA or ECDSA P-256. Anything else, even a private key, is Malformed and not quoted.",
			`(key: Bytes): MailKey => json({}, key)`,
		},
		{
			421, "amp.id", "", "a message's id", "MailId",
			`Takes an id apart. "millis" means that it counts milliseconds. A valid id is safe as the name of a file.`,
			`(id: Bytes): MailId => json({}, id)`,
		},
		{
			422, "amp.attachmentId", "", "an attachment's id", "MailId",
			"Takes an attachment's id apart, as amp.id does.",
			`(id: Bytes): MailId => json({}, id)`,
		},
		{
			423, "amp.address", "", "an address", "MailAddress",
			`Takes a full address apart. Neither part holds a separator of paths, but "agent" may be the name of a device.`,
			`(address: Bytes): MailAddress => json({}, address)`,
		},
		{
			500, "mail.detect", `"name"?`, "a file, or its first 64 KiB", "FileKind",
			`Says what a file is: of samp a log or watermark; of amp (amp/0.1) a message; of agn (AMP/1.0) a message, ack, resume, task or rejections; of atsf a thread, messages or config. "name" is its base name, or its path below a directory with slashes. "certainty" is "content" where the members of a value are the format's, which may still be broken, and "name" where the name alone says so. For any other file the three are null.`,
			"",
		},
		{
			501, "mail.links", `"limit"?`, "a text", "Links",
			`Finds everything that may name a message or thread of any format, in order: ids, and names of threads. "offset" and "length" say where "token" stands in the text, in bytes. A mention is real only if such a message or thread is known: 16 hexadecimal digits may also be a commit. Of the mentions "more" counts those beyond "limit", which is 1000 by default and at most 100000.`,
			`(text: Bytes, limit?: number): Links => json({ limit }, text)`,
		},
		{
			550, "render.line", `"max"?`, "any bytes, at most 16 MiB", "Line",
			`Makes a stranger's text one line that is safe to show, at most "max" characters long (any length if it is 0 or missing). What can hide something or move the cursor is shown as its number, ⟨U+202E⟩, and bytes that are not text as ⟨0xFF⟩. "cut" means that the line was shortened and ends in "…".`,
			`(text: Bytes, max?: number): Line => json({ max }, text)`,
		},
		{
			551, "render.text", "", "any bytes, at most 16 MiB", "the text on its lines, safe to show as plain text",
			"Makes a text of several lines safe to show, as render.line does, and keeps line ends and tabs. The result may be twelve times as long. It is not HTML.",
			`(text: Bytes): string => text({}, text)`,
		},
		{
			552, "render.markdown", `"maxBytes"?,"topHeading"?`, "any bytes, at most 16 MiB", "Markdown that any client may show",
			`Makes a stranger's Markdown safe: no HTML, no images, only https links whose address is visible. "maxBytes" (by default 1 MiB, at most 16 MiB) bounds the result, which says so where it was cut; "topHeading", 1 to 6, is the level of its highest heading. More than 64 KiB, or Markdown that nests too deep, is shown as plain text.`,
			`(text: Bytes, options: RenderOptions = {}): string => text(options, text)`,
		},
		{
			553, "render.html", `"maxBytes"?,"topHeading"?`, "any bytes, at most 16 MiB", "a fragment of HTML",
			`Makes HTML for an element of a page, as render.markdown does Markdown: a short list of elements, no scripts, styles or images, and only https links. Closing tags may exceed "maxBytes" by 4 KiB.`,
			`(text: Bytes, options: RenderOptions = {}): string => text(options, text)`,
		},
		{
			554, "render.escape", "", "any bytes, at most 16 MiB", "one line of Markdown",
			"Writes a name or title as Markdown that shows it and nothing else.",
			`(text: Bytes): string => text({}, text)`,
		},
		{
			555, "render.code", "", "any bytes, at most 16 MiB", "a code span of Markdown",
			"Writes an id or address as code on one line.",
			`(text: Bytes): string => text({}, text)`,
		},
		{
			556, "render.block", "", "any bytes, at most 16 MiB", "a code block of Markdown",
			"Writes a text of several lines as a block of code that it cannot end.",
			`(text: Bytes): string => text({}, text)`,
		},
	}
}
