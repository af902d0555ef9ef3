package atsf_test

import (
	"testing"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// TestTime reads the text and zone of a thread's times; core/isotime tests how they are parsed.
func TestTime(t *testing.T) {
	for _, c := range []struct {
		text   string
		millis int64
		ok, z  bool
	}{
		{"2025-02-14T10:30:00.000Z", 1739529000000, true, true},
		{"2025-02-14 10:30:00Z", 1739529000000, true, true},
		{"2025-02-14T12:30:00+02:00", 1739529000000, true, false},
		{"2025-02-14T10:30:00+00:00", 1739529000000, true, true},
		{"2025-02-14T10:30:00", 1739529000000, true, false},
		{"2025-02-29T00:00:00Z", 0, false, false},
		{"2025-02-14", 0, false, false},
		{"", 0, false, false},
	} {
		t.Run("X1/"+c.text, func(t *testing.T) {
			got := atsf.ParseTime(c.text)
			if want := (atsf.Time{Text: c.text, Millis: c.millis, OK: c.ok, UTC: c.z}); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
			if c.ok && atsf.FormatTime(got.Millis) != "2025-02-14T10:30:00.000Z" {
				t.Errorf("X1: written as %s", atsf.FormatTime(got.Millis))
			}
		})
	}
}
