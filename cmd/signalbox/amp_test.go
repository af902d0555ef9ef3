package main

import (
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// swap replaces a text in a file, which must hold it exactly once: swap file old
// new.
func swap(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: swap file old new")
	}
	text := ts.ReadFile(args[0])
	if n := strings.Count(text, args[1]); n != 1 {
		ts.Fatalf("%s holds %q %d times", args[0], args[1], n)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o600))
}

// repeat replaces a text in a file with another one, many times over: repeat file
// old new count.
func repeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: repeat file old new count")
	}
	n, err := strconv.Atoi(args[3])
	ts.Check(err)
	swap(ts, false, []string{args[0], args[1], strings.Repeat(args[2], n)})
}
