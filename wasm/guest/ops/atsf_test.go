package ops

import (
	"strconv"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

const (
	threadFile = `{"specVersion":"1.0","threadId":"t1","title":"T","createdAt":"2025-02-14T10:30:00.000Z","updatedAt":"2025-02-14T10:30:05.000Z",` +
		`"agent":{"id":"a","name":"A"},"context":{"workingDir":"/w"},"stats":{"messageCount":1,"userMessageCount":1,"agentMessageCount":0,"toolCallCount":0},"metadata":{"x":[1.0]}}`
	turnLine = `{"id":"m1","role":"user","timestamp":"2025-02-14T10:30:05.000Z","content":[{"type":"text","text":"a\nb"}]}`
	toolLine = `{"id":"m2","role":"agent","timestamp":"2025-02-14T10:30:09.000Z","content":[{"type":"image","assetRef":"../x","mimeType":"image/png"},{"type":"y","z":0}],` +
		`"toolCalls":[{"toolCallId":"c","name":"n","status":"in_progress","output":"","diff":{"path":"p","newText":"n"},"locations":[{"path":"p","line":2}]}],"tokens":{"input":1}}`
	bothLines = turnLine + "\n" + toolLine + "\n"
	noFaults  = `"faults":[],"notes":[]`
	firstTurn = `{"id":"m1","role":"user","time":{"text":"2025-02-14T10:30:05.000Z","millis":1739529005000,"ok":true,"utc":true},` +
		`"content":[{"offset":75,"length":29,"type":"text","known":true,"text":"a\nb"}],"tools":[],"blocks":1,"toolCalls":0,"stopReason":"","model":"","tokens":null,` + noFaults + `}`
	lateTally = `"stats":{"messages":2,"user":1,"agent":1,"toolCalls":1},"last":{"text":"2025-02-14T10:30:09.000Z","millis":1739529009000,"ok":true,"utc":true},"bad":0`
	stale     = `"mismatches":[{"field":"stats.messageCount","cached":"1","derived":"2","reason":"stats.messageCount is 1, and the messages say 2"},` +
		`{"field":"stats.agentMessageCount","cached":"0","derived":"1","reason":"stats.agentMessageCount is 0, and the messages say 1"},` +
		`{"field":"stats.toolCallCount","cached":"0","derived":"1","reason":"stats.toolCallCount is 0, and the messages say 1"},` +
		`{"field":"updatedAt","cached":"2025-02-14T10:30:05.000Z","derived":"2025-02-14T10:30:09.000Z","reason":"updatedAt is \"2025-02-14T10:30:05.000Z\", and the messages say 2025-02-14T10:30:09.000Z"}]`
)

var repaired = strings.NewReplacer(`"messageCount":1`, `"messageCount":2`, `"agentMessageCount":0`, `"agentMessageCount":1`, `"toolCallCount":0`, `"toolCallCount":1`, `30:05`, `30:09`).Replace(threadFile)

// both is the parameters of an op over thread.json and messages.jsonl.
func both(rest string) string {
	return `{"threadLength":` + strconv.Itoa(len(threadFile)) + rest + `}`
}

// TestATSFResults checks the shapes of results, with at least one good call of each op.
func TestATSFResults(t *testing.T) {
	results(t, []good{
		{name: "thread", op: abi.ATSFThread, a: `{"dir":"t2"}`, b: threadFile, want: `{"version":{"major":1,"minor":0},"id":"t1","title":"T","created":{"text":"2025-02-14T10:30:00.000Z","millis":1739529000000,"ok":true,"utc":true},"updated":{"text":"2025-02-14T10:30:05.000Z","millis":1739529005000,"ok":true,"utc":true},"agent":{"id":"a","name":"A","version":"","protocol":"","protocolVersion":0},"context":{"workingDir":"/w","relativeDir":"","gitBranch":"","gitCommit":"","worktree":null},"stats":{"messages":1,"user":1,"agent":0,"toolCalls":0},"parentId":"","metadata":{"x":[1.0]},"odd":{"rule":"L2","field":"threadId","offset":0,"reason":"threadId \"t1\" is not the directory's name \"t2\""},` + noFaults + `}`},
		{name: "thread in its directory", op: abi.ATSFThread, a: `{"dir":"t1"}`, b: strings.Replace(threadFile, `"workingDir"`, `"worktree":{"path":"/v","branch":"b"},"workingDir"`, 1), want: `{"path":"/v","branch":"b"}},"stats":{"messages":1,"user":1,"agent":0,"toolCalls":0},"parentId":"","metadata":{"x":[1.0]},"odd":null,` + noFaults + `}`, partial: true},
		{name: "thread with nothing in it", op: abi.ATSFThread, b: `{}`, want: `{"version":{"major":0,"minor":0},"id":"","title":"","created":{"text":"","millis":0,"ok":false,"utc":false},`, partial: true},
		{name: "message", op: abi.ATSFMessage, b: turnLine, want: firstTurn},
		{name: "message with a tool call", op: abi.ATSFMessage, b: toolLine, want: `"content":[{"offset":76,"length":57,"type":"image","known":true,"assetRef":"../x","mimeType":"image/png"},{"offset":134,"length":18,"type":"y","known":false}],"tools":[{"offset":167,"length":134,"id":"c","name":"n","status":"in_progress","state":"running","output":"","diff":{"path":"p","old":"","new":"n","created":true},"locations":[{"path":"p","line":2}]}],"blocks":2,"toolCalls":1,"stopReason":"","model":"","tokens":{"input":1,"output":0},"faults":[],"notes":[{"rule":"B2","field":"content[1].type","offset":134,"reason":"a content block of the unknown type \"y\""},{"rule":"TC1",`, partial: true},
		{name: "message with inline data", op: abi.ATSFMessage, b: `{"content":[{"type":"image","mimeType":"x","data":"YQ==","annotations":{"a":[ ]}},{"type":"resource_link","uri":"u","name":"n","size":3},{"type":"tool_call_ref","toolCallId":"c"}]}`, want: `"content":[{"offset":12,"length":69,"type":"image","known":true,"mimeType":"x","inline":true,"annotations":{"a":[ ]}},{"offset":82,"length":54,"type":"resource_link","known":true,"uri":"u","name":"n","size":3},{"offset":137,"length":41,"type":"tool_call_ref","known":true,"toolCallId":"c"}]`, partial: true},
		{name: "log", op: abi.ATSFLog, b: "\n" + turnLine + "\nx\n{", want: `{"entries":[{"number":2,"offset":1,"length":` + strconv.Itoa(len(turnLine)) + `,"message":` + firstTurn + `,"fault":null},{"number":3,"offset":` + strconv.Itoa(len(turnLine)+2) + `,"length":1,"message":null,"fault":{"rule":"M1","field":"","offset":0,"reason":"the line is not a JSON object: expected a value at byte 1"}}],"next":` + strconv.Itoa(len(turnLine)+4) + `,"torn":true}`},
		{name: "log to a limit", op: abi.ATSFLog, a: `{"limit":1}`, b: "x\ny\n", want: `"next":2,"torn":false}`, partial: true},
		{name: "config", op: abi.ATSFConfig, b: `{"specVersion":"1.1","createdBy":{"name":"n","version":"v"},"defaults":{"useWorktree":false},"agentSettings":{"a":{"token":"x"}},"worktreeHooks":{"symlinks":[{"source":"a/./b"},{"source":"../x"}],"postSetupCommands":[{"command":"make","platforms":["linux"]},{"command":"x","timeout":5}],"initialPrompt":"go"}}`, want: `{"version":{"major":1,"minor":1},"createdBy":{"name":"n","version":"v"},"defaults":{"agentId":"","interactionMode":"","modelId":"","useWorktree":false},"agentSettings":{"a":{"token":"x"}},"hooks":{"symlinks":[{"source":"a/b","target":"a/b","fault":null},{"source":"../x","target":"../x","fault":{"rule":"H1",`, partial: true},
		{name: "config's commands", op: abi.ATSFConfig, b: `{"specVersion":"1.1","worktreeHooks":{"postSetupCommands":[{"command":"make","platforms":["linux","win32"]},{"command":"x","label":"X","timeout":5,"continueOnError":true}],"initialPrompt":"go"}}`, want: `{"version":{"major":1,"minor":1},"createdBy":null,"defaults":{"agentId":"","interactionMode":"","modelId":"","useWorktree":null},"agentSettings":null,"hooks":{"symlinks":[],"commands":[{"command":"make","label":"","timeout":120000,"continueOnError":false,"platforms":["linux","win32"],"fault":null},{"command":"x","label":"X","timeout":5,"continueOnError":true,"platforms":null,"fault":null}],"initialPrompt":"go"},"secrets":[],` + noFaults + `}`},
		{name: "config's secrets", op: abi.ATSFConfig, b: `{"specVersion":"1.1","x":{"apiKey":"hunter2"}}`, want: `"secrets":[{"rule":"K3","field":"x.apiKey","offset":35,"reason":"\"x.apiKey\" looks like a secret, and config.json must hold none"}],`, partial: true},
		{name: "count", op: abi.ATSFCount, b: bothLines + "{", want: `{` + lateTally + `,"next":` + strconv.Itoa(len(bothLines)) + `}`},
		{name: "compare", op: abi.ATSFCompare, a: both(""), b: threadFile + bothLines, want: `{` + lateTally + `,"next":` + strconv.Itoa(len(bothLines)) + `,` + stale + `}`},
		{name: "check", op: abi.ATSFCheck, a: both(`,"dir":"t2","limit":7`), b: threadFile + bothLines + "x", want: `{` + lateTally + `,"torn":true,"findings":[{"file":"thread.json","line":0,"offset":0,"level":"fault","rule":"L2","field":"threadId","reason":"threadId \"t1\" is not the directory's name \"t2\""},{"file":"thread.json","line":0,"offset":0,"level":"fault","rule":"T4","field":"stats.messageCount",`, partial: true},
		{name: "check's lines", op: abi.ATSFCheck, a: both(""), b: threadFile + bothLines + "x\n\n{", want: `{"file":"messages.jsonl","line":2,"offset":` + strconv.Itoa(len(turnLine)+1+134) + `,"level":"note","rule":"B2","field":"content[1].type","reason":"a content block of the unknown type \"y\""},{"file":"messages.jsonl","line":2,"offset":` + strconv.Itoa(len(turnLine)+1+205) + `,"level":"note","rule":"TC1","field":"toolCalls[0].status","reason":"status \"in_progress\" reads as \"running\""},{"file":"messages.jsonl","line":2,"offset":` + strconv.Itoa(len(turnLine)+1+76) + `,"level":"fault","rule":"L4","field":"content[0].assetRef","reason":"the asset name \"../x\" holds a path"},{"file":"messages.jsonl","line":3,"offset":` + strconv.Itoa(len(bothLines)) + `,"level":"fault","rule":"M1","field":"","reason":"the line is not a JSON object: expected a value at byte 1"},{"file":"messages.jsonl","line":5,"offset":` + strconv.Itoa(len(bothLines)+3) + `,"level":"note","rule":"M5","field":"","reason":"the last line is not ended and not read"}],"more":0}`, partial: true},
		{name: "check of no thread", op: abi.ATSFCheck, a: `{"threadLength":1,"limit":0}`, b: "x", want: `"torn":false,"findings":[],"more":1}`, partial: true},
		{name: "repair", op: abi.ATSFRepair, a: both(""), b: threadFile + bothLines, want: `{"changed":true,` + stale + `,"length":` + strconv.Itoa(len(threadFile)) + "}\n" + repaired},
		{name: "repair nothing", op: abi.ATSFRepair, a: both(""), b: repaired + bothLines, want: `{"changed":false,"mismatches":[],"length":` + strconv.Itoa(len(threadFile)) + "}\n" + repaired},
		{name: "edit", op: abi.ATSFEdit, a: `{"changes":[{"path":["title"],"value":"N"},{"path":["metadata","y"],"value":{"z" : [ ]}},{"path":["agent","version"],"value":null}]}`, b: threadFile, want: strings.NewReplacer(`"title":"T"`, `"title":"N"`, `{"x":[1.0]}`, `{"x":[1.0],"y":{"z":[]}}`, `"name":"A"`, `"name":"A","version":null`).Replace(threadFile)},
		{name: "edit nothing", op: abi.ATSFEdit, a: `{"changes":[]}`, b: threadFile, want: threadFile},
		{name: "build a thread", op: abi.ATSFBuildThread, a: `{"id":"t1","title":"T","created":1739529000000,"agent":{"id":"a","name":"A"},"context":{"workingDir":"/w","worktree":{"path":"/v","branch":"b"}}}`, want: "{\n  \"specVersion\": \"1.1\",\n  \"threadId\": \"t1\",\n  \"title\": \"T\",\n  \"createdAt\": \"2025-02-14T10:30:00.000Z\",\n  \"updatedAt\": \"2025-02-14T10:30:00.000Z\",\n", partial: true},
		{name: "build a message", op: abi.ATSFBuildMessage, a: `{"id":"m1","role":"user","time":1739529005000,"content":[{"type":"text","text":"a\nb"}]}`, want: turnLine + "\n"},
		{name: "build a message of everything", op: abi.ATSFBuildMessage, a: `{"id":"m","role":"agent","time":0,"content":[{"raw":{"type" : "y","z":0.0}},{"type":"resource_link","uri":"u","size":3}],"tools":[{"raw":{"toolCallId":"c","name":"n","status":"failed","x":{}}},{"id":"d","name":"n","status":"completed","input":"","duration":7,"diff":{"path":"p","old":"o","new":"n"},"locations":[{"path":"p"}]}],"stopReason":"end_turn","model":"m","tokens":{"input":1,"output":2}}`, want: `{"id":"m","role":"agent","timestamp":"1970-01-01T00:00:00.000Z","content":[{"type":"y","z":0.0},{"type":"resource_link","uri":"u","size":3}],"toolCalls":[{"toolCallId":"c","name":"n","status":"failed","x":{}},{"toolCallId":"d","name":"n","status":"completed","input":"","duration":7,"diff":{"path":"p","oldText":"o","newText":"n"},"locations":[{"path":"p"}]}],"stopReason":"end_turn","model":"m","tokens":{"input":1,"output":2}}` + "\n"},
		{name: "build a config", op: abi.ATSFBuildConfig, a: `{"name":"n","version":"v"}`, want: "{\n  \"specVersion\": \"1.1\",\n  \"createdBy\": {\n    \"name\": \"n\",\n    \"version\": \"v\"\n  }\n}\n"},
		{name: "fork", op: abi.ATSFFork, a: both(`,"id":"t2","created":1739529100000,"through":"m1"`), b: threadFile + bothLines, want: `{"threadLength":` + strconv.Itoa(len(threadFile)+len(`,"parentThreadId":"t1"`)) + `,"messagesLength":` + strconv.Itoa(len(turnLine)+1) + "}\n" + strings.NewReplacer(`"t1"`, `"t2"`, `"1.0"`, `"1.1"`, `10:30:00`, `10:31:40`, `{"x":[1.0]}}`, `{"x":[1.0]},"parentThreadId":"t1"}`).Replace(threadFile) + turnLine + "\n"},
		{name: "asset", op: abi.ATSFAsset, b: "GIF89a", want: `{"name":"sha256-610f5ae4d76e3326.gif","imageType":"image/gif","fault":null}`},
		{name: "asset under another name", op: abi.ATSFAsset, a: `{"name":"sha256-0000000000000000.png","ext":"txt"}`, b: "abc", want: `{"name":"sha256-ba7816bf8f01cfea.txt","imageType":"","fault":{"rule":"L4",`, partial: true},
		{name: "asset under no name", op: abi.ATSFAsset, a: `{"name":"","mimeType":"image/png"}`, b: "abc", want: `{"name":"sha256-ba7816bf8f01cfea.png","imageType":"","fault":{"rule":"L4",`, partial: true},
		{name: "asset under its name", op: abi.ATSFAsset, a: `{"name":"sha256-ba7816bf8f01cfea.png"}`, b: "abc", want: `{"name":"sha256-ba7816bf8f01cfea.bin","imageType":"","fault":null}`},
		{name: "asset name", op: abi.ATSFAssetName, b: "sha256-ba7816bf8f01cfea.png", want: `{"hex":"ba7816bf8f01cfea","ext":"png","fault":null}`},
		{name: "asset name with a path", op: abi.ATSFAssetName, b: "../x", want: `{"hex":"","ext":"","fault":{"rule":"L4","field":"assetRef","offset":0,"reason":"the asset name \"../x\" holds a path"}}`},
		{name: "take inline", op: abi.ATSFTakeInline, b: `{"content":[{"type":"image","mimeType":"image/png","data":"YWJj"}],"x" : 1}`, want: `{"length":102,"assets":[{"name":"sha256-ba7816bf8f01cfea.png","length":3}]}` + "\n" + `{"content":[{"type":"image","mimeType":"image/png","assetRef":"sha256-ba7816bf8f01cfea.png"}],"x" : 1}abc`},
		{name: "take nothing", op: abi.ATSFTakeInline, b: turnLine, want: `{"length":` + strconv.Itoa(len(turnLine)) + `,"assets":[]}` + "\n" + turnLine},
		{name: "new id", op: abi.ATSFNewID, a: `{"random":"00112233445566778899aabbCCDDEEFF"}`, want: "00112233-4455-4677-8899-aabbccddeeff"},
		{name: "valid id", op: abi.ATSFValidID, b: "t1", want: `{"valid":true}`},
		{name: "id with a path", op: abi.ATSFValidID, b: "../t1", want: `{"valid":false}`},
	})
}

// TestATSFErrors checks the code and rule of what cannot be read or made.
func TestATSFErrors(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 63) + "1" + strings.Repeat("}", 63)
	message := `{"id":"m","role":"user","time":0,"content":`
	failures(t, []failing{
		{"thread of a later major version", abi.ATSFThread, "", `{"specVersion":"2.0"}`, abi.Malformed, "V2"},
		{"no thread", abi.ATSFThread, "", `[]`, abi.Malformed, "T1"},
		{"thread not UTF-8", abi.ATSFThread, "", "{\"a\":\"\xff\"}", abi.Malformed, "X1"},
		{"no message", abi.ATSFMessage, "", `{`, abi.Malformed, "M1"},
		{"no config", abi.ATSFConfig, "", ``, abi.Malformed, "K1"},
		{"limit", abi.ATSFLog, `{"limit":65537}`, "", abi.BadArgument, ""},
		{"negative limit", abi.ATSFLog, `{"limit":-1}`, "", abi.BadArgument, ""},
		{"limit of findings", abi.ATSFCheck, `{"threadLength":0,"limit":100001}`, "", abi.BadArgument, ""},
		{"no length", abi.ATSFCompare, "", threadFile, abi.BadArgument, ""},
		{"negative length", abi.ATSFCompare, `{"threadLength":-1}`, threadFile, abi.BadArgument, ""},
		{"length beyond", abi.ATSFRepair, `{"threadLength":1}`, "", abi.BadArgument, ""},
		{"compare with no thread", abi.ATSFCompare, `{"threadLength":0}`, "", abi.Malformed, "T1"},
		{"repair of a later major version", abi.ATSFRepair, `{"threadLength":21}`, `{"specVersion":"2.0"}`, abi.Malformed, "V2"},
		{"repair without a version", abi.ATSFRepair, `{"threadLength":2}`, `{}`, abi.Malformed, "V1"},
		{"edit of nothing", abi.ATSFEdit, `{"changes":[]}`, "", abi.Malformed, "T1"},
		{"edit without changes", abi.ATSFEdit, "", threadFile, abi.BadArgument, ""},
		{"edit without a value", abi.ATSFEdit, `{"changes":[{"path":["a"]}]}`, threadFile, abi.BadArgument, ""},
		{"edit without a path", abi.ATSFEdit, `{"changes":[{"path":[],"value":1}]}`, threadFile, abi.Refused, "X4"},
		{"edit through a text", abi.ATSFEdit, `{"changes":[{"path":["title","x"],"value":1}]}`, threadFile, abi.Refused, "X4"},
		{"path of numbers", abi.ATSFEdit, `{"changes":[{"path":[1],"value":1}]}`, threadFile, abi.BadArgument, ""},
		{"path of text", abi.ATSFEdit, `{"changes":[{"path":"a","value":1}]}`, threadFile, abi.BadArgument, ""},
		{"value too deep", abi.ATSFEdit, `{"changes":[{"path":["a"],"value":` + deep + `}]}`, threadFile, abi.BadArgument, ""},
		{"changes of numbers", abi.ATSFEdit, `{"changes":[1]}`, threadFile, abi.BadArgument, ""},
		{"thread with a path for an id", abi.ATSFBuildThread, `{"id":"../x","title":"T","created":0,"agent":{"id":"a","name":"A"},"context":{"workingDir":"/w"}}`, "", abi.Refused, "L3"},
		{"thread without an agent", abi.ATSFBuildThread, `{"id":"x","title":"T","created":0,"context":{"workingDir":"/w"}}`, "", abi.Refused, "T1"},
		{"thread without a time", abi.ATSFBuildThread, `{"id":"x"}`, "", abi.BadArgument, ""},
		{"thread of a text", abi.ATSFBuildThread, `{"created":0,"agent":"a"}`, "", abi.BadArgument, ""},
		{"thread with more", abi.ATSFBuildThread, `{"created":0,"agent":{"mail":"a"}}`, "", abi.BadArgument, ""},
		{"thread with input", abi.ATSFBuildThread, `{"created":0}`, "x", abi.BadArgument, ""},
		{"time beyond the form", abi.ATSFBuildMessage, `{"id":"m","role":"user","time":1000000000000000,"content":[]}`, "", abi.Refused, "X1"},
		{"no role", abi.ATSFBuildMessage, `{"id":"m","time":0,"content":[]}`, "", abi.Refused, "M2"},
		{"unknown block", abi.ATSFBuildMessage, message + `[{"type":"y"}]}`, "", abi.Refused, "B1"},
		{"asset with a path", abi.ATSFBuildMessage, message + `[{"type":"image","assetRef":"../x","mimeType":"image/png"}]}`, "", abi.Refused, "L4"},
		{"tool without a status", abi.ATSFBuildMessage, message + `[],"tools":[{"id":"c","name":"n"}]}`, "", abi.Refused, "TC1"},
		{"content of text", abi.ATSFBuildMessage, message + `"x"}`, "", abi.BadArgument, ""},
		{"fork under its parent's id", abi.ATSFFork, both(`,"id":"t1","created":0`), threadFile, abi.Refused, "L3"},
		{"fork through nothing", abi.ATSFFork, both(`,"id":"t2","created":0,"through":"m9"`), threadFile + bothLines, abi.NotFound, ""},
		{"inline data that is none", abi.ATSFTakeInline, "", `{"content":[{"type":"image","mimeType":"x","data":"?"}]}`, abi.Malformed, "B3"},
		{"random of letters", abi.ATSFNewID, `{"random":"0011223344556677889900112233445g"}`, "", abi.BadArgument, ""},
		{"random too short", abi.ATSFNewID, `{"random":"00"}`, "", abi.BadArgument, ""},
		{"half a character", abi.ATSFBuildConfig, `{"name":"\ud800","version":""}`, "", abi.BadArgument, ""},
	})
}
