package main

import (
	"os"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/spf13/cobra"
)

// TestCommandsPage holds that docs/cli.md names each command; below "amp keys" and "task
// send" the row of the parent does. That pages name no other command is for .ci/docs.mjs.
func TestCommandsPage(t *testing.T) {
	data, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			visit(sub)
		}
		if strings.Count(c.CommandPath(), " ") <= 2 && c.IsAvailableCommand() && c.Runnable() && !strings.Contains(page, "`"+c.CommandPath()) {
			t.Errorf("docs/cli.md does not name %q", c.CommandPath())
		}
	}
	visit(rootCommand(newOptions(&cli.Program{})))
}
