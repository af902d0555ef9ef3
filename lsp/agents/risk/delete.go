package risk

import (
	"slices"
	"strings"
)

// deletes judges a command that deletes files.
func (j *judge) deletes(name string, first *word, args []word) {
	paths, all, ok := deleted(name, args, j.literal)
	if ok {
		j.remove("", paths, all, first.line)
	}
}

// deleted returns the paths that a command deletes. all is set if it deletes everything below them,
// and ok if it is a command that deletes.
func deleted(name string, args []word, literal bool) (paths []word, all, ok bool) {
	switch name {
	case "rm", "rmdir", "unlink", "shred":
		slash := literal && name != "unlink"
		paths, all = operands(args, "rR", "recursive", slash)
	case "rd", "del", "erase", "ri", "remove-item":
		paths, all = operands(args, "rRsS", "recurse", true)
	default:
		return nil, false, false
	}
	return paths, all, true
}

// operands returns the arguments that are not options. found is set if one of the options is in
// letters or is called long. slash is set if words such as "/s" are options as well.
func operands(args []word, letters, long string, slash bool) (list []word, found bool) {
	for i := 0; i < len(args); i++ {
		t := args[i].text
		switch {
		case t == "--":
			return append(list, args[i+1:]...), found
		case strings.HasPrefix(t, "--"):
			found = found || t == "--"+long
		case slash && len(t) > 2 && t[0] == '-':
			option := strings.ToLower(t[1:])
			found = found || strings.HasPrefix(long, option) || strings.Trim(option, "rf") == "" && strings.Contains(option, "r")
			if option == "include" || option == "exclude" || option == "filter" || option == "erroraction" || option == "ea" {
				i++
			}
		case len(t) > 1 && t[0] == '-', slash && len(t) == 2 && t[0] == '/':
			found = found || strings.ContainsAny(t[1:], letters)
		default:
			list = append(list, args[i])
		}
	}
	return list, found
}

// remove adds the risks of deleting paths. A path that is not known is reported only if all below
// it is deleted, and then as outside the worktree. what precedes the paths in the sentence.
func (j *judge) remove(what string, paths []word, all bool, line int) {
	var in, out, open []string
	for i := range paths {
		for _, w := range braces(&paths[i]) {
			name := what + pathWords(w.text)
			switch to := j.locate(&w); {
			case w.text == "":
			case to == inside:
				in = append(in, name)
			case to == outside:
				out = append(out, name)
			default:
				open = append(open, name)
			}
		}
	}
	if len(out) > 0 {
		j.add(Risk{Red, DeletesOutside, "Deletes " + joinNames(out) + ", outside the worktree.", line})
	}
	if len(open) > 0 && all {
		text := "Deletes what is not known before it runs: " + joinNames(open) + "."
		if slices.Contains(open, what+"$") {
			text = "Deletes what another command lists."
		}
		j.add(Risk{Red, DeletesOutside, text, line})
	}
	if len(in) > 0 && all {
		j.add(Risk{Yellow, Deletes, "Deletes " + joinNames(in) + ".", line})
	}
}

// pathWords returns the words for a path in a sentence.
func pathWords(name string) string {
	switch name {
	case ".", "./":
		return "this folder"
	case "*", "./*":
		return "all in this folder"
	}
	return short(name)
}

// maxBraces is the number of words at which the expansion of braces stops.
const maxBraces = 64

// braces returns the expansion of a word such as "a{b,c}".
func braces(w *word) []word {
	list := []word{*w}
	for i := 0; w.raw && i < len(list) && len(list) < maxBraces; {
		head, rest, ok := strings.Cut(list[i].text, "{")
		body, tail, closed := strings.Cut(rest, "}")
		if !ok || !closed || !strings.Contains(body, ",") || strings.HasSuffix(head, "$") {
			i++
			continue
		}
		var each []word
		for part := range strings.SplitSeq(body, ",") {
			one := *w
			one.text = head + part + tail
			each = append(each, one)
		}
		list = slices.Replace(list, i, i+1, each...)
	}
	return list
}

// find judges the files that "find" deletes and the commands that it runs.
func (j *judge) find(args []word, c *command, depth int) {
	var at []word
	for i := range args {
		if t := args[i].text; strings.HasPrefix(t, "-") && len(t) > 2 || t == "(" || t == "!" {
			break
		}
		if !strings.HasPrefix(args[i].text, "-") {
			at = append(at, args[i])
		}
	}
	if len(at) == 0 {
		at = []word{{text: ".", raw: true}}
	}
	deletes := false
	for i := 0; i < len(args); i++ {
		switch args[i].text {
		case "-delete":
			if !deletes {
				j.remove("files in ", at, true, args[i].line)
			}
			deletes = true
		case "-exec", "-execdir", "-ok", "-okdir":
			run := args[i+1:]
			if end := slices.IndexFunc(run, func(w word) bool { return w.text == ";" || w.text == "+" }); end >= 0 {
				run = run[:end]
			}
			i += len(run)
			j.findExec(at[:min(len(at), maxBraces)], slices.Clone(run), c, depth)
		}
	}
}

// findExec judges the command that "find" runs for each file below the paths.
func (j *judge) findExec(at, run []word, c *command, depth int) {
	if len(run) == 0 {
		return
	}
	rest := withoutKeywords(run)
	for len(rest) > 0 {
		inner, ok := wrapped(nameOf(&rest[0]), rest[1:])
		if !ok || len(inner) == 0 {
			break
		}
		if slices.Contains(raising, nameOf(&rest[0])) {
			j.command(rest[:1], c, nil, depth+1)
		}
		rest = inner
	}
	if len(rest) > 0 {
		if paths, _, ok := deleted(nameOf(&rest[0]), rest[1:], false); ok && slices.ContainsFunc(paths, func(w word) bool { return strings.Contains(w.text, "{}") }) {
			j.remove("files in ", at, true, rest[0].line)
			return
		}
	}
	for i := range run {
		if strings.Contains(run[i].text, "{}") {
			run[i].open = true
			run[i].text = strings.ReplaceAll(run[i].text, "{}", "$")
		}
	}
	j.command(run, c, nil, depth+1)
}
