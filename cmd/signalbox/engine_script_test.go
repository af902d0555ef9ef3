package main

import (
	"os"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/store"
)

// engineLog is the variable that has [scriptMain] run what takes an engine in the
// module, and names the file in which it notes that.
const engineLog = "SIGNALBOX_TEST_ENGINE_LOG"

// scriptMain is main for scripts, which write with the same commands that refuse
// an engine, so that a variable cannot choose it for all of them.
func scriptMain() {
	if path := os.Getenv(engineLog); path != "" {
		if name := onEngine(os.Args); name != "" {
			os.Setenv("SIGNALBOX_ENGINE", engineWASM)
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
			if err == nil {
				_, err = f.WriteString(name + "\n")
			}
			if err != nil {
				panic(err)
			}
			f.Close()
		}
	}
	main()
}

// onEngine names the command that arguments call, if it takes an engine.
func onEngine(args []string) string {
	if _, ok := dropInName(args[0]); ok {
		if len(args) > 1 && args[1] == "inbox" {
			return "inbox"
		}
		return ""
	}
	root := newOptions(&program{env: store.OSEnv()}).root()
	cmd, _, err := root.Find(args[1:])
	if err != nil || !takesEngine(cmd) || slices.Contains(args, "--ssot") {
		return ""
	}
	_, name, _ := strings.Cut(cmd.CommandPath(), " ")
	return name
}
