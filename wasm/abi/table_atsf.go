package abi

const (
	logInput  = "the bytes of a messages.jsonl, or a part of it that starts at a line"
	bothInput = "the bytes of thread.json, and after them the bytes of messages.jsonl"
)

func atsfReading() []Spec {
	return []Spec{
		{
			Op: 200, Name: "atsf.thread", Args: "*file: bytes, dir?: text", Input: "the bytes of a thread.json",
			Result: "AgentThread",
			About:  `Reads a thread.json. "metadata" is the file's own value. "odd" is the fault of a thread whose id is not the name of its directory, "dir", or else null.`,
		},
		{
			Op: 201, Name: "atsf.message", Args: "*line: bytes", Input: "one line of a messages.jsonl",
			Result: "AgentMessage", ByHand: "go",
			About: `Reads a message. Blocks and tool calls say where they stand in the line, in bytes, so that a host has their bytes with all unknown members. "blocks" and "toolCalls" also count those beyond the 4096 of each that are listed. "inline" means base64 data in the line, which atsf.takeInline moves out. "state" is the status as this version writes it.`,
		},
		{
			Op: 202, Name: "atsf.log", Args: "*data: bytes, limit?: int", Input: logInput,
			Result: "AgentLog", ByHand: "go",
			About: `Reads lines, at most "limit" of them or 65536. Blank lines have no entry. "message" is null for a line that is not a message; then "fault" says why. "number" counts lines from 1 and "offset" bytes, both from the start of the input. Reading goes on at "next", where with "torn" an unfinished line stands.`,
		},
		{
			Op: 203, Name: "atsf.config", Args: "*file: bytes", Input: "the bytes of a config.json",
			Result: "AgentConfig",
			About:  `Reads a project's configuration. Paths of links are confined to their trees; a link or command with a "fault" must not be made or run. "timeout" is in milliseconds, and "platforms" is null for all of them. "secrets" names members that look like secrets.`,
		},
		{
			Op: 204, Name: "atsf.count", Args: "*messages: bytes", Input: logInput,
			Result: "Tally",
			About:  `Derives the figures that thread.json caches. "last" is the time of the last message that has one, and "bad" counts lines that are not messages.`,
		},
		{
			Op: 205, Name: "atsf.compare", Args: "...files: ThreadFiles", Input: bothInput,
			Result: "Comparison",
			About:  `Compares the figures that thread.json caches with the messages.`,
		},
		{
			Op: 206, Name: "atsf.check", Args: "...files: ThreadFiles, ...options?: CheckOptions", Input: bothInput,
			Result: "ThreadCheck",
			About:  `Checks a thread's two files against the rules. "line" counts from 1 and is 0 for thread.json, and "offset" is in bytes from the start of the file. Of the findings ` + atMost + `. A line is compared with the 65536 lines before it.`,
		},
	}
}

func atsfWriting() []Spec {
	return []Spec{
		{
			Op: 207, Name: "atsf.repair", Args: "...files: ThreadFiles", Input: bothInput,
			Result: "Repair",
			About:  `Writes the figures that the messages bear out into thread.json, and leaves every other byte.`,
		},
		{
			Op: 208, Name: "atsf.edit", Args: "*file: bytes, changes: Change[]", Input: "the bytes of a thread.json or config.json",
			Result: "the file's new bytes",
			About:  `Sets members, each named by its path through the objects it stands in, to JSON values. Every other byte stays.`,
		},
		{
			Op: 209, Name: "atsf.buildThread", Args: "...thread: NewThread",
			Result: "the bytes of a new thread.json",
			About:  `Makes a thread.json. Times are Unix milliseconds. "updated" equals "created" where it is missing.`,
		},
		{
			Op: 210, Name: "atsf.buildMessage", Args: "...message: NewAgentMessage",
			Result: "the message as a line, with its line end", ByHand: "go",
			About: `Makes the line of a new message. "raw" is a block or tool call as a JSON value, which is written as it stands without white space; without it the other members say what to write. "time" is in Unix milliseconds.`,
		},
		{
			Op: 211, Name: "atsf.buildConfig", Args: "...by: Application",
			Result: "the bytes of a new config.json",
			About:  `Makes a config.json that names the application.`,
		},
		{
			Op: 212, Name: "atsf.fork", Args: "...files: ThreadFiles, ...plan: ForkPlan", Input: bothInput,
			Result: "ForkHead", ByHand: "go js",
			About: `Makes the two files of a thread that begins with its parent's messages: all of them, or up to the one whose id is "through". A line of JSON, thread.json and messages.jsonl follow one another. "created" is in Unix milliseconds. The host copies the assets.`,
		},
		{
			Op: 213, Name: "atsf.asset", Args: "*content: bytes, ...query?: AssetQuery", Input: "the content of an asset",
			Result: "Asset", ByHand: "go",
			About: `Names content by its digest, with the extension "ext", or the extension of the MIME type, or of the image it is. "fault" says what is wrong with the content under the name that it has now, parameter "name".`,
		},
		{
			Op: 214, Name: "atsf.assetName", Args: "*ref: text", Input: "an assetRef",
			Result: "AssetName",
			About:  `Reads a reference to an asset. One with a "fault" must not be opened.`,
		},
		{
			Op: 215, Name: "atsf.takeInline", Args: "*line: bytes", Input: "one line of a messages.jsonl",
			Result: "InlineHead", ByHand: "go js",
			About: `Moves base64 data out of a line. A line of JSON, the line's new bytes, and the assets in the order of "assets" follow one another. The assets must be stored before the line is.`,
		},
		{
			Op: 216, Name: "atsf.newId", Args: "random: random16",
			Result: "text: a UUID of version 4",
			About:  `Makes a thread's or message's id. "random" is 16 random bytes as 32 hexadecimal digits.`,
		},
		{
			Op: 217, Name: "atsf.validId", Args: "*id: text", Input: "a thread's id",
			Result: "{valid: bool}",
			About:  `Reports whether an id can be the name of a new thread's directory on every system.`,
		},
	}
}
