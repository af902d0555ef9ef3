package server

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

func TestInitializeOptions(t *testing.T) {
	tests := []struct{ name, params, want string }{
		{"settings", `{"capabilities":{},"initializationOptions":{"alias":" me ","directories":["/m"],"profile":"v1-compact","readOnly":true,"updateWatermark":true,"hoverMaxMessages":3,"future":1}}`, ""},
		{"null", `{"capabilities":{},"initializationOptions":null}`, ""},
		{"alias of the wrong type", `{"capabilities":{},"initializationOptions":{"alias":5}}`, "-32602 initializationOptions: params: field alias: a value of type number is not allowed here"},
		{"options of the wrong type", `{"capabilities":{},"initializationOptions":"x"}`, "-32602 initializationOptions: params: a value of type string is not allowed here: they go by name"},
		{"profile there is not", `{"capabilities":{},"initializationOptions":{"profile":"v9"}}`, `-32602 initializationOptions: field profile: "v9" is not auto, v1 or v1-compact`},
		{"negative count", `{"capabilities":{},"initializationOptions":{"hoverMaxMessages":-1}}`, "-32602 initializationOptions: field hoverMaxMessages: is negative"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				shown := &fakePanel{}
				c := dial(t, func(o *Options) { o.Open = shown.open })
				got := c.ask("initialize", tt.params)
				if tt.want != "" && got != tt.want || tt.want == "" && !strings.HasPrefix(got, "{") {
					t.Errorf("got %s, want %s", got, tt.want)
				}
				if tt.name == "settings" {
					want := panel.Settings{Alias: "me", Directories: []string{"/m"}, Profile: "v1-compact", ReadOnly: true, UpdateWatermark: true, HoverMaxMessages: 3}
					if diff := cmp.Diff(want, shown.setup.Settings); diff != "" {
						t.Errorf("settings (-want +got)\n%s", diff)
					}
				}
			})
		})
	}
}

func TestOpenFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fail := true
		c := dial(t, func(o *Options) {
			o.Open = func(context.Context, Setup) (Panel, error) {
				if fail {
					return nil, errors.New("no home directory")
				}
				return &fakePanel{}, nil
			}
		})
		if got := c.ask("initialize", `{}`); got != "-32603 no home directory" {
			t.Errorf("got %s", got)
		}
		fail = false
		if got := c.ask("initialize", `{}`); !strings.HasPrefix(got, "{") {
			t.Errorf("the second try: got %s", got)
		}
	})
}

func TestFolders(t *testing.T) {
	slash := filepath.FromSlash
	tests := []struct {
		name string
		p    initializeParams
		want []string
	}{
		{"none", initializeParams{}, []string{}},
		{"folders", initializeParams{RootURI: "file:///old", Folders: []workspaceFolder{{URI: "file:///a%20b"}, {URI: "file:///c/"}}}, []string{slash("/a b"), slash("/c")}},
		{"root URI", initializeParams{RootURI: "file:///old", RootPath: "/older"}, []string{slash("/old")}},
		{"elsewhere", initializeParams{Folders: []workspaceFolder{{URI: "vscode-remote://x/a"}, {URI: "untitled:a"}, {URI: "%zz"}, {URI: ""}}}, []string{}},
		{"drive", initializeParams{RootURI: "file:///c%3A/work"}, []string{slash("c:/work")}},
		{"localhost", initializeParams{RootURI: "file://localhost/a"}, []string{slash("/a")}},
		{"relative", initializeParams{RootPath: "a"}, []string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.p.folderPaths()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestConfiguration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shown := &fakePanel{}
		c := dial(t, func(o *Options) { o.Open = shown.open })
		c.ask("initialize", `{"rootUri":"file:///w","initializationOptions":{"alias":"first"}}`)
		for _, settings := range []string{`null`, `{}`, `{"signalbox":null}`, `{"signalbox":{"alias":7}}`, `{"signalbox":{"alias":"second"}}`} {
			c.send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":` + settings + `}}`)
		}
		for _, event := range []string{`{"added":[{"uri":"file:///x"},{"uri":"file:///w"},{"uri":"http://y"}],"removed":[]}`, `{"added":[],"removed":[{"uri":"file:///w"}]}`} {
			c.send(`{"jsonrpc":"2.0","method":"workspace/didChangeWorkspaceFolders","params":{"event":` + event + `}}`)
		}
		c.take()
		w, x := filepath.FromSlash("/w"), filepath.FromSlash("/x")
		want := []string{fmt.Sprint("second", []string{w}), fmt.Sprint("second", []string{w, x}), fmt.Sprint("second", []string{x})}
		if diff := cmp.Diff(want, shown.configured); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
		if !strings.Contains(c.log.String(), "field alias") {
			t.Errorf("the bad setting was not logged:\n%s", c.log)
		}
	})
}

// TestParent: the server ends soon after the client's process.
func TestParent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var gone atomic.Bool
		c := dial(t, func(o *Options) { o.Alive = func(pid int) bool { return pid == 42 && !gone.Load() } })
		c.ask("initialize", `{"processId":42}`)
		time.Sleep(time.Hour)
		if got := c.ask("signalbox/link/resolve", `{"refs":[]}`); got != "[]" {
			t.Fatalf("while the client lives: %s", got)
		}
		gone.Store(true)
		died := time.Now()
		<-c.done
		if took := time.Since(died); took > parentEvery || c.result != nil {
			t.Errorf("ended after %v with %v", took, c.result)
		}
	})
}

// TestParentElsewhere: a process that was never seen is not watched.
func TestParentElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, func(o *Options) { o.Alive = func(int) bool { return false } })
		c.ask("initialize", `{"processId":42}`)
		time.Sleep(time.Hour)
		if got := c.ask("signalbox/link/resolve", `{"refs":[]}`); got != "[]" {
			t.Errorf("got %s", got)
		}
	})
}
