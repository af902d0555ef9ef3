//go:build !noengine

package engine

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

// TestAsksTheModule holds that nothing is computed but in the module: once that is
// gone, every call fails, and none with a fault of the bytes.
func TestAsksTheModule(t *testing.T) {
	path := filepath.Join(t.TempDir(), "signalbox.wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-o", path, "../../../wasm/guest")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=", "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	module, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	core, err := Open(ctx, module, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := core.Close(); err != nil {
		t.Fatal(err)
	}
	mail, talk := core.Store(), core.Threads()
	text := []byte("{}")
	for name, call := range map[string]func() error{
		"Parse":     func() error { _, _, err := mail.Parse(ctx, text); return err },
		"Inspect":   func() error { _, err := mail.Inspect(ctx, text, store.Log{Name: "log-a.jsonl"}); return err },
		"Watermark": func() error { _, err := mail.Watermark(ctx, text); return err },
		"Inbox":     func() error { _, _, err := mail.Inbox(ctx, store.Query{Me: "a"}); return err },
		"Unread": func() error {
			_, _, _, err := mail.Unread(ctx, store.Query{Me: "a"}, samp.Watermark{}, 1)
			return err
		},
		"Compact":   func() error { _, err := mail.Compact(ctx, text, samp.V1); return err },
		"Thread":    func() error { _, _, err := talk.Thread(ctx, text, "a"); return err },
		"Message":   func() error { _, err := talk.Message(ctx, text); return err },
		"Config":    func() error { _, _, err := talk.Config(ctx, text); return err },
		"AssetName": func() error { _, err := talk.AssetName(ctx, "a"); return err },
		"Tally": func() error {
			_, err := talk.Tally().Compare(ctx, &atsf.Thread{Raw: text})
			return err
		},
		"Repair":      func() error { _, _, err := talk.Repair(ctx, text, nil); return err },
		"LineID":      func() error { _, err := core.LineID(ctx, text, samp.V1); return err },
		"DeriveName":  func() error { _, _, err := core.Thread(ctx, "a", "a", "2026-04-25", samp.V1); return err },
		"Mail":        func() error { _, err := core.Mail(ctx, text); return err },
		"Agent":       func() error { _, _, err := core.Agent(ctx, "a"); return err },
		"Key":         func() error { _, err := core.Key(ctx, text); return err },
		"Judge":       func() error { _, err := core.Judge(ctx, &Mail{}, Known{}); return err },
		"Task":        func() error { _, err := core.Task(ctx, text); return err },
		"TaskPayload": func() error { _, err := core.TaskPayload(ctx, agn.TypeDispatch, text); return err },
		"Ack":         func() error { _, err := core.Ack(ctx, text); return err },
		"Resume":      func() error { _, err := core.Resume(ctx, text); return err },
		"Record":      func() error { return core.Record(ctx, text) },
		"CheckTask":   func() error { _, err := core.CheckTask(ctx, &agn.Message{}, nil); return err },
	} {
		t.Run(name, func(t *testing.T) {
			if err := call(); err == nil || !strings.HasSuffix(err.Error(), "(Closed)") {
				t.Errorf("without a module: %v", err)
			}
		})
	}
}
