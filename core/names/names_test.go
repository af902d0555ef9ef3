package names_test

import (
	"testing"

	"github.com/signalbox-dev/signalbox/core/names"
)

func TestDevice(t *testing.T) {
	for name, want := range map[string]bool{
		"con": true, "NUL.tar.gz": true, "aux .txt": true, "COM0": true, "lpt9.x": true,
		"": false, "con1": false, "COMX": false, "COM10": false, "x.con": false,
	} {
		if got := names.Device(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

func TestUUID(t *testing.T) {
	if got := names.UUID([16]byte{0: 0x12, 6: 0xff, 8: 0xff, 15: 0xab}); got != "12000000-0000-4f00-bf00-0000000000ab" {
		t.Error(got)
	}
}
