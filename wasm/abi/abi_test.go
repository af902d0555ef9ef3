package abi_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

func TestTable(t *testing.T) {
	names := make(map[string]bool)
	var numbers []abi.Op
	for _, s := range abi.Ops() {
		numbers = append(numbers, s.Op)
		if names[s.Name] || s.Op.String() != s.Name {
			t.Errorf("op %d is called %q and %q", uint32(s.Op), s.Name, s.Op)
		}
		names[s.Name] = true
		if s.Result == "" || s.About == "" {
			t.Errorf("%v is not documented", s.Op)
		}
	}
	if diff := cmp.Diff(abi.Numbers(), numbers); diff != "" {
		t.Error(diff)
	}
	if !slices.IsSorted(numbers) {
		t.Errorf("the table is not in order: %v", numbers)
	}
	if got := abi.Op(7).String(); got != "op 7" {
		t.Errorf("an op that is not there is called %q", got)
	}
}

// TestNumbers holds the numbers of ABI 1.0 to 1.4, which never change.
func TestNumbers(t *testing.T) {
	for op, want := range map[abi.Op]uint32{
		abi.Info: 1, abi.SAMPParse: 100, abi.SAMPInspect: 101, abi.SAMPID: 102, abi.SAMPCanonical: 103,
		abi.SAMPThread: 104, abi.SAMPInbox: 105, abi.SAMPReply: 106, abi.SAMPBuild: 107, abi.SAMPCompact: 108,
		abi.SAMPWatermark: 109, abi.SAMPAlias: 110, abi.SAMPValidate: 111, abi.SAMPThreads: 112,
		abi.ATSFThread: 200, abi.ATSFMessage: 201, abi.ATSFLog: 202, abi.ATSFConfig: 203, abi.ATSFCount: 204,
		abi.ATSFCompare: 205, abi.ATSFCheck: 206, abi.ATSFRepair: 207, abi.ATSFEdit: 208, abi.ATSFBuildThread: 209,
		abi.ATSFBuildMessage: 210, abi.ATSFBuildConfig: 211, abi.ATSFFork: 212, abi.ATSFAsset: 213, abi.ATSFAssetName: 214,
		abi.ATSFTakeInline: 215, abi.ATSFNewID: 216, abi.ATSFValidID: 217,
		abi.AGNMessage: 300, abi.AGNPayload: 301, abi.AGNCheck: 302, abi.AGNState: 303, abi.AGNAlarms: 304,
		abi.AGNID: 305, abi.AGNValidTaskID: 306, abi.AGNBuildDispatch: 307, abi.AGNBuildResult: 308, abi.AGNBuildRequest: 309,
		abi.AGNBuildVerdict: 310, abi.AGNBuildEscalation: 311, abi.AGNAck: 312, abi.AGNResume: 313, abi.AGNRecord: 314,
		abi.AGNRejection: 315, abi.AGNBuildAck: 316, abi.AGNBuildResume: 317, abi.AGNBuildRecord: 318, abi.AGNBuildRejection: 319,
		abi.AMPMessage: 400, abi.AMPPayloadBytes: 401, abi.AMPPayloadHash: 402, abi.AMPSigned: 403, abi.AMPVerify: 404,
		abi.AMPJudge: 405, abi.AMPThreads: 406, abi.AMPFlags: 407, abi.AMPUnwrap: 408, abi.AMPCompose: 409,
		abi.AMPFinish: 410, abi.AMPReply: 411, abi.AMPReceive: 412, abi.AMPSetStatus: 413, abi.AMPNewID: 414,
		abi.AMPNewAttachmentID: 415, abi.AMPNewIdempotencyKey: 416, abi.AMPFilename: 417, abi.AMPDigest: 418, abi.AMPCheckAttachment: 419,
		abi.AMPKey: 420, abi.AMPID: 421, abi.AMPAttachmentID: 422, abi.AMPAddress: 423,
		abi.MailDetect: 500, abi.MailLinks: 501, abi.RenderLine: 550, abi.RenderText: 551, abi.RenderMarkdown: 552,
		abi.RenderHTML: 553, abi.RenderEscape: 554, abi.RenderCode: 555, abi.RenderBlock: 556,
	} {
		if uint32(op) != want {
			t.Errorf("%v is %d, and was published as %d", op, uint32(op), want)
		}
	}
}

func TestPack(t *testing.T) {
	for _, c := range []struct {
		ptr, length uint32
		failed      bool
	}{{0, 0, false}, {8, 5, true}, {abi.MaxMemory, 1<<32 - 1, false}, {abi.MaxMemory, 1<<32 - 1, true}} {
		ptr, length, failed := abi.Unpack(abi.Pack(c.ptr, c.length, c.failed))
		if ptr != c.ptr || length != c.length || failed != c.failed {
			t.Errorf("%+v comes back as %d, %d, %v", c, ptr, length, failed)
		}
	}
}
