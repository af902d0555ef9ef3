package conformance

import (
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// paramsOf returns parameters of an op for an input of a length, some valid and some that
// it refuses.
func paramsOf(op abi.Op, length int) []string {
	list := []string{``, `{}`}
	n, half := strconv.Itoa(length), strconv.Itoa(length/2)
	for _, p := range opParams[op] {
		p = strings.ReplaceAll(p, "LENGTH", n)
		list = append(list, strings.ReplaceAll(p, "HALF", half))
	}
	return list
}

const (
	agnHead  = `"taskId":"T-2026-044","millis":1772116327001`
	agnTask  = `"taskId":"T-2026-044","now":1772120000000,"messages":[LENGTH]`
	oneLog   = `"logs":[{"name":"log-alice.jsonl","length":LENGTH}]`
	twoFiles = `"threadLength":HALF`
)

// opParams holds the parameters of each op. LENGTH means the length of the input, HALF
// half of it.
var opParams = map[abi.Op][]string{
	abi.SAMPParse:     {`{"profile":"v1-compact"}`},
	abi.SAMPInspect:   {`{"log":"log-alice.jsonl"}`},
	abi.SAMPID:        {`{"profile":"v1-compact"}`},
	abi.SAMPCanonical: {`{"profile":"v1-compact"}`},
	abi.SAMPThread:    {`{"from":"alice","date":"2026-04-25"}`, `{"from":"alice","date":"2026-04-25","profile":"v1-compact"}`},
	abi.SAMPInbox: {
		`{"me":"bob","now":1777075300,"watermark":{"ts":1777075200,"ids":["c8639d93993d0522"]},` + oneLog + `}`,
		`{"me":"bob","mode":"raw",` + oneLog + `}`, `{"me":"alice","mode":2,"forms":false,` + oneLog + `}`,
	},
	abi.SAMPReply:        {`{"me":"bob","ts":5,"body":"\u00e9",` + oneLog + `}`, `{"me":"bob","ts":5,"body":"x","to_id":"c8639d93993d0522",` + oneLog + `}`},
	abi.SAMPBuild:        {`{"from":"alice","to":"bob","thread":"t","ts":1777075200}`, `{"from":"CON","to":"b","thread":"t","ts":-1,"profile":"v1-compact"}`},
	abi.SAMPCompact:      {`{"profile":"v1-compact"}`},
	abi.SAMPWatermark:    {`{"now":5}`},
	abi.SAMPValidate:     {`{"log":"log-alice.jsonl","limit":3}`, `{"log":"x"}`},
	abi.SAMPThreads:      {`{` + oneLog + `}`, `{"me":"bob","profile":"v1-compact","limit":1,` + oneLog + `}`},
	abi.ATSFThread:       {`{"dir":"x"}`},
	abi.ATSFLog:          {`{"limit":2}`},
	abi.ATSFCompare:      {`{` + twoFiles + `}`},
	abi.ATSFCheck:        {`{` + twoFiles + `,"dir":"x","limit":3}`},
	abi.ATSFRepair:       {`{` + twoFiles + `}`},
	abi.ATSFEdit:         {`{"changes":[{"path":["title"],"value":"\u00e9"},{"path":["metadata","a","b"],"value":{"c":[1.0,null]}}]}`, `{"changes":[{"path":["stats","messageCount"],"value":7},{"path":["x"],"value":null}]}`},
	abi.ATSFBuildThread:  {`{"id":"t1","title":"T","created":1,"agent":{"id":"a","name":"A"},"context":{"workingDir":"/w","worktree":{"path":"/v","branch":"b"}},"metadata":{"z":[]}}`},
	abi.ATSFBuildMessage: {`{"id":"m","role":"agent","time":5,"content":[{"type":"text","text":"x"},{"raw":{"type":"y"}}],"tools":[{"id":"c","name":"n","status":"failed","input":""}],"tokens":{"input":1,"output":2}}`},
	abi.ATSFBuildConfig:  {`{"name":"n","version":"v"}`},
	abi.ATSFFork:         {`{` + twoFiles + `,"id":"fork","created":1739529000000,"title":"é"}`},
	abi.ATSFAsset:        {`{"name":"sha256-f78324a3d1694c16.png"}`, `{"mimeType":"image/webp"}`},
	abi.ATSFNewID:        {`{"random":"00112233445566778899aabbccddeeff"}`},

	abi.AGNPayload:         agnPayloads(),
	abi.AGNCheck:           {`{"messageLength":LENGTH,"history":[]}`, `{"messageLength":HALF,"history":[HALF]}`},
	abi.AGNState:           {`{` + agnTask + `}`, `{` + agnTask + `,"acks":[0],"resumes":[0]}`},
	abi.AGNAlarms:          {`{` + agnTask + `}`, `{` + agnTask + `,"refused":[0]}`},
	abi.AGNBuildDispatch:   {`{` + agnHead + `,"dispatch":{"description":"d","repo":"C:\\r","branch":"b","subtasks":[],"criteria":["c"],"risk":"high","forbidden":[],"constraints":{"a":[1.0]}}}`},
	abi.AGNBuildResult:     {`{` + agnHead + `,"contextRef":[],"result":{"subtaskId":"s","status":"failed","criteriaMet":[null],"log":[{"time":"2026-02-26T12:00:00Z"}],"blockers":["\u00e9"]}}`},
	abi.AGNBuildRequest:    {`{` + agnHead + `,"request":{"dispatchRef":"task_dispatch-T-2026-044-1","resultRef":"task_result-T-2026-044-1","scope":"full","diffUrl":"u","ci":[]}}`},
	abi.AGNBuildVerdict:    {`{` + agnHead + `,"number":1772116327007,"verdict":{"decision":"approved","criteria":[{"text":"c","passed":null}],"confidence":0.1}}`},
	abi.AGNBuildEscalation: {`{` + agnHead + `,"from":"system","escalation":{"kind":"unknown","severity":"info","triggeredBy":"system","description":"d","affected":[],"snapshot":{"taskStatus":"s"}}}`},
	abi.AGNBuildAck:        {`{"msgId":"task_dispatch-T-2026-044-1","by":"executor","millis":-1}`},
	abi.AGNBuildResume:     {`{"msgId":"escalation-T-2026-044-1","action":"split","millis":1}`},
	abi.AGNBuildRecord:     {`{"taskId":"T-2026-044","phase":"none","created":1,"updated":2}`},
	abi.AGNBuildRejection:  {`{"millis":1,"source":"s","digest":"d","faults":[{"rule":"E0","reason":"r","offset":-1}]}`, `{"millis":1,"source":"s","msgId":"m","digest":"d","faults":[{"rule":"E0","field":"f","reason":"r","offset":1}],"text":"t"}`},

	abi.AMPVerify:            {`{"messageLength":LENGTH}`, `{"messageLength":HALF}`},
	abi.AMPJudge:             {`{"now":1795348800000,"messageLength":LENGTH}`, `{"now":0,"messageLength":LENGTH,"pin":"x","self":["bob@acme.aimaestro.local"],"earlier":[{"signatureId":"x","id":"y"}]}`},
	abi.AMPThreads:           {`{"links":[{"id":"a","inReplyTo":"b"},{"id":"b","inReplyTo":"a"},{"id":"","inReplyTo":"c"}]}`},
	abi.AMPCompose:           drafts(),
	abi.AMPFinish:            drafts(),
	abi.AMPReceive:           {`{"at":1795348800000,"method":"local \u2028"}`},
	abi.AMPSetStatus:         {`{"status":"read","at":1795348800000}`, `{"status":"unread"}`, `{"status":"x"}`},
	abi.AMPNewID:             {`{"millis":1795348800000,"random":"0123456789abcdef"}`},
	abi.AMPNewAttachmentID:   {`{"millis":1795348800000,"random":"0123456789abcdef"}`},
	abi.AMPNewIdempotencyKey: {`{"random":"0123456789abcdef0123456789abcdef"}`},
	abi.AMPCheckAttachment:   {`{"size":LENGTH,"digest":"sha256:98f38f12db221a8cf8ca7aadfdcd759b01d52eb4ebb3eedbb2d97e92805c6960"}`},

	abi.MailDetect:     {`{"name":"inbox/msg_1795249958451_30328b7b.json"}`, `{"name":".agent/config.json"}`},
	abi.MailLinks:      {`{"limit":2}`},
	abi.RenderLine:     {`{"max":80}`, `{"max":1}`},
	abi.RenderMarkdown: {`{"maxBytes":200,"topHeading":3}`},
	abi.RenderHTML:     {`{"maxBytes":200,"topHeading":6}`},
}

func agnPayloads() (list []string) {
	for _, kind := range agnTypes {
		list = append(list, object("type", kind))
	}
	return list
}

const (
	draftHead = `{"id":"msg_1795348800_0123456789abcdef","idempotencyKey":"idk_550e8400-e29b-41d4-a716-446655440000","from":"alice@acme.crabmail.ai","to":"bob@acme.crabmail.ai","millis":1795348800000,"expires":1795953600000`
	draftRest = `,"subject":"Question about the API","text":"Can you review the authentication changes?"`
	draftFile = `{"id":"att_1795348800_0123456789abcdef","filename":"puma.log","contentType":"text/plain","size":4,"digest":"sha256:98f38f12db221a8cf8ca7aadfdcd759b01d52eb4ebb3eedbb2d97e92805c6960","url":"attachments/att_1795348800_0123456789abcdef/puma.log","scanStatus":"basic_clean","uploaded":"2026-11-22T12:00:00Z","expires":"2026-11-29T12:00:00Z"}`
)

// drafts returns parameters of amp.compose: cases in which implementations of amp/0.1
// differ, and the messages that openssl signed in testdata/amp/openssl.
func drafts() []string {
	return []string{
		draftHead + draftRest + `,"type":"github:pull_request","attachments":[` + draftFile + `]}`,
		draftHead + draftRest + `,"type":"request","context":{"z": {"b": 1.0, "a": [1e-7, -0, 10000000000000000000000, 0.10, 1E5]}, "Ä": true, "A": "upper before lower", "none": null, "o": {"none": null}}}`,
		draftHead + draftRest + `,"type":"request"}`,
		draftHead + `,"subject":"Question about the API","type":"response","inReplyTo":"msg_1795249999395_8e954fc9","threadId":"msg_1795249958451_30328b7b"}`,
		draftHead + `,"type":"request","subject":"a\u2028b\u007fc","text":"\u2028\u2029\u007f\u0000\u001f\u0085\ufeff/","context":{"\u2028": "\u007f\u00e9\/"}}`,
		draftHead + `,"type":"request","priority":"urgent","subject":"Überprüfung | 日本語 🚀 «é»","text":"Zeile 1 — ß\n\t\"quotes\" \\ <b>&amp;</b>"}`,
	}
}
