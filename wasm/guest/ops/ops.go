// Package ops is what the WebAssembly module does: every op of wasm/abi over
// bytes. Start with [Call]. The package also compiles natively, so that the same
// ops run inside the module and outside it and their bytes can be compared.
//
// It imports wasm/abi, core, and of the standard library nothing that is large
// (no fmt, encoding/json, reflection or time), because all of it is carried by
// the module. It keeps no state between calls and never changes its input.
package ops

import (
	"errors"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// Call runs an op over its two arguments and appends the result to dst. ok is
// false if what was appended is an error instead, as the JSON object
// {"code","rule","message"}. The shapes are those of [abi.Ops]. A panic becomes
// an error of code [abi.Internal].
func Call(dst []byte, op abi.Op, a, b []byte) (result []byte, ok bool) {
	run := handler(op)
	if run == nil {
		return appendFailure(dst, &failure{code: abi.UnknownOp, message: "this module has no " + op.String()}), false
	}
	result, err := guarded(run, dst, a, b)
	if err != nil {
		return appendFailure(dst, asFailure(err)), false
	}
	return result, true
}

// run is the form of every op.
type run func(dst, a, b []byte) ([]byte, error)

// handler is a switch and not a map, so that nothing is set up before main and
// the linker sees what is used.
func handler(op abi.Op) run {
	switch op {
	case abi.Info:
		return info
	case abi.SAMPParse:
		return sampParse
	case abi.SAMPInspect:
		return sampInspect
	case abi.SAMPID:
		return sampID
	case abi.SAMPCanonical:
		return sampCanonical
	case abi.SAMPThread:
		return sampThread
	case abi.SAMPInbox:
		return sampInbox
	case abi.SAMPReply:
		return sampReply
	case abi.SAMPBuild:
		return sampBuild
	case abi.SAMPCompact:
		return sampCompact
	case abi.SAMPWatermark:
		return sampWatermark
	case abi.SAMPAlias:
		return sampAlias
	case abi.SAMPValidate:
		return sampValidate
	case abi.SAMPThreads:
		return sampThreads
	}
	return atsfHandler(op)
}

func atsfHandler(op abi.Op) run {
	switch op {
	case abi.ATSFThread:
		return atsfThread
	case abi.ATSFMessage:
		return atsfMessage
	case abi.ATSFLog:
		return atsfLog
	case abi.ATSFConfig:
		return atsfConfig
	case abi.ATSFCount:
		return atsfCount
	case abi.ATSFCompare:
		return atsfCompare
	case abi.ATSFCheck:
		return atsfCheck
	case abi.ATSFRepair:
		return atsfRepair
	case abi.ATSFEdit:
		return atsfEdit
	case abi.ATSFBuildThread:
		return atsfBuildThread
	case abi.ATSFBuildMessage:
		return atsfBuildMessage
	case abi.ATSFBuildConfig:
		return atsfBuildConfig
	case abi.ATSFFork:
		return atsfFork
	case abi.ATSFAsset:
		return atsfAsset
	case abi.ATSFAssetName:
		return atsfAssetName
	case abi.ATSFTakeInline:
		return atsfTakeInline
	case abi.ATSFNewID:
		return atsfNewID
	case abi.ATSFValidID:
		return atsfValidID
	}
	return agnHandler(op)
}

func agnHandler(op abi.Op) run {
	switch op {
	case abi.AGNMessage:
		return agnMessage
	case abi.AGNPayload:
		return agnPayload
	case abi.AGNCheck:
		return agnCheck
	case abi.AGNState:
		return agnState
	case abi.AGNAlarms:
		return agnAlarms
	case abi.AGNID:
		return agnID
	case abi.AGNValidTaskID:
		return agnValidTaskID
	case abi.AGNBuildDispatch:
		return agnBuildDispatch
	case abi.AGNBuildResult:
		return agnBuildResult
	case abi.AGNBuildRequest:
		return agnBuildRequest
	case abi.AGNBuildVerdict:
		return agnBuildVerdict
	case abi.AGNBuildEscalation:
		return agnBuildEscalation
	case abi.AGNAck:
		return agnAck
	case abi.AGNResume:
		return agnResume
	case abi.AGNRecord:
		return agnRecord
	case abi.AGNRejection:
		return agnRejection
	case abi.AGNBuildAck:
		return agnBuildAck
	case abi.AGNBuildResume:
		return agnBuildResume
	case abi.AGNBuildRecord:
		return agnBuildRecord
	case abi.AGNBuildRejection:
		return agnBuildRejection
	}
	return ampHandler(op)
}

func ampHandler(op abi.Op) run {
	switch op {
	case abi.AMPMessage:
		return ampMessage
	case abi.AMPPayloadBytes:
		return ampPayloadBytes
	case abi.AMPPayloadHash:
		return ampPayloadHash
	case abi.AMPSigned:
		return ampSigned
	case abi.AMPVerify:
		return ampVerify
	case abi.AMPJudge:
		return ampJudge
	case abi.AMPThreads:
		return ampThreads
	case abi.AMPFlags:
		return ampFlags
	case abi.AMPUnwrap:
		return ampUnwrap
	case abi.AMPCompose:
		return ampCompose
	case abi.AMPFinish:
		return ampFinish
	case abi.AMPReply:
		return ampReply
	case abi.AMPReceive:
		return ampReceive
	case abi.AMPSetStatus:
		return ampSetStatus
	case abi.AMPNewID:
		return ampNewID
	case abi.AMPNewAttachmentID:
		return ampNewAttachmentID
	case abi.AMPNewIdempotencyKey:
		return ampNewIdempotencyKey
	case abi.AMPFilename:
		return ampFilename
	case abi.AMPDigest:
		return ampDigest
	case abi.AMPCheckAttachment:
		return ampCheckAttachment
	case abi.AMPKey:
		return ampKey
	case abi.AMPID:
		return ampID
	case abi.AMPAttachmentID:
		return ampAttachmentID
	case abi.AMPAddress:
		return ampAddress
	}
	return mailHandler(op)
}

func mailHandler(op abi.Op) run {
	switch op {
	case abi.MailDetect:
		return mailDetect
	case abi.MailLinks:
		return mailLinks
	case abi.RenderLine:
		return renderLine
	case abi.RenderText:
		return renderText
	case abi.RenderMarkdown:
		return renderMarkdown
	case abi.RenderHTML:
		return renderHTML
	case abi.RenderEscape:
		return renderEscape
	case abi.RenderCode:
		return renderCode
	case abi.RenderBlock:
		return renderBlock
	}
	return nil
}

func guarded(f run, dst, a, b []byte) (result []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &failure{code: abi.Internal, message: panicText(p)}
		}
	}()
	return f(dst, a, b)
}

func panicText(p any) string {
	switch p := p.(type) {
	case error:
		return "panic: " + p.Error()
	case string:
		return "panic: " + p
	}
	return "panic"
}

// failure is an error with what the ABI hands to the host.
type failure struct {
	code          abi.Code
	rule, message string
}

func (f *failure) Error() string { return f.message }

func badArgument(reason string) error {
	return &failure{code: abi.BadArgument, message: reason}
}

// malformed and refused word a broken rule of the format, in bytes that were
// read and in what should be written.
func malformed(err error) error { return broken(abi.Malformed, err) }
func refused(err error) error   { return broken(abi.Refused, err) }

func broken(code abi.Code, err error) error {
	if f, ok := errors.AsType[*samp.Fault](err); ok {
		return &failure{code: code, rule: f.Rule, message: f.Reason}
	}
	if f := asFault(err); f != nil {
		return &failure{code: code, rule: f.Rule, message: f.Reason}
	}
	if f := asTaskFault(err); f != nil {
		return &failure{code: code, rule: f.Rule, message: f.Reason}
	}
	if f := asMailFault(err); f != nil {
		return &failure{code: code, rule: f.Rule, message: f.Reason}
	}
	return &failure{code: code, message: err.Error()}
}

func asFailure(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	return &failure{code: abi.Internal, message: err.Error()}
}

func appendFailure(dst []byte, f *failure) []byte {
	return AppendError(dst, f.code, f.rule, f.message)
}

// AppendError appends an error as the ABI shows it. The module uses it for the
// errors that come before an op runs.
func AppendError(dst []byte, code abi.Code, rule, message string) []byte {
	e := encoder{buf: dst}
	e.open('{')
	e.text("code", string(code))
	e.text("rule", rule)
	e.text("message", message)
	e.close('}')
	return e.buf
}

func info(dst, a, b []byte) ([]byte, error) {
	if err := read(a); err != nil {
		return nil, err
	}
	if err := none(b); err != nil {
		return nil, err
	}
	e := encoder{buf: dst}
	e.open('{')
	e.key("abi")
	e.open('{')
	e.number("major", abi.Major)
	e.number("minor", abi.Minor)
	e.close('}')
	e.number("maxInput", abi.MaxInput)
	e.key("ops")
	e.open('[')
	for _, op := range abi.Numbers() {
		e.item()
		e.open('{')
		e.number("op", int64(op))
		e.text("name", op.String())
		e.close('}')
	}
	e.close(']')
	e.close('}')
	return e.buf, nil
}
