package samp

import (
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/names"
)

// Finding is a fault or note about a log or one of its lines, with what to do about it.
type Finding struct {
	canon.Fault
	Advice string
	// Violation is set for a broken rule, and not for a mere note.
	Violation bool
}

// LineFindings lists the faults and notes of an inspected line, in order. torn means that the
// line has no line end. LineFindings reports every record in somebody else's log (L4), including
// replicas: to tell those apart, the caller would have to read all logs.
func LineFindings(in *Inspection, torn bool) (list []Finding) {
	for _, f := range in.Faults {
		list = append(list, Finding{f, advice(f, in.Malformed), true})
	}
	for _, f := range in.Notes {
		list = append(list, Finding{f, advice(f, false), false})
	}
	if torn {
		list = append(list, Finding{
			canon.Fault{Rule: "W3", Reason: "the last line has no line end: its writer was interrupted, or is still at work"},
			"the next message will start on a line of its own; nothing has to be done", in.Malformed,
		})
	}
	return list
}

func advice(f canon.Fault, malformed bool) string {
	switch {
	case malformed:
		return "readers skip the line; correct it, or leave it: nothing else is lost"
	case f.Rule == "I1":
		return "the message is shown all the same; its writer computes ids differently"
	case f.Rule == "I3":
		return "signalbox compact fills it in"
	case f.Rule == "L2":
		return "nobody with such a name can have a log; the writer should use an alias"
	}
	return ""
}

// NameFindings lists the rules that the name of a log breaks. before holds the stems of the
// logs whose names come earlier.
func NameFindings(stem string, before []string) (list []Finding) {
	owner, copied := CopyOf(stem)
	switch {
	case copied:
		list = append(list, Finding{
			Fault:  canon.Fault{Rule: "S1", Reason: "looks like a sync tool's copy of " + LogName(owner)},
			Advice: "its records are shown once and marked; remove it once " + LogName(owner) + " holds all of them",
		})
	case !ValidAlias(stem):
		list = append(list, Finding{
			Fault:  canon.Fault{Rule: "L2", Reason: strconv.Quote(stem) + " is no alias"},
			Advice: "rename the log to its writer's alias", Violation: true,
		})
	}
	if other, found := sameButCase(before, stem); found {
		list = append(list, Finding{
			Fault:  canon.Fault{Rule: "L2", Reason: "differs only in case from " + LogName(other)},
			Advice: "on a file system without case they are one file: give one writer another alias", Violation: true,
		})
	}
	return list
}

// sameButCase returns the first stem that is the same as this one on a case-insensitive file
// system (rule L2).
func sameButCase(stems []string, stem string) (other string, found bool) {
	for _, l := range stems {
		if l != stem && strings.EqualFold(l, stem) {
			return l, true
		}
	}
	return "", false
}

// ForgedReason returns the reason why a record is not shown as a message from that sender.
func ForgedReason(from string) string {
	if !ValidAlias(from) {
		return "is from " + strconv.QuoteToASCII(from) + ", which is no alias, so that nobody has a log of that name"
	}
	return "claims to be from " + strconv.Quote(from) + ", whose own log does not hold it"
}

// CopyOf returns the alias whose log was copied to a log with that stem (rule S1). It knows the
// suffixes of sync tools and file managers: "alice (1)", "alice(1)", "alice 2", "alice copy 2",
// "alice - Copy", "alice~HEAD", "alice (SFConflict …)". No alias looks like that.
func CopyOf(stem string) (owner string, ok bool) {
	if owner, ok = names.OriginalOf(stem); ok && ValidAlias(owner) {
		return owner, true
	}
	i := strings.IndexAny(stem, " (~")
	if i < 0 || !ValidAlias(stem[:i]) {
		return "", false
	}
	rest := stem[i:]
	for _, sign := range []string{" (", "(", "~", " - "} {
		ok = ok || strings.HasPrefix(rest, sign)
	}
	rest = strings.TrimPrefix(rest, " copy")
	number := strings.TrimPrefix(rest, " ")
	return stem[:i], ok || rest == "" || number != rest && number != "" && strings.Trim(number, "0123456789") == ""
}
