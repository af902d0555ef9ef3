package risk

import (
	"path"
	"slices"
	"strings"
)

// A judge collects the risks of commands.
type judge struct {
	places
	found []Risk
	// lines is set if the command has several lines. literal is set if a backslash is not an
	// escape character in it.
	lines, literal bool
}

// run judges a sequence of commands.
func (j *judge) run(list []command, depth int) {
	if depth > maxDepth {
		return
	}
	for i := range list {
		c := &list[i]
		if len(c.group) > 0 {
			before := j.places
			j.run(c.group, depth+1)
			j.places = before
		}
		for k := range c.words {
			before := j.places
			j.run(c.words[k].inner, depth+1)
			j.places = before
		}
		if len(c.words) == 0 || c.words[0].text != "[[" {
			for k := range c.writes {
				j.write(c.writes[k])
			}
		}
		j.downloads(list, i)
		j.command(c.words, c, list[:i], depth)
	}
}

// command judges one command by its words. before contains the preceding commands.
func (j *judge) command(words []word, c *command, before []command, depth int) {
	words = withoutKeywords(words)
	if len(words) == 0 || depth > maxDepth {
		return
	}
	first, args := &words[0], words[1:]
	name := nameOf(first)
	if slices.Contains(raising, name) {
		j.add(Risk{Red, Sudo, "Runs with another user's rights: " + name + ".", first.line})
	}
	if inner, line, ok := script(name, args); ok {
		literal := slices.Contains([]string{"powershell", "pwsh", "cmd"}, name)
		saved := j.places
		j.run(read(inner, line, depth+1, literal), depth+1)
		if name != "eval" {
			j.places = saved
		}
		return
	}
	if slices.Contains(shells, name) && !hasFile(args) { // the shell runs its input
		for k := range c.docs {
			saved := j.places
			j.run(read(c.docs[k].text, c.docs[k].line, depth+1, false), depth+1)
			j.places = saved
		}
	}
	if rest, ok := wrapped(name, args); ok {
		j.runWrapped(name, rest, c, before, depth)
		return
	}
	switch name {
	case "cd", "pushd", "set-location", "chdir":
		j.cd(args)
	case "popd":
		j.lost = true
	case "git":
		j.git(first, args)
	case "apply_patch", "applypatch":
		for _, w := range append(slices.Clone(args), c.docs...) {
			j.patch(w.text)
		}
	case "find":
		j.find(args, c, depth)
	case "tee":
		for k := range args {
			if !strings.HasPrefix(args[k].text, "-") {
				j.write(args[k])
			}
		}
	default:
		j.deletes(name, first, args)
	}
	j.database(words, c, before)
}

// runWrapped judges the command that a wrapper such as "env" or "xargs" runs.
func (j *judge) runWrapped(name string, rest []word, c *command, before []command, depth int) {
	switch name {
	case "ssh": // on another machine, where every path is outside the work tree
		var text []string
		for _, w := range rest {
			text = append(text, w.text)
		}
		if len(text) > 0 {
			saved := j.places
			j.places = places{root: "/ssh", dir: "/elsewhere"}
			j.run(read(strings.Join(text, " "), rest[0].line, depth+1, false), depth+1)
			j.places = saved
		}
	case "xargs":
		// The words that xargs adds are not known.
		j.command(append(slices.Clone(rest), word{text: "$", open: true}), c, before, depth+1)
	default:
		j.command(rest, c, before, depth+1)
	}
}

func (j *judge) cd(args []word) {
	for k := range args {
		if w := &args[k]; w.text == "-" || !strings.HasPrefix(w.text, "-") {
			j.enter(w)
			return
		}
	}
	j.lost = true // the user's folder
	if j.home != "" {
		j.dir, j.lost = j.home, false
	}
}

// nameOf returns the name of the program that a word runs.
func nameOf(w *word) string {
	name := strings.ReplaceAll(w.text, `\`, "/")
	name = strings.ToLower(path.Base(name))
	return strings.TrimSuffix(name, ".exe")
}

// shellKeywords lists the words of shells that may precede a command.
var shellKeywords = []string{"if", "then", "else", "elif", "while", "until", "do", "!", "{", "}", "time", "coproc", "&"}

// withoutKeywords returns a command's words without leading shell keywords and assignments.
func withoutKeywords(words []word) []word {
	for len(words) > 0 {
		w := &words[0]
		key, _, value := strings.Cut(w.text, "=")
		if !(w.raw && slices.Contains(shellKeywords, w.text)) && !(value && key != "" && strings.Trim(key, nameChars) == "" && (key[0] < '0' || key[0] > '9')) {
			return words
		}
		words = words[1:]
	}
	return nil
}

const nameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+"

// write judges a file that a command or tool writes.
func (j *judge) write(w word) {
	name := strings.ToLower(w.text)
	if strings.HasPrefix(name, "/dev/") || name == "nul" || name == "$null" {
		return
	}
	if j.locate(&w) == outside {
		j.add(Risk{Yellow, WritesOutside, "Writes " + short(w.text) + ", outside the worktree.", w.line})
	}
}

// maxShort is how many bytes of a name are shown in a sentence.
const maxShort = 120

// short returns an untrusted text in one line, cut to [maxShort].
func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxShort {
		text = strings.ToValidUTF8(text[:maxShort], "") + "…"
	}
	return text
}

// joinNames joins names with commas and "and". It names at most three.
func joinNames(names []string) string {
	switch n := len(names); {
	case n == 0:
		return ""
	case n == 1:
		return names[0]
	case n > 3:
		return strings.Join(names[:2], ", ") + " and more"
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}
