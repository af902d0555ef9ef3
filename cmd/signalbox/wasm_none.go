//go:build nowasm

package main

import (
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/spf13/cobra"
)

// wasmCommands returns nothing in the extension's program, to keep it small.
func wasmCommands(*cli.Options) []*cobra.Command { return nil }
