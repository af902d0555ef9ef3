package canon_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// TestLatin checks that no characters below U+0300 combine, since NFC does not look
// them up.
func TestLatin(t *testing.T) {
	var all strings.Builder
	for a := range rune(0x300) {
		for b := range rune(0x300) {
			all.WriteRune(a)
			all.WriteRune(b)
		}
	}
	if s := all.String(); !norm.NFC.IsNormalString(s) || canon.NFC(s) != s {
		t.Error("not in normal form")
	}
	if got := canon.NFC("\u02ffe\u0300"); got != "\u02ff\u00e8" {
		t.Errorf("%+q", got)
	}
}

// TestNFC compares the normal form of rule I1 with CPython's, which does not break up
// long runs of marks. The vectors contain all decompositions and compositions.
func TestNFC(t *testing.T) {
	for _, name := range []string{"nfc.json", "compositions.json"} {
		t.Run("I1/"+name, func(t *testing.T) {
			data, err := os.ReadFile("../../testdata/canon/" + name)
			if err != nil {
				t.Fatal(err)
			}
			var file struct {
				Vectors []struct{ In, NFC string }
			}
			if err := json.Unmarshal(data, &file); err != nil {
				t.Fatal(err)
			}
			if len(file.Vectors) < 1000 {
				t.Fatalf("only %d vectors", len(file.Vectors))
			}
			for _, v := range file.Vectors {
				if got := canon.NFC(v.In); got != v.NFC {
					t.Errorf("NFC(%+q) = %+q, want %+q", v.In, got, v.NFC)
				}
			}
		})
	}
}
