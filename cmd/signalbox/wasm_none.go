//go:build nowasm

package main

import (
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/spf13/cobra"
)

// wasmCommands is empty in the program of the extension, whose size counts.
func wasmCommands(*cli.Options) []*cobra.Command { return nil }
