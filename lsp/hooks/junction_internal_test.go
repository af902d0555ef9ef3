package hooks

import (
	"encoding/hex"
	"strings"
	"testing"
)

// TestMountPoint holds the bytes that make a directory a junction (ATSF H2)
// against ones written out by hand from the definition of REPARSE_DATA_BUFFER.
func TestMountPoint(t *testing.T) {
	want := strings.Join([]string{
		"030000a0", "2400", "0000", // the tag of a mount point, the length of the rest
		"0000", "1000", "1200", "0800", // where the two paths begin, and their lengths
		"5c003f003f005c0043003a005c00e9000000", // \??\C:\é
		"43003a005c00e9000000",                 // C:\é
	}, "")
	got, err := mountPoint(`C:\é`)
	if err != nil || hex.EncodeToString(got) != want {
		t.Errorf("%x, error %v, want %s", got, err, want)
	}
	for _, path := range []string{"", `C:`, `\\server\share`, `relative\path`, `C:\` + strings.Repeat("x", 5000)} {
		if _, err := mountPoint(path); err == nil {
			t.Errorf("%.20q: no error", path)
		}
	}
}
