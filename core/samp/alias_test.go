package samp_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// TestAlias holds §1's expression and what writing refuses beyond it.
func TestAlias(t *testing.T) {
	const form, dot, device = "is not allowed", "ends in a dot", "is a device name"
	for _, c := range []struct {
		alias   string
		valid   bool
		refused string
	}{
		{"a", true, ""},
		{"0", true, ""},
		{"Alice-2_x.dev", true, ""},
		{"a--", true, ""},
		{strings.Repeat("a", 64), true, ""},
		{"console", true, ""},
		{"con-1", true, ""},
		{"COM10", true, ""},
		{"comx", true, ""},
		{"x.con", true, ""},
		{"", false, form},
		{strings.Repeat("a", 65), false, form},
		{".a", false, form},
		{"_a", false, form},
		{"-a", false, form},
		{"a b", false, form},
		{"a/b", false, form},
		{`a\b`, false, form},
		{"..", false, form},
		{"a\n", false, form},
		{"\na", false, form},
		{"a\x00", false, form},
		{"é", false, form},
		{"aé", false, form},
		{"a\xff", false, form},
		{"\u0430", false, form},
		{"a:b", false, form},
		{"a~1", false, form},
		{"a.", true, dot},
		{"a..", true, dot},
		{"CON", true, device},
		{"nul", true, device},
		{"Aux.dev", true, device},
		{"prn.a.b", true, device},
		{"com1", true, device},
		{"COM0", true, device},
		{"LPT9.x", true, device},
	} {
		t.Run("L2/"+c.alias, func(t *testing.T) {
			if got := samp.ValidAlias(c.alias); got != c.valid {
				t.Errorf("ValidAlias(%q) is %v", c.alias, got)
			}
			err := samp.CheckAlias(c.alias)
			if c.refused == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if f := fault(t, err); f.Rule != "L2" || !strings.Contains(f.Reason, c.refused) || strings.ContainsAny(f.Reason, "\n\x00") || !utf8.ValidString(f.Reason) {
				t.Errorf("%+v, want %q", f, c.refused)
			}
		})
	}
}

// TestLogNames holds §1's names, there and back.
func TestLogNames(t *testing.T) {
	if got := samp.LogName("a.b") + " " + samp.WatermarkName("a.b") + " " + samp.MtimeName("a.b"); got != "log-a.b.jsonl .seen-a.b .mtime-a.b" {
		t.Errorf("L1: %s", got)
	}
	for _, c := range []struct {
		name, stem string
		ok         bool
	}{
		{"log-alice.jsonl", "alice", true},
		{"log-a.jsonl.jsonl", "a.jsonl", true},
		{"log-log-a.jsonl", "log-a", true},
		{"log-bob (conflicted copy).jsonl", "bob (conflicted copy)", true},
		{"log-.jsonl", "", false},
		{"log-a.json", "", false},
		{"log-a.jsonl~", "", false},
		{"log-a.jsonl.tmp", "", false},
		{".log-a.jsonl", "", false},
		{"LOG-a.jsonl", "", false},
		{"log-a.JSONL", "", false},
		{"loga.jsonl", "", false},
		{"log-.jsonl"[:6], "", false},
		{"", "", false},
		{".seen-a", "", false},
	} {
		t.Run("L1/"+c.name, func(t *testing.T) {
			if stem, ok := samp.LogStem(c.name); stem != c.stem || ok != c.ok {
				t.Errorf("%q, %v", stem, ok)
			}
		})
	}
}

// TestShowAlias holds that nothing which is no alias can look like one (rule L2).
func TestShowAlias(t *testing.T) {
	for in, want := range map[string]string{
		"alice": "alice", "A.b-c_9": "A.b-c_9", "": `""`, "аlice": `"\u0430lice"`, "a b": `"a b"`,
		"a\u200b": `"a\u200b"`, "\xff": `"\xff"`,
	} {
		if got := samp.ShowAlias(in); got != want {
			t.Errorf("ShowAlias(%+q) = %s, want %s", in, got, want)
		}
	}
}

// TestProvenance holds the reading of records that stand in another's log.
func TestProvenance(t *testing.T) {
	for _, c := range []struct {
		stem, from string
		want       samp.Provenance
	}{
		{"bob", "bob", samp.Own},
		{"", "", samp.Foreign},
		{"аlice", "аlice", samp.Foreign}, // the first letter is Cyrillic
		{"a b", "a b", samp.Foreign},
		{"bob.sync-conflict-20260425-101010-ABCDEFG", "bob", samp.Copied},
		{"bob-replica", "bob", samp.Copied},
		{"bob (conflicted copy)", "bob", samp.Copied},
		{"bob_2", "bob", samp.Copied},
		{"mallory", "bob", samp.Foreign},
		{"bobby", "bob", samp.Foreign},
		{"bob2", "bob", samp.Foreign},
		{"bo", "bob", samp.Foreign},
		{"Bob", "bob", samp.Foreign},
		{"x-bob", "bob", samp.Foreign},
		{"bob-x", "bob-", samp.Foreign},
		{"-x", "", samp.Foreign},
		{".x", ".", samp.Foreign},
		{"b c", "b ", samp.Foreign},
	} {
		t.Run("S1/"+c.stem+" holds "+c.from, func(t *testing.T) {
			if got := samp.ProvenanceOf(c.stem, c.from); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
			if f := (samp.Found{Stem: c.stem, Record: samp.Record{From: c.from}}); f.Provenance() != c.want {
				t.Errorf("Found says %v", f.Provenance())
			}
		})
	}
}
