//go:build nowasm

package main

import "github.com/spf13/cobra"

// wasmCommands is empty in the program of the extension, whose size counts.
func (o *options) wasmCommands() []*cobra.Command { return nil }
