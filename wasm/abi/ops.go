package abi

// The general ops, 1 to 99.
const (
	Info Op = 1
)

// The SAMP ops, 100 to 199. ATSF has 200 to 299, AMP/1.0 tasks 300 to 399,
// amp/0.1 400 to 499, what is about all formats 500 to 549, and showing 550 to 599.
const (
	SAMPParse     Op = 100
	SAMPInspect   Op = 101
	SAMPID        Op = 102
	SAMPCanonical Op = 103
	SAMPThread    Op = 104
	SAMPInbox     Op = 105
	SAMPReply     Op = 106
	SAMPBuild     Op = 107
	SAMPCompact   Op = 108
	SAMPWatermark Op = 109
	SAMPAlias     Op = 110
	SAMPValidate  Op = 111
	SAMPThreads   Op = 112
)

// The ATSF ops.
const (
	ATSFThread       Op = 200
	ATSFMessage      Op = 201
	ATSFLog          Op = 202
	ATSFConfig       Op = 203
	ATSFCount        Op = 204
	ATSFCompare      Op = 205
	ATSFCheck        Op = 206
	ATSFRepair       Op = 207
	ATSFEdit         Op = 208
	ATSFBuildThread  Op = 209
	ATSFBuildMessage Op = 210
	ATSFBuildConfig  Op = 211
	ATSFFork         Op = 212
	ATSFAsset        Op = 213
	ATSFAssetName    Op = 214
	ATSFTakeInline   Op = 215
	ATSFNewID        Op = 216
	ATSFValidID      Op = 217
)

// The ops of AMP/1.0 tasks.
const (
	AGNMessage         Op = 300
	AGNPayload         Op = 301
	AGNCheck           Op = 302
	AGNState           Op = 303
	AGNAlarms          Op = 304
	AGNID              Op = 305
	AGNValidTaskID     Op = 306
	AGNBuildDispatch   Op = 307
	AGNBuildResult     Op = 308
	AGNBuildRequest    Op = 309
	AGNBuildVerdict    Op = 310
	AGNBuildEscalation Op = 311
	AGNAck             Op = 312
	AGNResume          Op = 313
	AGNRecord          Op = 314
	AGNRejection       Op = 315
	AGNBuildAck        Op = 316
	AGNBuildResume     Op = 317
	AGNBuildRecord     Op = 318
	AGNBuildRejection  Op = 319
)

// The ops of amp/0.1.
const (
	AMPMessage           Op = 400
	AMPPayloadBytes      Op = 401
	AMPPayloadHash       Op = 402
	AMPSigned            Op = 403
	AMPVerify            Op = 404
	AMPJudge             Op = 405
	AMPThreads           Op = 406
	AMPFlags             Op = 407
	AMPUnwrap            Op = 408
	AMPCompose           Op = 409
	AMPFinish            Op = 410
	AMPReply             Op = 411
	AMPReceive           Op = 412
	AMPSetStatus         Op = 413
	AMPNewID             Op = 414
	AMPNewAttachmentID   Op = 415
	AMPNewIdempotencyKey Op = 416
	AMPFilename          Op = 417
	AMPDigest            Op = 418
	AMPCheckAttachment   Op = 419
	AMPKey               Op = 420
	AMPID                Op = 421
	AMPAttachmentID      Op = 422
	AMPAddress           Op = 423
)

// The ops about all formats, and those that make text safe to show.
const (
	MailDetect Op = 500
	MailLinks  Op = 501

	RenderLine     Op = 550
	RenderText     Op = 551
	RenderMarkdown Op = 552
	RenderHTML     Op = 553
	RenderEscape   Op = 554
	RenderCode     Op = 555
	RenderBlock    Op = 556
)

// name is apart from the table so that the module carries no documentation.
func (op Op) name() string {
	switch op {
	case Info:
		return "info"
	case SAMPParse:
		return "samp.parse"
	case SAMPInspect:
		return "samp.inspect"
	case SAMPID:
		return "samp.id"
	case SAMPCanonical:
		return "samp.canonical"
	case SAMPThread:
		return "samp.thread"
	case SAMPInbox:
		return "samp.inbox"
	case SAMPReply:
		return "samp.reply"
	case SAMPBuild:
		return "samp.build"
	case SAMPCompact:
		return "samp.compact"
	case SAMPWatermark:
		return "samp.watermark"
	case SAMPAlias:
		return "samp.alias"
	case SAMPValidate:
		return "samp.validate"
	case SAMPThreads:
		return "samp.threads"
	}
	return op.atsfName()
}

func (op Op) atsfName() string {
	switch op {
	case ATSFThread:
		return "atsf.thread"
	case ATSFMessage:
		return "atsf.message"
	case ATSFLog:
		return "atsf.log"
	case ATSFConfig:
		return "atsf.config"
	case ATSFCount:
		return "atsf.count"
	case ATSFCompare:
		return "atsf.compare"
	case ATSFCheck:
		return "atsf.check"
	case ATSFRepair:
		return "atsf.repair"
	case ATSFEdit:
		return "atsf.edit"
	case ATSFBuildThread:
		return "atsf.buildThread"
	case ATSFBuildMessage:
		return "atsf.buildMessage"
	case ATSFBuildConfig:
		return "atsf.buildConfig"
	case ATSFFork:
		return "atsf.fork"
	case ATSFAsset:
		return "atsf.asset"
	case ATSFAssetName:
		return "atsf.assetName"
	case ATSFTakeInline:
		return "atsf.takeInline"
	case ATSFNewID:
		return "atsf.newId"
	case ATSFValidID:
		return "atsf.validId"
	}
	return op.agnName()
}

func (op Op) agnName() string {
	switch op {
	case AGNMessage:
		return "agn.message"
	case AGNPayload:
		return "agn.payload"
	case AGNCheck:
		return "agn.check"
	case AGNState:
		return "agn.state"
	case AGNAlarms:
		return "agn.alarms"
	case AGNID:
		return "agn.id"
	case AGNValidTaskID:
		return "agn.validTaskId"
	case AGNBuildDispatch:
		return "agn.buildDispatch"
	case AGNBuildResult:
		return "agn.buildResult"
	case AGNBuildRequest:
		return "agn.buildRequest"
	case AGNBuildVerdict:
		return "agn.buildVerdict"
	case AGNBuildEscalation:
		return "agn.buildEscalation"
	case AGNAck:
		return "agn.ack"
	case AGNResume:
		return "agn.resume"
	case AGNRecord:
		return "agn.record"
	case AGNRejection:
		return "agn.rejection"
	case AGNBuildAck:
		return "agn.buildAck"
	case AGNBuildResume:
		return "agn.buildResume"
	case AGNBuildRecord:
		return "agn.buildRecord"
	case AGNBuildRejection:
		return "agn.buildRejection"
	}
	return op.ampName()
}

func (op Op) ampName() string {
	switch op {
	case AMPMessage:
		return "amp.message"
	case AMPPayloadBytes:
		return "amp.payloadBytes"
	case AMPPayloadHash:
		return "amp.payloadHash"
	case AMPSigned:
		return "amp.signed"
	case AMPVerify:
		return "amp.verify"
	case AMPJudge:
		return "amp.judge"
	case AMPThreads:
		return "amp.threads"
	case AMPFlags:
		return "amp.flags"
	case AMPUnwrap:
		return "amp.unwrap"
	case AMPCompose:
		return "amp.compose"
	case AMPFinish:
		return "amp.finish"
	case AMPReply:
		return "amp.reply"
	case AMPReceive:
		return "amp.receive"
	case AMPSetStatus:
		return "amp.setStatus"
	case AMPNewID:
		return "amp.newId"
	case AMPNewAttachmentID:
		return "amp.newAttachmentId"
	case AMPNewIdempotencyKey:
		return "amp.newIdempotencyKey"
	case AMPFilename:
		return "amp.filename"
	case AMPDigest:
		return "amp.digest"
	case AMPCheckAttachment:
		return "amp.checkAttachment"
	case AMPKey:
		return "amp.key"
	case AMPID:
		return "amp.id"
	case AMPAttachmentID:
		return "amp.attachmentId"
	case AMPAddress:
		return "amp.address"
	}
	return op.mailName()
}

func (op Op) mailName() string {
	switch op {
	case MailDetect:
		return "mail.detect"
	case MailLinks:
		return "mail.links"
	case RenderLine:
		return "render.line"
	case RenderText:
		return "render.text"
	case RenderMarkdown:
		return "render.markdown"
	case RenderHTML:
		return "render.html"
	case RenderEscape:
		return "render.escape"
	case RenderCode:
		return "render.code"
	case RenderBlock:
		return "render.block"
	}
	return ""
}

// Numbers lists the ops that this version of the ABI has.
func Numbers() []Op {
	return []Op{
		Info,
		SAMPParse, SAMPInspect, SAMPID, SAMPCanonical, SAMPThread, SAMPInbox,
		SAMPReply, SAMPBuild, SAMPCompact, SAMPWatermark, SAMPAlias, SAMPValidate, SAMPThreads,
		ATSFThread, ATSFMessage, ATSFLog, ATSFConfig, ATSFCount, ATSFCompare,
		ATSFCheck, ATSFRepair, ATSFEdit, ATSFBuildThread, ATSFBuildMessage, ATSFBuildConfig,
		ATSFFork, ATSFAsset, ATSFAssetName, ATSFTakeInline, ATSFNewID, ATSFValidID,
		AGNMessage, AGNPayload, AGNCheck, AGNState, AGNAlarms, AGNID, AGNValidTaskID,
		AGNBuildDispatch, AGNBuildResult, AGNBuildRequest, AGNBuildVerdict, AGNBuildEscalation,
		AGNAck, AGNResume, AGNRecord, AGNRejection,
		AGNBuildAck, AGNBuildResume, AGNBuildRecord, AGNBuildRejection,
		AMPMessage, AMPPayloadBytes, AMPPayloadHash, AMPSigned, AMPVerify, AMPJudge, AMPThreads, AMPFlags,
		AMPUnwrap, AMPCompose, AMPFinish, AMPReply, AMPReceive, AMPSetStatus, AMPNewID, AMPNewAttachmentID,
		AMPNewIdempotencyKey, AMPFilename, AMPDigest, AMPCheckAttachment, AMPKey, AMPID, AMPAttachmentID, AMPAddress,
		MailDetect, MailLinks, RenderLine, RenderText, RenderMarkdown, RenderHTML, RenderEscape, RenderCode, RenderBlock,
	}
}
