package claude_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/session/claude"
	"github.com/signalbox-dev/signalbox/core/session/sessiontest"
)

// files returns the transcripts in testdata.
func files(tb testing.TB) []string {
	tb.Helper()
	var found []string
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".jsonl") {
			found = append(found, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil || len(found) < 6 {
		tb.Fatal(len(found), err)
	}
	return found
}

func TestTranscripts(t *testing.T) {
	for _, file := range files(t) {
		t.Run(file, func(t *testing.T) {
			sessiontest.CheckText(t, claude.Format(), file, "")
			sessiontest.CheckBroken(t, claude.Format(), file)
		})
	}
}

func FuzzRead(f *testing.F) { sessiontest.FuzzSeeded(f, claude.Format(), files(f)...) }
