package panel_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// TestDiagnoseInStore: a message that is open is held against those that the
// directory has of its task, and never against its own file.
func TestDiagnoseInStore(t *testing.T) {
	all := chain(t)
	b := newBoard(t, panel.Settings{}, all[:3]...)
	b.ready()
	const name = "review_request-T-2026-044-1772117287001.json"
	own := filepath.Join(b.ssot, "messages", chainTask, name)
	edited := bytes.Replace(all[2], []byte(`"reject_count": 0`), []byte(`"reject_count": 1`), 1)
	other := bytes.ReplaceAll(edited, []byte("T-2026-044"), []byte("T-2026-045"))
	for _, tt := range []struct {
		name, path string
		text       []byte
		want       []string
	}{
		{"its own file", own, all[2], nil},
		{"its own file, changed (AGN Q5)", own, edited, []string{"Q5"}},
		{"its own file through a link", filepath.Join(b.home, "link", "messages", chainTask, name), edited, []string{"Q5"}},
		{"its own file, under another id", own, bytes.Replace(all[2], []byte("287001"), []byte("287002"), 1), nil},
		{"another file of the name of one", filepath.Join(b.home, "task_dispatch-T-2026-044-1772116327001.json"), bytes.Replace(all[2], []byte("287001"), []byte("287002"), 1), nil},
		{"a copy of it", filepath.Join(b.home, "draft.json"), all[2], nil},
		{"another message of its id (AGN E1)", filepath.Join(b.home, "draft.json"), edited, []string{"E1", "Q5"}},
		{"never saved", "", edited, []string{"E1", "Q5"}},
		{"of a task that is not known, in the directory (AGN Q6)", filepath.Join(b.ssot, "new.json"), other, []string{"Q6", "Q6", "Q5", "E10", "E10"}},
		{"of a task that is not known, elsewhere", filepath.Join(b.home, "draft.json"), other, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			checked, err := b.Check(t.Context(), panel.Document{File: filepath.ToSlash(tt.path), Path: tt.path, Language: "json", Text: string(tt.text)}, nil)
			if err != nil || checked == nil {
				t.Fatalf("%+v, %v", checked, err)
			}
			var got []string
			for _, d := range checked.Found {
				got = append(got, d.Rule)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	list, err := b.Fixes(t.Context(), panel.Document{Path: own, Language: "json", Text: string(edited)}, 0, len(edited))
	if err != nil || len(list) != 1 || list[0].Title != "Set reject_count to 0, as the task's verdicts have it" {
		t.Errorf("%+v, %v", list, err)
	}
}

// BenchmarkDiagnoseCrowded is a message that is typed beside ten thousand others
// of its task, and the fixes of one fault of it.
func BenchmarkDiagnoseCrowded(b *testing.B) {
	list := agnChain(b, 6)
	for i := range 10_000 {
		m := list[3]
		m.ID = fmt.Sprint("review_verdict-T-2026-044-", i)
		list = append(list, m)
	}
	text := strings.Replace(agnFile(b, "amp-chain/03-review_request.json"), `"reject_count": 0`, `"reject_count": 7`, 1)
	b.Run("diagnose", func(b *testing.B) {
		for b.Loop() {
			if found, _ := panel.Diagnose(message(text), among(list)); len(found) < 2 {
				b.Fatal(found)
			}
		}
	})
	b.Run("fix", func(b *testing.B) {
		for b.Loop() {
			if fixed := fixes(b, text, among(list)); len(fixed) == 0 {
				b.Fatal(fixed)
			}
		}
	})
}
