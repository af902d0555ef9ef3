package codex

import (
	"path/filepath"
	"testing"

	"github.com/signalbox-dev/signalbox/core/session/sessiontest"
)

func transcripts(t testing.TB) []string {
	t.Helper()
	list, err := filepath.Glob("testdata/*/sessions/*/*/*/*.jsonl")
	if err != nil || len(list) == 0 {
		t.Fatal("no transcripts", err)
	}
	return list
}

func TestTell(t *testing.T) {
	for _, file := range transcripts(t) {
		sessiontest.CheckText(t, Format(), filepath.ToSlash(file), "")
	}
}

func TestBroken(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	for _, file := range transcripts(t) {
		sessiontest.CheckBroken(t, Format(), filepath.ToSlash(file))
	}
}

func FuzzRead(f *testing.F) {
	sessiontest.FuzzSeeded(f, Format(), transcripts(f)...)
}
