package abi

// The general ops, 1 to 99.
const (
	Info Op = 1
)

// The SAMP ops, 100 to 199. amp/0.1 will have 200 to 299, AMP/1.0 tasks 300 to
// 399, ATSF 400 to 499, and links and rendering 500 to 599.
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
	return ""
}

// Numbers lists the ops that this version of the ABI has.
func Numbers() []Op {
	return []Op{
		Info,
		SAMPParse, SAMPInspect, SAMPID, SAMPCanonical, SAMPThread, SAMPInbox,
		SAMPReply, SAMPBuild, SAMPCompact, SAMPWatermark, SAMPAlias, SAMPValidate,
	}
}
