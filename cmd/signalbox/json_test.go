package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
)

// unfit is the exit code of a command whose JSON fits no schema: no command has it.
const unfit = 86

// checkSchemas is the variable that has [checkedMain] hold what is printed to its schema.
// Scripts set it. Tests of memory do not, since the output is kept for that.
const checkSchemas = "SIGNALBOX_TEST_SCHEMAS"

// checkedMain is main for the scripts. Each line that a command prints with --json has to
// fit a schema of docs/json, whatever the script is about.
func checkedMain() {
	p := process()
	p.Above = belowTest
	command, asked := printsJSON(os.Args[1:], p.Env.Getenv("SIGNALBOX_JSON"))
	if !asked || p.Env.Getenv(checkSchemas) == "" {
		os.Exit(run(p, os.Args))
	}
	var out bytes.Buffer
	p.Stdout = io.MultiWriter(os.Stdout, &out)
	code := run(p, os.Args)
	for line := range bytes.Lines(out.Bytes()) {
		if err := fitsSchema(command, line); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = unfit
		}
	}
	os.Exit(code)
}

// testProcess names the variable with the number of the process that runs a script.
const testProcess = "SIGNALBOX_TEST_PROCESS"

// belowTest returns what runs this process below the test: whoever runs the tests may be an agent.
func belowTest(most int) []activity.Ancestor {
	test := os.Getenv(testProcess)
	if test == "" {
		return nil
	}
	list := activity.Ancestors(most)
	if i := slices.IndexFunc(list, func(a activity.Ancestor) bool { return strconv.Itoa(a.PID) == test }); i >= 0 {
		list = list[:i]
	}
	return list
}

// printsJSON returns the command that is called, and whether it is to print JSON that
// this program defines.
func printsJSON(args []string, env string) (command string, asked bool) {
	o := newOptions(&cli.Program{Stdout: io.Discard, Stderr: io.Discard})
	cmd, rest, err := rootCommand(o).Find(args)
	if err != nil || cmd.ParseFlags(rest) != nil {
		return "", false // it is called wrongly
	}
	given := func(name string) bool { f := cmd.Flags().Lookup(name); return f != nil && f.Changed }
	command = strings.TrimPrefix(cmd.CommandPath(), "signalbox ")
	// What a format defines is passed through, and help is no result.
	if slices.ContainsFunc([]string{"raw", "block", "out", "help", "version"}, given) || slices.Contains(rest, "raw") {
		return command, false
	}
	_, known := printedValues()[command]
	return command, known && (o.JSON || env == "1" && !given("json"))
}

// TestEveryJSONHasSchema holds that a command which shows --json has a schema, and no
// other.
func TestEveryJSONHasSchema(t *testing.T) {
	known := printedValues()
	for _, cmd := range commandTree(t) {
		name := strings.TrimPrefix(cmd.CommandPath(), "signalbox ")
		shows := cli.GlobalFlags(cmd).Lookup("json") != nil && cmd.HasParent()
		if isGroup := cmd.HasSubCommands() && known[name] == nil; isGroup {
			continue
		}
		if _, has := known[name]; shows && !has {
			t.Errorf("%q shows --json and has no schema", name)
		} else if has && !shows && name != "samp thread" {
			t.Errorf("%q has a schema and does not show --json", name)
		}
		delete(known, name)
	}
	for name := range known {
		t.Errorf("there is a schema for %q, which is no command", name)
	}
}

// TestFitsSchema holds that JSON which fits no schema is found.
func TestFitsSchema(t *testing.T) {
	const good = `{"version":"1","commit":"","go":"","platform":"","formats":[]}`
	for out, ok := range map[string]bool{
		good: true,
		strings.Replace(good, `"go"`, `"gone"`, 1):   false,
		strings.Replace(good, `"1"`, `1`, 1):         false,
		strings.Replace(good, `{`, `{"new":1,`, 1):   false,
		strings.Replace(good, `"commit":"",`, ``, 1): false,
		"no JSON": false,
	} {
		if err := fitsSchema("version", []byte(out)); (err == nil) != ok {
			t.Errorf("%q: %v", out, err)
		}
	}
	for args, want := range map[string]bool{
		"version --json": true, "version": false, "--json inbox all": true, "inbox raw --json": false, "cat x --raw --json": false,
		"task send request --json": true, "help --json": false, "inbox --json --nonsense": false,
	} {
		if command, asked := printsJSON(strings.Fields(args), ""); asked != want {
			t.Errorf("%q (%s): %t", args, command, asked)
		}
	}
	if _, asked := printsJSON([]string{"version"}, "1"); !asked {
		t.Error("SIGNALBOX_JSON is not looked at")
	}
}
