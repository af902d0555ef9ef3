// Command schemagen writes docs/json: the schema of each value that a command prints with
// --json, and the table of commands in docs/json.md.
package main

import (
	"fmt"
	"os"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/schemas"
)

//go:generate go run . ../../../../..

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: schemagen folder-of-the-repository")
		os.Exit(2)
	}
	if err := schemas.Write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "schemagen:", err)
		os.Exit(1)
	}
}
