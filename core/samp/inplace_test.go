package samp_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// TestLongBodyID compares the id of a body that is hashed in pieces with the
// hash of its canonical text in one.
func TestLongBodyID(t *testing.T) {
	for name, unit := range map[string]string{
		"ascii":            "0123456789abcdef",
		"quotes":           "\"\\\n",
		"decomposed":       "e\u0301",
		"many marks":       "a\u0323\u0307\u0301",
		"hangul jamo":      "\u1112\u1161\u11ab",
		"four-byte":        "\U0001f600",
		"three-byte":       "x\u65e5\u672c",
		"marks all along":  "\u0301",
		"crossing a piece": strings.Repeat("x", 32767) + "e\u0301",
	} {
		t.Run("I1/"+name, func(t *testing.T) {
			r := samp.Record{TS: 1, From: "a", To: "b", Thread: "t", Body: strings.Repeat(unit, 1+200_000/len(unit))}
			for _, p := range []samp.Profile{samp.V1, samp.V1Compact} {
				want := `{"body": ` + string(canon.AppendString(nil, r.Body)) + `, "from": "a", "thread": "t", "to": "b", "ts": 1}`
				if p == samp.V1Compact {
					want = `{"body":` + string(canon.AppendString(nil, canon.NFC(r.Body))) + `,"from":"a","thread":"t","to":"b","ts":1}`
				}
				sum := sha256.Sum256([]byte(want))
				if got, want := samp.ID(&r, p), hex.EncodeToString(sum[:8]); got != want {
					t.Errorf("%v: %s, want %s", p, got, want)
				}
			}
		})
	}
}

// TestParseInPlace holds the reader that overwrites its input against the one
// that copies it.
func TestParseInPlace(t *testing.T) {
	for _, line := range []string{
		`{"id": "x", "ts": 1, "from": "a", "to": "b", "thread": "t", "body": "plain"}`,
		`{"body": "a\u00e9\n\"\\ \ud83d\ude00 \ud800 end", "t\u006f": "b\/c", "ts": 1, "from": "\u0061", "thread": "\t", "x\"y": [1]}`,
		`{"body": "", "to": "", "ts": -0, "from": "", "thread": ""}`,
	} {
		copied, err := samp.Parse([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		own := []byte(line)
		inPlace, err := samp.ParseInPlace(own)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(copied, inPlace); diff != "" {
			t.Error(diff)
		}
	}
}
