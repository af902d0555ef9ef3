// Command finish does to a module what Go's linker leaves. See package linked.
//
//	finish profile linked.wasm signalbox.wasm
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/signalbox-dev/signalbox/wasm/linked"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "finish:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return errors.New("give the profile, the module that was linked and the one to write")
	}
	profile, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	module, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	finished, err := linked.Finish(module, profile)
	if err != nil {
		return err
	}
	return os.WriteFile(args[2], finished, 0o644)
}
