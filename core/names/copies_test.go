package names_test

import (
	"testing"

	"github.com/signalbox-dev/signalbox/core/names"
)

// TestOriginalOf recognises the names of copies.
func TestOriginalOf(t *testing.T) {
	for name, want := range map[string]string{
		"log-alice.sync-conflict-20260101-120000-ABCDEFG.jsonl":                                   "log-alice.jsonl",
		"log-a.b.sync-conflict-20260101-120000.jsonl":                                             "log-a.b.jsonl",
		"log-a.sync-conflict-20260101-120000-ABCDEFG.sync-conflict-20260102-120000-HIJKLMN.jsonl": "log-a.jsonl",
		"noext.sync-conflict-20260101-120000-ABCDEFG":                                             "noext",
		".seen-bob.sync-conflict-20260101-120000-ABCDEFG":                                         ".seen-bob",
		"msg_1_a.sync-conflict-20260101-120000-ABCDEFG.json":                                      "msg_1_a.json",
		"messages (bob's conflicted copy 2026-01-01).jsonl":                                       "messages.jsonl",
		"messages (conflicted copy 2026-01-01 120000).jsonl":                                      "messages.jsonl",
		"messages (Case Conflict).jsonl":                                                          "messages.jsonl",
		"messages_conflict-20260101-120000.jsonl":                                                 "messages.jsonl",
		"messages.jsonl":           "",
		"messages (1).jsonl":       "",
		"conflict.json":            "",
		".sync-conflict-x.jsonl":   "",
		"log-sync-conflict.jsonl":  "",
		" (conflicted copy).jsonl": "",
	} {
		got, ok := names.OriginalOf(name)
		if got != want || ok != (want != "") {
			t.Errorf("%q: %q, %t; want %q", name, got, ok, want)
		}
	}
}
