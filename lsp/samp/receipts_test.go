package samp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// TestReceipts (N2 N6): another reader's watermark shows whether a message was read. A watermark
// that cannot be believed is ignored.
func TestReceipts(t *testing.T) {
	now, written := time.Unix(2000, 0), time.Unix(1500, 0)
	message := samp.Found{Record: samp.Record{TS: 1000, From: "me", To: "bob"}, Key: "0123456789abcdef"}
	for _, c := range []struct {
		name, mark string
		read       bool
		at         int64
	}{
		{"later mail was read", `{"ts": 1001, "ids": []}`, true, 0},
		{"it was the last", `{"ts": 1000, "ids": ["0123456789abcdef"]}`, true, 1500},
		{"another of that second", `{"ts": 1000, "ids": ["fedcba9876543210"]}`, false, 0},
		{"older mail was read", `{"ts": 999, "ids": ["0123456789abcdef"]}`, false, 0},
		{"read beyond older mail", `{"ts": 999, "ids": ["me:0123456789abcdef"]}`, true, 0},
		{"another's id", `{"ts": 999, "ids": ["carol:0123456789abcdef"]}`, false, 0},
		{"ahead of the clock", `{"ts": 2001, "ids": []}`, false, 0},
		{"no JSON", `{"ts": 1001`, false, 0},
		{"of another form", `{"ts": "1001"}`, false, 0},
		{"too large", `{"ts": 1001, "ids": []}` + strings.Repeat(" ", 2<<20), false, 0},
		{"none", "", false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := t.TempDir()
			if c.mark != "" {
				file := filepath.Join(path, ".seen-bob")
				if err := os.WriteFile(file, []byte(c.mark), 0o600); err != nil {
					t.Fatal(err)
				}
				if err := os.Chtimes(file, written, written); err != nil {
					t.Fatal(err)
				}
			}
			d, err := sampstore.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			when, read := d.Receipts("bob", now).Read(&message)
			if read != c.read || !when.IsZero() != (c.at != 0) || c.at != 0 && when.Unix() != c.at {
				t.Errorf("read %v, at %v", read, when)
			}
		})
	}
}

// TestReceiptsOfNobody reads no file for an invalid alias.
func TestReceiptsOfNobody(t *testing.T) {
	path := t.TempDir()
	for name, text := range map[string]string{"mark": `{"ts": 1001}`, ".seen-bob": `{"ts": 1001}`} {
		if err := os.WriteFile(filepath.Join(path, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d, err := sampstore.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if d.Receipts("bob", time.Unix(2000, 0)) == nil {
		t.Error("bob's mark is not read")
	}
	for _, alias := range []string{"", "../mark", "bob/"} {
		if d.Receipts(alias, time.Unix(2000, 0)) != nil {
			t.Errorf("%q has read something", alias)
		}
	}
}
