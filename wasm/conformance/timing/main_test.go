package main

import (
	"encoding/binary"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

func call(op abi.Op, params, input string) string {
	var head []byte
	for _, n := range []int{int(op), len(params), len(input), 0, 0} {
		head = binary.LittleEndian.AppendUint32(head, uint32(n))
	}
	return string(head) + params + input
}

func TestTiming(t *testing.T) {
	var out strings.Builder
	if err := run(strings.NewReader(call(abi.SAMPAlias, "{}", "alice")+call(abi.Info, "", "")), &out, time.Millisecond); err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(out.String())
	for _, line := range lines {
		if nanos, err := strconv.ParseFloat(line, 64); err != nil || nanos <= 0 {
			t.Errorf("%q, %v", line, err)
		}
	}
	if len(lines) != 2 {
		t.Errorf("%q", lines)
	}
}

func TestRefused(t *testing.T) {
	for name, in := range map[string]string{
		"an error":     call(abi.SAMPParse, "", "{"),
		"half a head":  call(abi.Info, "", "")[:7],
		"half a call":  call(abi.SAMPAlias, "{}", "alice")[:24],
		"an op beyond": call(7, "", ""),
	} {
		var out strings.Builder
		if err := run(strings.NewReader(in), &out, time.Millisecond); err == nil || out.Len() > 0 {
			t.Errorf("%s: %v, %q", name, err, out.String())
		}
	}
}
