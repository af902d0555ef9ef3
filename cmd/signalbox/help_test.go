package main

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/spf13/cobra"
)

// helpOf returns what a command's --help prints.
func helpOf(cmd *cobra.Command) string {
	var b bytes.Buffer
	cmd.Root().SetOut(&b)
	_ = cmd.Help()
	return b.String()
}

// internal are words that only those know who wrote the program, and bare ids of rules.
var internal = regexp.MustCompile(`\b(marks?)\b( of| that|:)|\bspaced\b|(^|[^_])\bSSOT\b|as stored|\btorn\b|\bops?\b|\([A-Z]{1,4}-?[0-9]{1,2}\)|\brules? [A-Z]{1,4}-?[0-9]`)

// TestHelp holds what every page of help has: at most 80 columns, an example, no words
// of our own, and only the global flags that the command looks at.
func TestHelp(t *testing.T) {
	commands := commandTree(t)
	root := commands[0]
	for _, cmd := range commands {
		text := helpOf(cmd)
		for line := range strings.Lines(text) {
			if line = strings.TrimRight(line, "\n"); show.Columns(line) > 80 {
				t.Errorf("%s: %d columns: %s", cmd.CommandPath(), show.Columns(line), line)
			}
		}
		if hit := internal.FindString(text); hit != "" {
			t.Errorf("%s: the help says %q", cmd.CommandPath(), hit)
		}
		if ours(cmd) && cmd.Example == "" {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		for line := range strings.SplitSeq(strings.ReplaceAll(cmd.Example, "\\\n", " "), "\n") {
			checkExample(t, root, cmd, line)
		}
	}
}

// ours reports whether a command is one of this program's that does something.
func ours(cmd *cobra.Command) bool {
	path := strings.Fields(cmd.CommandPath())
	return cmd.Runnable() && !(len(path) > 1 && (path[1] == "completion" || path[1] == "help"))
}

var quoted = regexp.MustCompile(`"[^"]*"|'[^']*'`)

// checkExample holds that what a line of an example runs exists, with its flags, and that
// one of them is the command that the example is for.
func checkExample(t *testing.T, root, of *cobra.Command, line string) {
	t.Helper()
	line = quoted.ReplaceAllString(line, "text")
	for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune("|;()$#", r) }) {
		words := strings.Fields(part)
		at := slices.Index(words, "signalbox")
		if at < 0 {
			continue
		}
		words = words[at+1:]
		if end := slices.Index(words, "--"); end >= 0 {
			words = words[:end]
		}
		cmd, rest, err := root.Find(words)
		if err != nil {
			t.Errorf("%s: %q: %v", of.CommandPath(), line, err)
			continue
		}
		for _, word := range rest {
			name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
			if !strings.HasPrefix(word, "-") || name == "" {
				continue
			}
			f := cmd.Flags().Lookup(name)
			if f == nil {
				f = cmd.InheritedFlags().Lookup(name)
			}
			if len(name) == 1 {
				f = cmd.Flags().ShorthandLookup(name)
			}
			if f == nil || f.Hidden || f.Annotations["renamed"] != nil {
				t.Errorf("%s: %q: %s has no flag %s", of.CommandPath(), line, cmd.CommandPath(), word)
			}
		}
	}
}

// TestExampleIsOwn holds that a command's example runs that command or one below it.
func TestExampleIsOwn(t *testing.T) {
	for _, cmd := range commandTree(t) {
		name := strings.TrimPrefix(cmd.CommandPath(), "signalbox ")
		short := name
		if len(cmd.Aliases) > 0 {
			short = strings.TrimPrefix(cmd.Parent().CommandPath()+" "+cmd.Aliases[0], "signalbox ")
		}
		own := regexp.MustCompile(`signalbox (--\S+ \S+ )?(` + regexp.QuoteMeta(name) + `|` + regexp.QuoteMeta(short) + `)\b`)
		if cmd.HasParent() && ours(cmd) && !own.MatchString(cmd.Example) {
			t.Errorf("%s: the example is another command's:\n%s", name, cmd.Example)
		}
	}
}

// TestGlobalFlags holds that help shows a global flag only where it means something.
func TestGlobalFlags(t *testing.T) {
	globals := func(path ...string) (names []string) {
		cmd, _, err := commandTree(t)[0].Find(path)
		if err != nil {
			t.Fatal(err)
		}
		_, after, _ := strings.Cut(helpOf(cmd), "\nGlobal flags:\n")
		for _, m := range regexp.MustCompile(`(?m)^ +--([a-z]+)`).FindAllStringSubmatch(after, -1) {
			names = append(names, m[1])
		}
		return names
	}
	for path, want := range map[string]string{
		"":               "as color dir json profile",
		"inbox":          "as color dir json profile",
		"validate":       "color dir json",
		"task ack":       "color json",
		"amp send":       "color json",
		"samp id":        "profile",
		"version":        "json",
		"help":           "",
		"exit-codes":     "",
		"wasm verify":    "dir",
		"worktree add":   "color json",
		"threads append": "color json",
	} {
		if got := strings.Join(globals(strings.Fields(path)...), " "); got != want {
			t.Errorf("%q shows %q, want %q", path, got, want)
		}
	}
	// A name that no global flag has would be shown nowhere.
	root := commandTree(t)[0]
	for _, cmd := range commandTree(t) {
		for name := range strings.FieldsSeq(cmd.Annotations["uses"]) {
			if root.PersistentFlags().Lookup(name) == nil {
				t.Errorf("%s uses --%s, which is no global flag", cmd.CommandPath(), name)
			}
		}
	}
}
