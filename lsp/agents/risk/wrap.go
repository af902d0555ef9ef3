package risk

import (
	"slices"
	"strings"
)

// shells lists the programs that run a text as commands.
var shells = []string{"sh", "bash", "zsh", "dash", "ksh", "ash", "fish"}

// raising lists the programs that run others with another user's rights.
var raising = []string{"sudo", "doas", "su", "pkexec", "runas"}

// wrappers lists the programs that run the command in their arguments. The command follows the
// wrapper's options and own arguments.
var wrappers = map[string]struct {
	valued string // the letters of short options with a value
	own    int    // how many arguments of its own it has
}{
	"sudo": {valued: "ugCDRTprth"}, "doas": {valued: "uC"}, "su": {valued: "csgGw", own: 1}, "pkexec": {}, "runas": {},
	"env": {valued: "uCS"}, "nohup": {}, "nice": {valued: "n"}, "ionice": {valued: "cnp"}, "setsid": {}, "stdbuf": {valued: "ioe"},
	"timeout": {valued: "ks", own: 1}, "gtimeout": {valued: "ks", own: 1}, "exec": {valued: "a"}, "command": {}, "builtin": {},
	"xargs": {valued: "aEILnPsd"}, "busybox": {}, "watch": {valued: "n"}, "caffeinate": {valued: "tw"}, "arch": {},
	"ssh": {valued: "BbcDEeFIiJLlmOopQRSWw", own: 1}, "start-process": {},
}

// longValued lists the long options of wrappers whose value is the next word.
var longValued = []string{"--user", "--group", "--host", "--chdir", "--prompt", "--signal", "--kill-after", "--unset", "--adjustment", "--max-args", "--max-procs"}

// wrapped returns the command that a wrapper runs.
func wrapped(name string, args []word) (rest []word, ok bool) {
	of, ok := wrappers[name]
	if !ok {
		return nil, false
	}
	if name == "su" {
		return nil, true
	}
	own := of.own
	for len(args) > 0 {
		text := args[0].text
		switch {
		case text == "--":
			args = args[1:]
			if own == 0 {
				return args, true
			}
			continue
		case len(text) > 1 && text[0] == '-':
			// The value is the rest of the word, or the next one.
			last := text[len(text)-1]
			takes := text[1] != '-' && strings.IndexByte(of.valued, last) >= 0 && strings.IndexAny(text[1:], of.valued) == len(text)-2
			args = args[1:]
			if (takes || slices.Contains(longValued, text)) && len(args) > 0 {
				args = args[1:]
			}
			continue
		case own > 0:
			own--
			args = args[1:]
			continue
		}
		return args, true
	}
	return nil, true
}

// script returns the text in a program's arguments that it runs as commands.
func script(name string, args []word) (text string, line int, ok bool) {
	switch {
	case name == "eval":
		return join(args), lineOf(args), len(args) > 0
	case name == "su", slices.Contains(shells, name):
		for i := range args {
			t := args[i].text
			if len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.Contains(t, "c") && i+1 < len(args) {
				return args[i+1].text, args[i+1].line, true
			}
			if !strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "+") && t != "pipefail" && name != "su" {
				return "", 0, false
			}
		}
	case name == "powershell", name == "pwsh", name == "cmd":
		for i := range args {
			t := strings.ToLower(args[i].text)
			if t == "-command" || t == "-c" || t == "/c" || t == "/k" {
				return join(args[i+1:]), lineOf(args[i+1:]), i+1 < len(args)
			}
		}
	}
	return "", 0, false
}

func join(words []word) string {
	var list []string
	for _, w := range words {
		list = append(list, w.text)
	}
	return strings.Join(list, " ")
}

func lineOf(words []word) int {
	if len(words) == 0 {
		return 1
	}
	return words[0].line
}

// hasFile reports whether the arguments of a shell have a file to run, so that it does not run its
// input.
func hasFile(args []word) bool {
	for i := range args {
		switch t := args[i].text; {
		case t == "-", t == "/dev/stdin", strings.HasPrefix(t, "-") && t[1] != '-' && strings.Contains(t, "s"):
			return false
		case !strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "+") && t != "pipefail":
			return true
		}
	}
	return false
}
