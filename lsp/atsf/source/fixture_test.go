package source

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

func talkID(i int) string { return fmt.Sprintf("%08x-0000-4000-8000-000000000000", i) }

// writeTalks writes threads of some messages each. All messages are one minute apart.
func writeTalks(t *testing.T, folder string, count, each int) {
	t.Helper()
	start := time.Date(2026, 2, 20, 9, 0, 0, 0, time.UTC).UnixMilli()
	for i := range count {
		var list []atsf.Message
		last := int64(0)
		for j := range each {
			// The threads grow side by side.
			last = start + int64(j*count+i)*60_000
			list = append(list, atsf.Message{
				ID: fmt.Sprint(i, "-", j), Role: atsf.RoleUser, Time: atsf.At(last),
				Content: []atsf.Block{{Type: atsf.TypeText, Text: fmt.Sprintf("word %d of thread %d", j, i)}},
			})
		}
		writeThread(t, folder, atsf.Thread{
			ID: talkID(i), Title: fmt.Sprint("Talk ", i), Created: atsf.At(start), Updated: atsf.At(last), Agent: atsf.Agent{ID: "a", Name: "A"},
			Context: atsf.Context{WorkingDir: folder}, Stats: atsf.Stats{Messages: int64(each), User: int64(each)},
		}, list...)
	}
}

func writeThread(t *testing.T, folder string, th atsf.Thread, messages ...atsf.Message) {
	t.Helper()
	dir := filepath.Join(folder, ".agent", "threads", th.ID)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var log []byte
	for _, m := range messages {
		log = append(log, buildMessage(t, m)...)
	}
	writeFile(t, filepath.Join(dir, atsf.ThreadName), buildThread(t, th))
	writeFile(t, filepath.Join(dir, atsf.MessagesName), log)
}

func buildMessage(t *testing.T, m atsf.Message) []byte {
	t.Helper()
	line, err := atsf.BuildMessage(m)
	if err != nil {
		t.Fatal(err)
	}
	return line
}

func buildThread(t *testing.T, th atsf.Thread) []byte {
	t.Helper()
	data, err := atsf.BuildThread(th)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func writeFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
