package abi

// The general ops, 1 to 99.
const (
	Info Op = 1
)

// The SAMP ops, 100 to 199. ATSF has 200 to 299; AMP/1.0 tasks will have 300 to
// 399, amp/0.1 400 to 499, and links and rendering 500 to 599.
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
	return ""
}

// Numbers lists the ops that this version of the ABI has.
func Numbers() []Op {
	return []Op{
		Info,
		SAMPParse, SAMPInspect, SAMPID, SAMPCanonical, SAMPThread, SAMPInbox,
		SAMPReply, SAMPBuild, SAMPCompact, SAMPWatermark, SAMPAlias, SAMPValidate,
		ATSFThread, ATSFMessage, ATSFLog, ATSFConfig, ATSFCount, ATSFCompare,
		ATSFCheck, ATSFRepair, ATSFEdit, ATSFBuildThread, ATSFBuildMessage, ATSFBuildConfig,
		ATSFFork, ATSFAsset, ATSFAssetName, ATSFTakeInline, ATSFNewID, ATSFValidID,
	}
}
