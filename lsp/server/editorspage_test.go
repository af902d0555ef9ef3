package server

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/commands"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

// TestEditorsPage checks that docs/editors.md lists each command and each setting, and
// that the pages of editors list none that does not exist.
func TestEditorsPage(t *testing.T) {
	commands := commands.New(&fakePanel{}, nil, documents.UTF16)
	page := readPage(t, "editors.md")
	_, table, _ := strings.Cut(page, "\n## Commands\n")
	table, _, _ = strings.Cut(table, "\n## ")
	for _, name := range commands.Names() {
		if !strings.Contains(table, "`"+name+"`") {
			t.Errorf("editors.md: no row of the table of commands has %s", name)
		}
	}
	_, settings, _ := strings.Cut(page, "\n## Settings\n")
	fields := reflect.TypeFor[panel.Settings]()
	for i := range fields.NumField() {
		name, _, _ := strings.Cut(fields.Field(i).Tag.Get("json"), ",")
		if !strings.Contains(settings, "`"+name+"`") {
			t.Errorf("editors.md: no setting %s", name)
		}
	}
	// The documents that stand for panels are opened by commands in the table of panels.
	_, panels, _ := strings.Cut(page, "\n## The panels as text\n")
	panels, _, _ = strings.Cut(panels, "\n## ")
	for panel, command := range map[string]string{
		"inbox": "signalbox.inbox", "thread": "signalbox.thread", "compose": "signalbox.draft", "escalations": "signalbox.escalations",
	} {
		if !regexp.MustCompile(`(?m)^\| ` + panel + ` \|.*` + regexp.QuoteMeta("`"+command+"`")).MatchString(panels) {
			t.Errorf("editors.md: %s is not said to be opened by %s", panel, command)
		}
	}
	named := regexp.MustCompile(`(?:^|[^.])\bsignalbox\.([a-z][A-Za-z]+)\b`)
	functions := map[string]bool{"run": true, "show": true, "draft": true} // of the block for Neovim
	for _, name := range []string{"editors.md", "neovim.md", "emacs.md", "helix.md", "zed.md"} {
		for _, m := range named.FindAllStringSubmatch(readPage(t, name), -1) {
			if commands.Find("signalbox."+m[1]) == nil && !(name == "neovim.md" && functions[m[1]]) {
				t.Errorf("%s: there is no command signalbox.%s", name, m[1])
			}
		}
	}
}

func readPage(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("../../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
