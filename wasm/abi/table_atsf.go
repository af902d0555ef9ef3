package abi

// The shapes that several ATSF ops share. They are named after the fields of
// core/atsf; what the format calls them stands in its own files alone.
const (
	faultShape  = `{"rule","field","offset","reason"}`
	timeShape   = `{"text","millis","ok","utc"}`
	statsShape  = `{"messages","user","agent","toolCalls"}`
	tallyShape  = `"stats":` + statsShape + `,"last":` + timeShape + `,"bad"`
	listsShape  = `"faults":[` + faultShape + `],"notes":[…]`
	agentShape  = `{"id","name","version","protocol","protocolVersion"}`
	placeShape  = `{"workingDir","relativeDir","gitBranch","gitCommit","worktree":{"path","branch"}}`
	blockShape  = `"type","known","text"?,"assetRef"?,"mimeType"?,"uri"?,"name"?,"size"?,"toolCallId"?,"inline"?,"annotations"?`
	toolShape   = `"id","name","status","state"?,"title"?,"kind"?,"input"?,"output"?,"duration"?,"diff":{"path","old","new","created"}?,"locations":[{"path","line"}]?`
	turnShape   = `{"id","role","time":` + timeShape + `,"content":[{"offset","length",` + blockShape + `}],"tools":[{"offset","length",` + toolShape + `}],"blocks","toolCalls","stopReason","model","tokens":{"input","output"},` + listsShape + `}`
	hooksShape  = `{"symlinks":[{"source","target","fault"}],"commands":[{"command","label","timeout","continueOnError","platforms","fault"}],"initialPrompt"}`
	threadInput = "the bytes of a thread.json"
	logInput    = "the bytes of a messages.jsonl, or a part of it that starts at a line"
	bothInput   = "the bytes of thread.json, and after them those of messages.jsonl"
	mismatches  = `"mismatches":[{"field","cached","derived","reason"}]`
)

func atsfReading() []Shape {
	return []Shape{
		{
			Op: ATSFThread, Params: `"dir"?`, Input: threadInput,
			Result: `{"version":{"major","minor"},"id","title","created":` + timeShape + `,"updated":…,"agent":` + agentShape + `,"context":` + placeShape + `,"stats":` + statsShape + `,"parentId","metadata","odd",` + listsShape + `}`,
			About:  `Reads a thread's envelope. "metadata" is the file's own value, "version" 0.0 where it cannot be read. "odd" is the fault of a thread whose id is not the name of its directory, "dir", else null.`,
		},
		{
			Op: ATSFMessage, Input: "one line of a messages.jsonl",
			Result: turnShape,
			About:  `Reads a message. Blocks and tool calls tell where they stand in the line, in bytes, so that a host has their bytes with all unknown members. "blocks" and "toolCalls" count beyond the 4096 of each that are listed. "inline" tells of base64 data in the line, which atsf.takeInline moves out. "state" is the status as this version writes it.`,
		},
		{
			Op: ATSFLog, Params: `"limit"?`, Input: logInput,
			Result: `{"entries":[{"number","offset","length","message","fault"}],"next","torn"}`,
			About:  `Reads lines, at most "limit" of them or 65536. Blank ones have no entry. "message" is that of atsf.message, or null for a line that is none: then "fault" says why. "number" counts lines from 1 and "offset" bytes, both from the start of the input. Reading goes on at "next", where with "torn" an unfinished line stands.`,
		},
		{
			Op: ATSFConfig, Input: "the bytes of a config.json",
			Result: `{"version","createdBy":{"name","version"},"defaults":{"agentId","interactionMode","modelId","useWorktree"},"agentSettings","hooks":` + hooksShape + `,"secrets":[` + faultShape + `],` + listsShape + `}`,
			About:  `Reads a project's configuration. Paths of links are confined to their trees; a link or command with a "fault" must not be made or run. "timeout" is in milliseconds, "platforms" null for all of them. "secrets" names members that look like secrets.`,
		},
		{
			Op: ATSFCount, Input: logInput,
			Result: `{` + tallyShape + `,"next"}`,
			About:  `Derives the figures that thread.json caches. "last" is the time of the last message that has one, "bad" counts lines that are no message.`,
		},
		{
			Op: ATSFCompare, Params: `"threadLength"`, Input: bothInput,
			Result: `{` + tallyShape + `,"next",` + mismatches + `}`,
			About:  `Holds the cached figures against the messages.`,
		},
		{
			Op: ATSFCheck, Params: `"threadLength","dir"?,"limit"?`, Input: bothInput,
			Result: `{` + tallyShape + `,"torn","findings":[{"file","line","offset","level","rule","field","reason"}],"more"}`,
			About:  `All that a thread's two files show about the rules. "file" is thread.json or messages.jsonl, "line" counts from 1 and is 0 for thread.json, "offset" is in bytes from the start of the file, "level" is fault or note, "more" counts the findings beyond "limit" (1000 unless said otherwise, at most 100000). Lines are compared with those before them within 65536 of them.`,
		},
	}
}

func atsfWriting() []Shape {
	return append([]Shape{
		{
			Op: ATSFRepair, Params: `"threadLength"`, Input: bothInput,
			Result: `{"changed",` + mismatches + `,"length"}, a line feed, and the new bytes of thread.json`,
			About:  `Writes the figures that the messages bear out, and leaves every other byte.`,
		},
		{
			Op: ATSFEdit, Params: `"changes":[{"path":[…],"value"}]`, Input: "the bytes of a thread.json or config.json",
			Result: "the file's new bytes",
			About:  `Sets members, each named by its path through the objects it stands in, to JSON values. Every other byte stays.`,
		},
		{
			Op: ATSFBuildThread, Params: `"id","title","created","updated"?,"agent":{"id","name","version"?,"protocol"?,"protocolVersion"?},"context":{"workingDir","relativeDir"?,"gitBranch"?,"gitCommit"?,"worktree":{"path","branch"}?},"stats":` + statsShape + `?,"parentId"?,"metadata"?`,
			Result: "the bytes of a new thread.json",
			About:  `Times are Unix milliseconds. "updated" is as "created" where it is missing.`,
		},
		{
			Op: ATSFBuildMessage, Params: `"id","role","time","content":[{"raw"?,"type"?,"text"?,"assetRef"?,"mimeType"?,"uri"?,"name"?,"size"?,"toolCallId"?,"annotations"?}],"tools":[{"raw"?,"id"?,"name"?,"status"?,"title"?,"kind"?,"input"?,"output"?,"duration"?,"diff":{"path","old","new"}?,"locations":[{"path","line"?}]?}]?,"stopReason"?,"model"?,"tokens":{"input","output"}?`,
			Result: "the message as a line, with its line end",
			About:  `Makes the line of a new message. "raw" is a block or tool call as a JSON value, which is written as it stands without white space; without it the other members say what to write. "time" is in Unix milliseconds.`,
		},
	}, atsfFiles()...)
}

func atsfFiles() []Shape {
	return []Shape{
		{
			Op: ATSFBuildConfig, Params: `"name","version"`,
			Result: "the bytes of a new config.json",
			About:  `Names the application that made the directory.`,
		},
		{
			Op: ATSFFork, Params: `"threadLength","id","created","title"?,"through"?`, Input: bothInput,
			Result: `{"threadLength","messagesLength"}, a line feed, and the bytes of the fork's thread.json and messages.jsonl`,
			About:  `Begins a thread with its parent's messages, all or up to the one whose id is "through". "created" is in Unix milliseconds. The assets are the host's to copy.`,
		},
		{
			Op: ATSFAsset, Params: `"name"?,"ext"?,"mimeType"?`, Input: "the content of an asset",
			Result: `{"name","imageType","fault"}`,
			About:  `Names content by its digest, with the extension "ext", or that of the MIME type, or that of the image it is. "imageType" is image/png, image/jpeg, image/gif, image/webp or empty. "fault" tells what is wrong with the content under the name that it has now, parameter "name".`,
		},
		{
			Op: ATSFAssetName, Input: "an assetRef",
			Result: `{"hex","ext","fault"}`,
			About:  `Reads a reference. One with a "fault" is not to be opened.`,
		},
		{
			Op: ATSFTakeInline, Input: "one line of a messages.jsonl",
			Result: `{"length","assets":[{"name","length"}]}, a line feed, the line's new bytes, and those of the assets in the order of "assets"`,
			About:  `Moves base64 data out of a line. The assets must be stored before the line is.`,
		},
		{
			Op: ATSFNewID, Params: `"random"`,
			Result: "a UUID of version 4",
			About:  `"random" is 16 random bytes as 32 hexadecimal digits.`,
		},
		{
			Op: ATSFValidID, Input: "a thread's id",
			Result: `{"valid"}`,
			About:  `Tells whether an id can be the name of a new thread's directory on every system.`,
		},
	}
}
