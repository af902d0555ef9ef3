package risk

import (
	"slices"
	"strings"
)

// git judges a git command.
func (j *judge) git(first *word, args []word) {
	saved := j.places
	defer func() { j.places = saved }()
	for len(args) > 0 && strings.HasPrefix(args[0].text, "-") {
		switch args[0].text {
		case "-C":
			if len(args) > 1 {
				j.enter(&args[1])
			}
			fallthrough
		case "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env":
			args = args[min(2, len(args)):]
		default:
			args = args[1:]
		}
	}
	if len(args) == 0 {
		return
	}
	switch args[0].text {
	case "push":
		if text, ok := forced(args[1:]); ok {
			j.add(Risk{Red, ForcePush, text, first.line})
		}
	case "clean":
		j.clean(args[1:], first.line)
	}
}

// forced returns a sentence about what a push overwrites. ok is false if it overwrites nothing.
func forced(args []word) (text string, ok bool) {
	var names []string
	branch, remote := "", ""
	for i := 0; i < len(args); i++ {
		t := args[i].text
		switch option, value, given := strings.Cut(t, "="); {
		case t == "--":
		case option == "--force", option == "--mirror":
			ok = true
		case option == "--force-with-lease":
			ok = true
			if given {
				branch, _, _ = strings.Cut(value, ":")
			}
		case t == "--dry-run", t == "-n":
			return "", false
		case option == "--repo" && given:
			remote = value
		case t == "--push-option", t == "--receive-pack", t == "--exec", t == "--repo", t == "-o":
			i++
		case len(t) > 1 && t[0] == '-' && t[1] != '-':
			if strings.Contains(t, "n") {
				return "", false
			}
			ok = ok || strings.Contains(t, "f")
		case strings.HasPrefix(t, "--"):
		default:
			names = append(names, t)
		}
	}
	if len(names) > 0 {
		remote, names = names[0], names[1:]
	}
	all, marked := rewritten(names)
	switch {
	case ok && len(all) > 0:
		branch = joinNames(all)
	case len(marked) > 0:
		branch, ok = joinNames(marked), true
	}
	return pushText(branch, remote), ok
}

// rewritten returns the remote branches in refspecs: all of them, and those marked with a "+".
func rewritten(refspecs []string) (all, marked []string) {
	for _, spec := range refspecs {
		name, plus := strings.CutPrefix(spec, "+")
		if _, to, ok := strings.Cut(name, ":"); ok {
			name = to
		}
		name = short(strings.TrimPrefix(name, "refs/heads/"))
		if name == "" || name == "HEAD" {
			name = "its branch"
		}
		all = append(all, name)
		if plus {
			marked = append(marked, name)
		}
	}
	return all, marked
}

// pushText returns the sentence about a forced push.
func pushText(branch, remote string) string {
	switch {
	case branch == "" && remote == "":
		return "Force push: rewrites what is on the remote."
	case remote == "":
		return "Force push: rewrites " + branch + " on the remote."
	case branch == "":
		return "Force push: rewrites what is on " + short(remote) + "."
	}
	return "Force push: rewrites " + branch + " on " + short(remote) + "."
}

// clean judges "git clean", which deletes untracked files.
func (j *judge) clean(args []word, line int) {
	force := false
	var paths []word
	for i := range args {
		t := args[i].text
		switch {
		case t == "--dry-run", len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.Contains(t, "n"):
			return
		case t == "--force", len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.Contains(t, "f"):
			force = true
		case !strings.HasPrefix(t, "-") && (i == 0 || !slices.Contains([]string{"-e", "--exclude"}, args[i-1].text)):
			paths = append(paths, args[i])
		}
	}
	if !force {
		return
	}
	if len(paths) == 0 {
		here := word{text: ".", raw: true}
		if j.locate(&here) == inside {
			j.add(Risk{Yellow, Deletes, "Deletes all files that git does not track.", line})
			return
		}
		j.add(Risk{Red, DeletesOutside, "Deletes all files that git does not track, outside the worktree.", line})
		return
	}
	j.remove("", paths, true, line)
}
