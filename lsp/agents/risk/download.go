package risk

import (
	"net/url"
	"slices"
	"strings"
)

var (
	// fetchers lists the programs that print what they download.
	fetchers = []string{"curl", "wget", "iwr", "irm", "invoke-webrequest", "invoke-restmethod", "fetch", "http", "https"}
	// languages lists the interpreters that run their input unless their arguments have a program.
	languages = []string{"python", "python2", "python3", "node", "perl", "ruby", "php", "deno", "bun", "lua"}
)

// maxPipe is how many commands of a pipe are checked.
const maxPipe = 20

// downloads judges whether the command at an index runs a download that it gets through a pipe or
// from a command substitution.
func (j *judge) downloads(list []command, at int) {
	c := &list[at]
	words := unwrapped(c.words)
	if len(words) == 0 {
		return
	}
	name, args := nameOf(&words[0]), words[1:]
	runs := name == "iex" || name == "invoke-expression" || slices.Contains(shells, name) && !hasFile(args) && !hasScript(name, args) ||
		slices.Contains(languages, strings.TrimRight(name, "0123456789.")) && !hasProgram(args)
	if runs {
		for i := at; i > max(0, at-maxPipe) && list[i].fed; i-- {
			if from, ok := fetched(list[i-1].words); ok {
				j.downloaded(from, words[0].line)
				return
			}
		}
	}
	var in []command
	for i := range args {
		in = append(in, args[i].inner...)
	}
	for i := range c.docs {
		in = append(in, c.docs[i].inner...)
	}
	switch {
	case name == "iex", name == "invoke-expression":
		if from, ok := fetched(args); ok {
			j.downloaded(from, words[0].line)
		}
		for i := at + 1; i < len(list) && i <= at+2; i++ { // iex ((New-Object Net.WebClient).DownloadString('…'))
			if w := list[i].words; len(w) > 0 && strings.HasPrefix(strings.ToLower(w[0].text), ".download") {
				j.downloaded(host(w), words[0].line)
			}
		}
	case name == "eval", name == "source", name == ".", slices.Contains(shells, name), slices.Contains(languages, strings.TrimRight(name, "0123456789.")):
		for i := range in {
			if from, ok := fetched(in[i].words); ok {
				j.downloaded(from, words[0].line)
			}
		}
	}
}

func (j *judge) downloaded(from string, line int) {
	text := "Runs what it downloads."
	if from != "" {
		text = "Runs what it downloads from " + short(from) + "."
	}
	j.add(Risk{Red, Downloads, text, line})
}

// unwrapped returns the words of the command that wrappers run.
func unwrapped(words []word) []word {
	for words = withoutKeywords(words); len(words) > 0; words = withoutKeywords(words) {
		rest, ok := wrapped(nameOf(&words[0]), words[1:])
		if !ok || len(rest) == 0 {
			return words
		}
		words = rest
	}
	return nil
}

// fetched returns the host that a command downloads from.
func fetched(words []word) (from string, ok bool) {
	words = unwrapped(words)
	if len(words) == 0 || !slices.Contains(fetchers, nameOf(&words[0])) {
		return "", false
	}
	return host(words), true
}

func host(words []word) string {
	for i := range words {
		for _, part := range strings.FieldsFunc(words[i].text, func(r rune) bool { return strings.ContainsRune(`'"()`, r) }) {
			if u, err := url.Parse(part); err == nil && u.Host != "" {
				return u.Host
			}
		}
	}
	return ""
}

// hasScript reports whether a shell gets its commands from an option.
func hasScript(name string, args []word) bool {
	_, _, ok := script(name, args)
	return ok
}

// hasProgram reports whether the arguments of an interpreter have the program to run, so that its
// input is only data.
func hasProgram(args []word) bool {
	for i := range args {
		switch t := args[i].text; {
		case t == "-":
			return false
		case !strings.HasPrefix(t, "-"):
			return true
		case strings.ContainsAny(strings.TrimLeft(t, "-"), "cmenpr"):
			return true
		}
	}
	return false
}
