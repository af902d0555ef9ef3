package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// EmptyFlags refuses flags that were given empty, as by a variable that a script
// forgot to set.
func EmptyFlags(cmd *cobra.Command, names ...string) error {
	for _, name := range names {
		if f := cmd.Flag(name); f != nil && f.Changed && f.Value.String() == "" {
			return Usage(fmt.Errorf("--%s is empty", name))
		}
	}
	return nil
}

// MinPrefix is how much of an id names a message.
const MinPrefix = 4
