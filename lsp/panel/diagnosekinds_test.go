package panel_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// TestDocumentKinds holds that a client which sends no other documents than the
// kinds say misses none that is known.
func TestDocumentKinds(t *testing.T) {
	kinds := panel.DocumentKinds()
	if len(kinds) != 2 || kinds[0].Pattern != "**/.agent/{config.json,threads/*/thread.json}" || len(kinds[0].Marks) > 0 {
		t.Fatalf("%+v", kinds)
	}
	tasks := kinds[1]
	fits := func(text string) bool {
		return len(text) <= tasks.MaxBytes && slices.ContainsFunc(tasks.Marks, func(mark []string) bool {
			return !slices.ContainsFunc(mark, func(part string) bool { return !strings.Contains(text, part) })
		})
	}
	ack, err := agn.BuildAck(agn.Ack{MsgID: chainAlarm, By: agn.Admin})
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{string(ack), strings.Replace(string(ack), "ack/1", "ack/9", 1), "{\"other\": 1}", `{"protocol_version": "2025-01-01"}`, ""}
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "agn", "*", "*.json"))
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(data))
	}
	seen := 0
	for _, text := range texts {
		_, known := panel.Diagnose(panel.Document{File: "/x.json", Text: text}, nil)
		if known {
			seen++
		}
		if known != fits(text) {
			t.Errorf("known is %v, and it fits: %v: %.80s", known, fits(text), text)
		}
	}
	if seen < 45 {
		t.Errorf("%d are known", seen)
	}
}
