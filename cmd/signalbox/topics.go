package main

import (
	"embed"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

//go:embed help
var pages embed.FS

// topics returns the help pages that are not about a command: "signalbox help NAME".
func topics() []*cobra.Command {
	list := []*cobra.Command{
		{Use: "directories", Short: "Where mail, threads, tasks and mailboxes are looked for"},
		{Use: "names", Short: "Who you are, and how messages, threads and tasks are named"},
		{Use: "trust", Short: "How far a message can be believed"},
		{Use: "exit-codes", Short: "What the exit codes mean"},
	}
	var b strings.Builder
	b.WriteString("\"signalbox help TOPIC\" shows one of these pages:\n\n")
	for _, c := range list {
		text, err := pages.ReadFile("help/" + c.Use + ".txt")
		if err != nil {
			panic(err) // the program was built without the page
		}
		c.Long = string(text)
		fmt.Fprintf(&b, "  %-12s %s\n", c.Name(), c.Short)
	}
	return append(list, &cobra.Command{Use: "topics", Short: "What these pages are", Long: b.String()})
}
