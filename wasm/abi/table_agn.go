package abi

const (
	taskInput  = `the texts of messages, ACKs and answers, one after the other`
	taskTexts  = `"messages", "acks" and "resumes" are the lengths of the texts in bytes, in their order; "unread" counts those that are not a JSON object, or not a record`
	newMessage = "the bytes of a new message"
	newRecord  = "the bytes of a new record"
)

func agnMessages() []Spec {
	return []Spec{
		{
			Op: 300, Name: "agn.message", Args: "*message: bytes", Input: "a message",
			Result: "TaskMessage",
			About:  `Reads a message, even an invalid one: "faults" lists every rule of the schema that it breaks, and one with any must not be acted upon. "payload" has the member of the message's type. Its members are left out where the message has none, since an empty list is not a missing one. "distress" is what a message with faults says if it can be read as an escalation in any way. "ackTimeout" is the message's own and "timeout" the one that holds, both in seconds and 0 for none. An answer in "criteriaMet" or "passed" is null where nobody could verify it.`,
		},
		{
			Op: 301, Name: "agn.payload", Args: "type: task_dispatch|task_result|review_request|review_verdict|escalation, *payload: bytes", Input: "a payload without its envelope",
			Result: "ReadPayload",
			About:  `Reads a payload as one of the five types.`,
		},
		{
			Op: 302, Name: "agn.check", Args: "*message: bytes, *history: bytes[]", Input: "a message, and after it the other messages of its task",
			Result: "TaskCheck",
			About:  `Checks a message without faults against the others of its task, in any order, for what no message shows by itself: references, subtasks, criteria, counts, the gate of the builds. "history" lists the lengths of the others in bytes; "unread" counts those that are not JSON objects.`,
		},
		{
			Op: 303, Name: "agn.state", Args: "taskId: text, ...history: TaskHistory, now: int", Input: taskInput,
			Result: "TaskState",
			About:  `Follows a task to the moment "now". Times are Unix milliseconds. ` + taskTexts + `.`,
		},
		{
			Op: 304, Name: "agn.alarms", Args: "taskId: text, ...history: TaskHistory, now: int, *refused?: bytes[]", Input: taskInput + ", and then the messages that were refused",
			Result: "Alarms",
			About:  `Lists what the admin must be told at the moment "now" and was not told yet: missed ACKs, silence, a lock that nobody escalated, a dispatch that was refused for its branch. "escalation" is the payload that says it, for agn.buildEscalation. ` + taskTexts + `.`,
		},
		{
			Op: 305, Name: "agn.id", Args: "*id: text", Input: "a message's id",
			Result: "MessageID",
			About:  `Takes an id apart. A valid one is safe as the name of a file.`,
		},
		{
			Op: 306, Name: "agn.validTaskId", Args: "*id: text", Input: "a task's id",
			Result: "{valid: bool}",
			About:  `Reports whether an id has the form T-YYYY-NNN. One that has is safe as the name of a file.`,
		},
		{
			Op: 307, Name: "agn.buildDispatch", Args: "...head: TaskHead, dispatch: Dispatch",
			Result: newMessage,
			About:  `Makes a task_dispatch. The id consists of the type, "taskId", and "millis", when the message is made, or "number" in its place: for what several may write and only one must. "ackTimeout" is in seconds. The module makes no message that it would find fault with.`,
		},
		{
			Op: 308, Name: "agn.buildResult", Args: "...head: TaskHead, result: TaskResult",
			Result: newMessage,
			About:  `Makes a task_result, as agn.buildDispatch does. A "time" is a text in ISO 8601 with an offset.`,
		},
		{
			Op: 309, Name: "agn.buildRequest", Args: "...head: TaskHead, request: ReviewRequest",
			Result: newMessage,
			About:  `Makes a review_request, as agn.buildDispatch does.`,
		},
		{
			Op: 310, Name: "agn.buildVerdict", Args: "...head: TaskHead, verdict: Verdict",
			Result: newMessage,
			About:  `Makes a review_verdict, as agn.buildDispatch does.`,
		},
		{
			Op: 311, Name: "agn.buildEscalation", Args: "...head: TaskHead, from: text, escalation: Escalation",
			Result: newMessage,
			About:  `Makes an escalation, as agn.buildDispatch does. It goes from "from" to the admin and asks for no ACK.`,
		},
	}
}

func agnRecords() []Spec {
	return []Spec{
		{
			Op: 312, Name: "agn.ack", Args: "*record: bytes", Input: "the bytes of an ACK",
			Result: "Ack",
			About:  `Reads an ACK, of the format signalbox-ack/1. Any other is Malformed, as with the next three.`,
		},
		{
			Op: 313, Name: "agn.resume", Args: "*record: bytes", Input: "the bytes of the admin's answer",
			Result: "Resume",
			About:  `Reads the admin's answer, of the format signalbox-resume/1.`,
		},
		{
			Op: 314, Name: "agn.record", Args: "*record: bytes", Input: "the bytes of a task's file",
			Result: "TaskRecord",
			About:  `Reads a task's file, of the format signalbox-task/1.`,
		},
		{
			Op: 315, Name: "agn.rejection", Args: "*line: bytes", Input: "one line of the error log",
			Result: "Rejection",
			About:  `Reads a line of the error log, of the format signalbox-rejection/1.`,
		},
		{
			Op: 316, Name: "agn.buildAck", Args: "...ack: Ack",
			Result: newRecord,
			About:  `Makes an ACK: the party "by" received a message.`,
		},
		{
			Op: 317, Name: "agn.buildResume", Args: "...resume: Resume",
			Result: newRecord,
			About:  `Makes the answer to an escalation, or to the verdict that locked a task: approve, redirect, split or terminate. A redirect needs a text.`,
		},
		{
			Op: 318, Name: "agn.buildRecord", Args: "...record: TaskRecord",
			Result: newRecord,
			About:  `Makes a task's file.`,
		},
		{
			Op: 319, Name: "agn.buildRejection", Args: "...rejection: Rejection",
			Result: "the record as a line, with its line end",
			About:  `Makes a line of the error log about a message that was refused. "digest" is the SHA-256 of its bytes, and "text" the message itself where nothing else keeps it.`,
		},
	}
}
