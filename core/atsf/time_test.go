package atsf_test

import (
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// TestTime holds the reader of timestamps; the years are compared with package
// time's below.
func TestTime(t *testing.T) {
	for _, c := range []struct {
		text   string
		millis int64
		ok, z  bool
	}{
		{"2025-02-14T10:30:00.000Z", 1739529000000, true, true},
		{"2025-02-14T10:30:00Z", 1739529000000, true, true},
		{"2025-02-14t10:30:00z", 1739529000000, true, true},
		{"2025-02-14 10:30:00Z", 1739529000000, true, true},
		{"2025-02-14T10:30:00.1239999Z", 1739529000123, true, true},
		{"2025-02-14T10:30:00,5Z", 1739529000500, true, true},
		{"2025-02-14T12:30:00+02:00", 1739529000000, true, false},
		{"2025-02-14T12:30:00+0200", 1739529000000, true, false},
		{"2025-02-14T12:30:00+02", 1739529000000, true, false},
		{"2025-02-14T05:00:00-05:30", 1739529000000, true, false},
		{"2025-02-14T10:30:00+00:00", 1739529000000, true, true},
		{"2025-02-14T10:30:00", 1739529000000, true, false},
		{"1969-12-31T23:59:59.999Z", -1, true, true},
		{"0000-01-01T00:00:00Z", -62167219200000, true, true},
		{"9999-12-31T23:59:59.999Z", 253402300799999, true, true},
		{"2024-02-29T00:00:00Z", 1709164800000, true, true},
		{"2016-12-31T23:59:60Z", 1483228800000, true, true},
		{"2025-02-29T00:00:00Z", 0, false, false},
		{"1900-02-29T00:00:00Z", 0, false, false},
		{"2025-00-14T10:30:00Z", 0, false, false},
		{"2025-13-14T10:30:00Z", 0, false, false},
		{"2025-04-31T10:30:00Z", 0, false, false},
		{"2025-02-00T10:30:00Z", 0, false, false},
		{"2025-02-14T24:00:00Z", 0, false, false},
		{"2025-02-14T10:60:00Z", 0, false, false},
		{"2025-02-14T10:30:61Z", 0, false, false},
		{"2025-02-14T10:30:00.Z", 0, false, false},
		{"2025-02-14T10:30:00Zx", 0, false, false},
		{"2025-02-14T10:30:00+24:00", 0, false, false},
		{"2025-02-14T10:30:00+1:00", 0, false, false},
		{"2025-02-14T10:30:00+00:60", 0, false, false},
		{"2025-02-14T10:30", 0, false, false},
		{"2025-02-14", 0, false, false},
		{"20250214T103000Z", 0, false, false},
		{"2025-02-14T1a:30:00Z", 0, false, false},
		{"+02025-02-14T10:30:00Z", 0, false, false},
		{"1739529000000", 0, false, false},
		{"", 0, false, false},
	} {
		t.Run("X1/"+c.text, func(t *testing.T) {
			got := atsf.ParseTime(c.text)
			if want := (atsf.Time{Text: c.text, Millis: c.millis, OK: c.ok, UTC: c.z}); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
}

// TestFormatTime goes through every month of 10,000 years, there and back,
// beside package time.
func TestFormatTime(t *testing.T) {
	for at := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() < 10000; at = at.AddDate(0, 0, 28).Add(12_345_678 * time.Millisecond) {
		text := at.Format("2006-01-02T15:04:05.000Z")
		if got := atsf.FormatTime(at.UnixMilli()); got != text {
			t.Fatalf("X1: %s, want %s", got, text)
		}
		if got := atsf.ParseTime(text); !got.OK || got.Millis != at.UnixMilli() {
			t.Fatalf("X1: %s reads as %+v", text, got)
		}
	}
	if a, b := atsf.FormatTime(-1<<63), atsf.FormatTime(1<<63-1); a != "0000-01-01T00:00:00.000Z" || b != "9999-12-31T23:59:59.999Z" {
		t.Errorf("X1: the ends are %s and %s", a, b)
	}
}
