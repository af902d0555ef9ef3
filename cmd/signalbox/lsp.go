package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func (o *options) lspCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Serve editors over the Language Server Protocol on stdin and stdout",
		Args:  cobra.NoArgs,
		RunE:  action(func(*cobra.Command, []string) error { return errors.New("lsp: not built yet") }),
	}
	cmd.Flags().Bool("stdio", true, "speak over stdin and stdout, which is the only way")
	return cmd
}
