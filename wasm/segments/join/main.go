// Command join joins the data segments of a module in place. See package segments.
//
//	join signalbox.wasm
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/signalbox-dev/signalbox/wasm/segments"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "join:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("give one module")
	}
	module, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	joined, err := segments.Join(module)
	if err != nil {
		return err
	}
	return os.WriteFile(args[0], joined, 0o644)
}
