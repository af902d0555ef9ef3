package abi

// The shapes that several ops of AMP/1.0 share, named after the fields of
// core/agn.
const (
	sentShape     = `{"text","millis","ok"}`
	dispatchShape = `{"description","repo","branch","subtasks":[{"id","description","estimatedLines"}],"criteria":[…],"risk","forbidden":[…]?,"constraints"?}`
	requestShape  = `{"dispatchRef","resultRef","scope","diffUrl","rejectCount","notes"?,"ci":[{"name","status"}]?}`
	verdictShape  = `{"decision","criteria":[{"text","passed","evidence"}],"issues":[{"severity","file","line","description","suggestedFix"}]?,"fixes":[{"file","change","lines"}]?,"architecture"?,"confidence"}`
	alertShape    = `{"kind","severity","triggeredBy","description","affected":[…],"snapshot":{"taskStatus","rejectCount","lastSuccessful"},"suggested":[…]?,"suspended"}`
	doneShape     = `{"subtaskId","status","files":[…],"linesAdded","linesRemoved","criteriaMet":[…],"notes":[…],"log":[{"time","action","file","detail"}],"commit"?,"blockers":[…]?}`
	payloadShape  = `"payload":{"dispatch":` + dispatchShape + `?,"result":` + doneShape + `?,"request":` + requestShape + `?,"verdict":` + verdictShape + `?,"escalation":` + alertShape + `?}`
	headParams    = `"taskId","millis","number"?,"ackTimeout"?,"contextRef":[…]?,`
	taskParams    = `"taskId","now","messages":[…],"acks":[…]?,"resumes":[…]?`
	taskInput     = `the texts of messages, ACKs and answers, one after the other`
	taskTexts     = `"messages", "acks" and "resumes" are the lengths of the texts in bytes, in the order in which they stand; "unread" counts those that are no JSON object or no record`
	newMessage    = "the bytes of a new message"
	newRecord     = "the bytes of a new record"
	ackShape      = `"msgId","by","millis"`
	recordShape   = `"taskId","title","repo","branch","risk","phase","rejectCount","messages","lastMsgId","created","updated"`
	refusalShape  = `"millis","source","msgId","taskId","digest","faults":[` + faultShape + `],"text"`
)

func agnReading() []Shape {
	return []Shape{
		{
			Op: AGNMessage, Input: "a message",
			Result: `{"id","version","type","from","to","taskId","time":` + sentShape + `,"requiresAck","ackTimeout","timeout","contextRef":[…],` + payloadShape + `,"distress":` + alertShape + `?,` + listsShape + `}`,
			About:  `Reads a message, also one that is invalid: "faults" lists every rule of the schema that it breaks, and one with any must not be acted upon. "payload" has the member of the message's type. Its members are left out where the message has none, since an empty list is not a missing one. "ackTimeout" is the message's own, "timeout" the one that holds, both in seconds and 0 for none. A "time" of "log" has the members of the message's; an answer in "criteriaMet" or "passed" is null where nobody could verify it. "distress" is what a message with faults says if it can be read as an escalation in any way, of whatever version, with one of the three severities: its admin has to see it, though it counts for nothing.`,
		},
		{
			Op: AGNPayload, Params: `"type"`, Input: "a payload without its envelope",
			Result: `{` + payloadShape + `,` + listsShape + `}`,
			About:  `Reads a payload of one of the five types.`,
		},
		{
			Op: AGNCheck, Params: `"messageLength","history":[…]`, Input: "a message, and after it the other messages of its task",
			Result: `{` + listsShape + `,"unread"}`,
			About:  `Holds a message without faults against the others of its task, for what no message shows by itself: references, subtasks, criteria, counts, the gate of the builds. "history" are the lengths of the others in bytes, in any order; "unread" counts those that are no JSON object.`,
		},
		{
			Op: AGNState, Params: taskParams, Input: taskInput,
			Result: `{"taskId","phase","rejects","consecutive","lockNear","lock","lockedBy","open":[…],"suspended":[…],"waits":[{"msgId","from","to","deadline","overdue"}],"lastWrite","age","silent","next":{"who","do","msgId"},"notes":[` + faultShape + `],"unread"}`,
			About:  `Follows a task to the moment "now". Times are Unix milliseconds. ` + taskTexts + `.`,
		},
		{
			Op: AGNAlarms, Params: taskParams + `,"refused":[…]?`, Input: taskInput + ", and those of messages that were refused",
			Result: `{"alarms":[{"kind","severity","msgId","who","since","description","lastSuccessful","escalation":` + alertShape + `}],"unread"}`,
			About:  `What the admin must be told at the moment "now" and was not told yet: missed ACKs, silence, a lock that nobody escalated, a dispatch that was refused for its branch. "escalation" is the payload that says it, for agn.buildEscalation. ` + taskTexts + `.`,
		},
		{
			Op: AGNID, Input: "a message's id",
			Result: `{"valid","type","taskId","millis"}`,
			About:  `Takes an id apart. One that is valid is safe as the name of a file.`,
		},
		{
			Op: AGNValidTaskID, Input: "a task's id",
			Result: `{"valid"}`,
			About:  `Tells whether an id has the form T-YYYY-NNN. One that has is safe as the name of a file.`,
		},
	}
}

func agnWriting() []Shape {
	return []Shape{
		{
			Op: AGNBuildDispatch, Params: headParams + `"dispatch":` + dispatchShape,
			Result: newMessage,
			About:  `The id is made of the type, "taskId" and "millis", the moment at which the message is made, or "number" in its place: for what several may write and only one must. "ackTimeout" is in seconds. What the module would find fault with is not made.`,
		},
		{
			Op: AGNBuildResult, Params: headParams + `"result":` + doneShape,
			Result: newMessage,
			About:  `As agn.buildDispatch. A "time" is a text in ISO 8601 with an offset.`,
		},
		{
			Op: AGNBuildRequest, Params: headParams + `"request":` + requestShape,
			Result: newMessage,
			About:  `As agn.buildDispatch.`,
		},
		{
			Op: AGNBuildVerdict, Params: headParams + `"verdict":` + verdictShape,
			Result: newMessage,
			About:  `As agn.buildDispatch.`,
		},
		{
			Op: AGNBuildEscalation, Params: headParams + `"from","escalation":` + alertShape,
			Result: newMessage,
			About:  `As agn.buildDispatch. It goes from "from" to the admin and asks for no ACK.`,
		},
	}
}

func agnRecords() []Shape {
	return []Shape{
		{
			Op: AGNAck, Input: "the bytes of an ACK",
			Result: `{` + ackShape + `}`,
			About:  `Reads a record of the format signalbox-ack/1. Any other is Malformed, as with the next three.`,
		},
		{
			Op: AGNResume, Input: "the bytes of the admin's answer",
			Result: `{"msgId","action","text","millis"}`,
			About:  `Reads a record of the format signalbox-resume/1.`,
		},
		{
			Op: AGNRecord, Input: "the bytes of a task's file",
			Result: `{` + recordShape + `}`,
			About:  `Reads a record of the format signalbox-task/1.`,
		},
		{
			Op: AGNRejection, Input: "one line of the error log",
			Result: `{` + refusalShape + `}`,
			About:  `Reads a record of the format signalbox-rejection/1.`,
		},
		{
			Op: AGNBuildAck, Params: ackShape,
			Result: newRecord,
			About:  `Says that the party "by" received a message.`,
		},
		{
			Op: AGNBuildResume, Params: `"msgId","action","text"?,"millis"`,
			Result: newRecord,
			About:  `Answers an escalation, or the verdict that locked a task: approve, redirect, split or terminate. To redirect needs a text.`,
		},
		{
			Op: AGNBuildRecord, Params: `"taskId","title"?,"repo"?,"branch"?,"risk"?,"phase","rejectCount"?,"messages"?,"lastMsgId"?,"created","updated"`,
			Result: newRecord,
			About:  `Sums a task up.`,
		},
		{
			Op: AGNBuildRejection, Params: `"millis","source","msgId"?,"taskId"?,"digest","faults":[{"rule","field"?,"offset"?,"reason"}],"text"?`,
			Result: "the record as a line, with its line end",
			About:  `Tells of a message that was refused. "digest" is the SHA-256 of its bytes, "text" the message itself where nothing else keeps it.`,
		},
	}
}
