package samp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/names"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// strayOf returns an alias if a file may be a copy of the alias's log under a name that isn't
// read: "Copy of log-alice.jsonl", "log-alice.jsonl.bak", "log-alice.jsonl~". Hidden,
// temporary and lock files are no such copies.
func strayOf(name string) (owner string, ok bool) {
	const ending = ".jsonl"
	start := strings.Index(name, "log-")
	if _, log := samp.LogStem(name); log || start < 0 || strings.ContainsAny(name[:1], ".#~") || strings.HasSuffix(name, ".lock") {
		return "", false
	}
	before, rest := name[:start], name[start:]
	end := strings.Index(rest, ending)
	if end < 0 || before != "" && names.Alphanumeric(before[start-1]) {
		return "", false
	}
	log, after := rest[:end+len(ending)], rest[end+len(ending):]
	if after != "" && names.Alphanumeric(after[0]) {
		return "", false
	}
	stem, _ := samp.LogStem(log)
	if owner, ok = samp.CopyOf(stem); ok {
		return owner, true
	}
	return stem, samp.ValidAlias(stem)
}

// stray returns a problem for a file that may be a copy of a log and is not read, or nil.
func (d *Dir) stray(name string) *Problem {
	owner, ok := strayOf(name)
	if !ok {
		return nil
	}
	if info, err := d.root.Lstat(name); err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil
	}
	log := samp.LogName(owner)
	return &Problem{
		Rule: "S1", File: name, Reason: fmt.Sprintf("may be a copy of %s, and is not read: its name is no log's", log),
		Advice: fmt.Sprintf("remove it if %s holds all of it; else rename it to %q, and its records are shown once and marked", log, samp.LogName(owner+" copy")),
	}
}

// iCloudPlaceholder returns a problem for a placeholder ".log-alice.jsonl.icloud", whose log is
// only in iCloud, or nil. all lists the directory's names, sorted.
func iCloudPlaceholder(name string, all []string) *Problem {
	log, ok := strings.CutSuffix(strings.TrimPrefix(name, "."), ".icloud")
	if _, named := samp.LogStem(log); !ok || !named || name[0] != '.' {
		return nil
	}
	if _, here := slices.BinarySearch(all, log); here {
		return nil
	}
	return &Problem{
		Rule: "R3", File: name, Violation: true,
		Reason: "stands for " + log + ", which iCloud has not on this machine: its mail is not shown",
		Advice: "download it in Finder, and choose \"Keep Downloaded\" for the directory",
	}
}
