package samp_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// TestOutboxGrowsLong: a message whose token was written is sent once, even if another process
// begins a new journal while the token is being written.
func TestOutboxGrowsLong(t *testing.T) {
	dir := t.TempDir()
	m := &meanwhile{dir: filepath.Join(dir, "state")}
	mine, other := &post{disk: disk.Disk{Layer: m}, dir: dir}, &post{dir: dir}
	if err := errors.Join(mine.open(), other.open()); err != nil {
		t.Fatal(err)
	}
	defer mine.close()
	defer other.close()
	send := func(p *post, token string) {
		t.Helper()
		if err := p.send("alice", "message "+token, token, postTime); err != nil {
			t.Fatal(err)
		}
	}
	send(mine, "first")
	journals, err := filepath.Glob(filepath.Join(dir, "state", "outbox", "*"))
	if err != nil || len(journals) != 1 {
		t.Fatal(journals, err)
	}
	grow := func() {
		f, err := os.OpenFile(journals[0], os.O_WRONLY|os.O_APPEND, 0)
		if err == nil {
			_, err = f.WriteString(strings.Repeat(strings.Repeat("x", 1<<10)+"\n", 2<<10))
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	m.behind = map[disk.Op]func(){disk.OpOpen: func() {
		grow()
		send(other, "other")
	}}
	send(mine, "mine")
	for range 2 {
		for _, token := range []string{"first", "mine", "other"} {
			send(mine, token)
		}
	}
	mail, err := mine.d.Inbox(t.Context(), "bob", samp.V1)
	if err != nil || len(mail.Messages) != 3 {
		t.Errorf("%d messages, %v", len(mail.Messages), err)
	}
	data, err := os.ReadFile(filepath.Join(mine.d.Path(), "log-alice.jsonl"))
	if n := strings.Count(string(data), "\n"); err != nil || n != 3 {
		t.Errorf("the log has %d records, %v", n, err)
	}
	// Tokens in the journal before the previous one are forgotten.
	grow()
	send(mine, "last")
	left, err := filepath.Glob(filepath.Join(dir, "state", "outbox", "*"))
	if err != nil || len(left) != 2 {
		t.Errorf("there are %q, %v", left, err)
	}
}
