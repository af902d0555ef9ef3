package isotime_test

import (
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/isotime"
)

// TestParse checks the reader. TestFormat compares the years with package time.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		text   string
		millis int64
		ok     bool
		zone   isotime.Zone
	}{
		{"2025-02-14T10:30:00.000Z", 1739529000000, true, isotime.UTC},
		{"2025-02-14T10:30:00Z", 1739529000000, true, isotime.UTC},
		{"2025-02-14t10:30:00z", 1739529000000, true, isotime.UTC},
		{"2025-02-14 10:30:00Z", 1739529000000, true, isotime.UTC},
		{"2025-02-14T10:30:00.1239999Z", 1739529000123, true, isotime.UTC},
		{"2025-02-14T10:30:00,5Z", 1739529000500, true, isotime.UTC},
		{"2025-02-14T12:30:00+02:00", 1739529000000, true, isotime.Shifted},
		{"2025-02-14T12:30:00+0200", 1739529000000, true, isotime.Shifted},
		{"2025-02-14T12:30:00+02", 1739529000000, true, isotime.Shifted},
		{"2025-02-14T05:00:00-05:30", 1739529000000, true, isotime.Shifted},
		{"2025-02-14T10:30:00+00:00", 1739529000000, true, isotime.UTC},
		{"2025-02-14T10:30:00", 1739529000000, true, isotime.NoZone},
		{"1969-12-31T23:59:59.999Z", -1, true, isotime.UTC},
		{"0000-01-01T00:00:00Z", -62167219200000, true, isotime.UTC},
		{"9999-12-31T23:59:59.999Z", 253402300799999, true, isotime.UTC},
		{"2024-02-29T00:00:00Z", 1709164800000, true, isotime.UTC},
		{"2016-12-31T23:59:60Z", 1483228800000, true, isotime.UTC},
		{"2025-02-29T00:00:00Z", 0, false, isotime.NoZone},
		{"1900-02-29T00:00:00Z", 0, false, isotime.NoZone},
		{"2025-00-14T10:30:00Z", 0, false, isotime.NoZone},
		{"2025-13-14T10:30:00Z", 0, false, isotime.NoZone},
		{"2025-04-31T10:30:00Z", 0, false, isotime.NoZone},
		{"2025-02-00T10:30:00Z", 0, false, isotime.NoZone},
		{"2025-02-14T24:00:00Z", 0, false, isotime.NoZone},
		{"2025-02-14T10:60:00Z", 0, false, isotime.NoZone},
		{"2025-02-14T10:30:61Z", 0, false, isotime.NoZone},
		{"2025-02-14T10:30:00.Z", 0, false, isotime.NoZone},
		{"2025-02-14T10:30:00Zx", 0, false, isotime.NoZone},
		{"2025-02-14T10:30:00+24:00", 0, false, isotime.NoZone},
		{"2025-02-14T10:30:00+1:00", 0, false, isotime.NoZone},
		{"2025-02-14T10:30:00+00:60", 0, false, isotime.NoZone},
		{"2025-02-14T10:30", 0, false, isotime.NoZone},
		{"2025-02-14", 0, false, isotime.NoZone},
		{"20250214T103000Z", 0, false, isotime.NoZone},
		{"2025-02-14T1a:30:00Z", 0, false, isotime.NoZone},
		{"+02025-02-14T10:30:00Z", 0, false, isotime.NoZone},
		{"1739529000000", 0, false, isotime.NoZone},
		{"", 0, false, isotime.NoZone},
	} {
		t.Run(c.text, func(t *testing.T) {
			millis, zone, ok := isotime.Parse(c.text)
			if millis != c.millis || zone != c.zone || ok != c.ok {
				t.Errorf("%d, %d, %t, want %d, %d, %t", millis, zone, ok, c.millis, c.zone, c.ok)
			}
		})
	}
}

// TestFormat goes through every month of 10,000 years, there and back,
// beside package time.
func TestFormat(t *testing.T) {
	for at := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() < 10000; at = at.AddDate(0, 0, 28).Add(12_345_678 * time.Millisecond) {
		text := at.Format("2006-01-02T15:04:05.000Z")
		if got := isotime.Format(at.UnixMilli()); got != text {
			t.Fatalf("%s, want %s", got, text)
		}
		if got, _, ok := isotime.Parse(text); !ok || got != at.UnixMilli() {
			t.Fatalf("%s reads as %d", text, got)
		}
	}
	if a, b := isotime.Format(-1<<63), isotime.Format(1<<63-1); a != "0000-01-01T00:00:00.000Z" || b != "9999-12-31T23:59:59.999Z" {
		t.Errorf("the ends are %s and %s", a, b)
	}
}

// FuzzParse checks that a time is the same moment for package time if it reads it, that it
// is written as a text that is read as the same time, and that no text causes a panic.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"2025-02-14T10:30:00.000Z", "2025-02-14 10:30:00", "2016-12-31T23:59:60Z", "2025-02-14T12:30:00+0200", "2025-02-14T10:30:00,5Z",
		"0000-01-01T00:00:00-23:59", "9999-12-31T23:59:59.999+23:59", "2025-02-30T00:00:00Z", "", "\xff", "2025-02-14T10:30:00.Z",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		millis, zone, ok := isotime.Parse(s)
		if !ok && (millis != 0 || zone != isotime.NoZone) {
			t.Fatalf("%q is no time, and is %d", s, millis)
		}
		if want, err := time.Parse(time.RFC3339Nano, s); err == nil && ok && want.UnixMilli() != millis {
			t.Fatalf("%q is %d, want %d", s, millis, want.UnixMilli())
		}
		if !ok || millis < isotime.Min || millis > isotime.Max {
			return
		}
		text := isotime.Format(millis)
		if again, _, ok := isotime.Parse(text); !ok || again != millis {
			t.Fatalf("%q is %d, written as %q, which is %d", s, millis, text, again)
		}
	})
}
