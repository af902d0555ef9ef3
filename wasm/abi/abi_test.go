package abi_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

func TestTable(t *testing.T) {
	names := make(map[string]bool)
	for _, op := range abi.Numbers() {
		if names[op.String()] || strings.HasPrefix(op.String(), "op ") {
			t.Errorf("op %d is called %q", uint32(op), op)
		}
		names[op.String()] = true
	}
	if !slices.IsSorted(abi.Numbers()) || !names["info"] {
		t.Errorf("the table is not in order: %v", abi.Numbers())
	}
	if got := abi.Op(7).String(); got != "op 7" {
		t.Errorf("an op that is not there is called %q", got)
	}
}

// TestNumbers holds the numbers of ABI 1.0 to 1.4, which never change.
func TestNumbers(t *testing.T) {
	for first, names := range map[abi.Op]string{
		1:   "info",
		100: "samp.parse samp.inspect samp.id samp.canonical samp.thread samp.inbox samp.reply samp.build samp.compact samp.watermark samp.alias samp.validate samp.threads",
		200: "atsf.thread atsf.message atsf.log atsf.config atsf.count atsf.compare atsf.check atsf.repair atsf.edit atsf.buildThread atsf.buildMessage atsf.buildConfig atsf.fork atsf.asset atsf.assetName atsf.takeInline atsf.newId atsf.validId",
		300: "agn.message agn.payload agn.check agn.state agn.alarms agn.id agn.validTaskId agn.buildDispatch agn.buildResult agn.buildRequest agn.buildVerdict agn.buildEscalation agn.ack agn.resume agn.record agn.rejection agn.buildAck agn.buildResume agn.buildRecord agn.buildRejection",
		400: "amp.message amp.payloadBytes amp.payloadHash amp.signed amp.verify amp.judge amp.threads amp.flags amp.unwrap amp.compose amp.finish amp.reply amp.receive amp.setStatus amp.newId amp.newAttachmentId amp.newIdempotencyKey amp.filename amp.digest amp.checkAttachment amp.key amp.id amp.attachmentId amp.address",
		500: "mail.detect mail.links",
		550: "render.line render.text render.markdown render.html render.escape render.code render.block",
	} {
		for i, name := range strings.Fields(names) {
			if op := first + abi.Op(i); op.String() != name {
				t.Errorf("op %d is %s, and was published as %s", uint32(op), op, name)
			}
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
