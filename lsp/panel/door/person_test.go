package door_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// TestPerson reads as the person who set up agents, whatever the folder is called: its
// name is the agent's that works there.
func TestPerson(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "coder")
	if err := errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(filepath.Join(folder, ".agent-message"), []byte("reviewer\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, person, variable string
		settings               panel.Settings
		alias, origin          string
	}{
		{name: "nobody said who", alias: "reviewer", origin: ".agent-message"},
		{name: "the person", person: "dev", alias: "dev", origin: "your configuration"},
		{name: "without trust", person: "dev", settings: panel.Settings{ReadOnly: true}, alias: "dev", origin: "your configuration"},
		{name: "the setting", person: "dev", settings: panel.Settings{Alias: "bob"}, alias: "bob", origin: "setting signalbox.alias"},
		{name: "the variable", person: "dev", variable: "amy", alias: "amy", origin: "SIGNALBOX_AS"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newTestDoorAs(t, c.person, c.variable)
			if err := d.Configure(t.Context(), c.settings, []string{folder}); err != nil {
				t.Fatal(err)
			}
			status, err := d.Status(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if status.Alias != c.alias || status.AliasOrigin != c.origin || status.Person != c.person {
				t.Errorf("the alias is %q (%s), the person %q", status.Alias, status.AliasOrigin, status.Person)
			}
		})
	}
}
