package samp

import (
	"errors"
	"unicode/utf8"
)

// Inspection is all that one line of a log shows about the rules (rule C3).
type Inspection struct {
	// Record is set unless Faults holds a malformation (R1, R2, R3).
	Record Record
	// Form is what the stored id is.
	Form Form
	// Malformed tells that the line is no record and that readers skip it.
	Malformed bool
	// Faults are the violations, in the order they were found, and Notes
	// what is allowed but worth knowing.
	Faults, Notes []Fault
}

// Inspect checks a line of the log with the given stem. Like [ParseInPlace] it
// overwrites raw, and the record is valid until the caller changes raw.
func Inspect(raw []byte, stem string) Inspection {
	rec, err := ParseInPlace(raw)
	if err != nil {
		f, _ := errors.AsType[*Fault](err)
		return Inspection{Malformed: true, Faults: []Fault{*f}}
	}
	in := Inspection{Record: rec, Form: Identify(&rec)}
	in.aliases()
	in.filing(stem)
	in.id()
	if rec.TS < 0 {
		in.fault("R1", "ts", "the time lies before 1970")
	}
	if rec.Lossy {
		in.note("R2", "", "an escape stands for half a character and reads as U+FFFD")
	}
	if n := utf8.RuneCountInString(rec.Body); n > MaxBody {
		in.note("R4", "body", "the body is longer than the 65536 characters that writers allow")
	}
	return in
}

func (in *Inspection) fault(rule, field, reason string) {
	in.Faults = append(in.Faults, Fault{Rule: rule, Field: field, Reason: reason})
}

func (in *Inspection) note(rule, field, reason string) {
	in.Notes = append(in.Notes, Fault{Rule: rule, Field: field, Reason: reason})
}

func (in *Inspection) aliases() {
	for _, a := range [...]struct{ field, alias string }{{"from", in.Record.From}, {"to", in.Record.To}} {
		if !ValidAlias(a.alias) {
			in.fault("L2", a.field, quote(a.field)+" is no alias: "+quote(a.alias))
		}
	}
}

func (in *Inspection) filing(stem string) {
	switch FilingOf(stem, in.Record.From) {
	case Copied:
		in.note("S1", "from", "a copy of "+quote(in.Record.From)+"'s record, made by a sync tool")
	case Misfiled:
		if !ValidAlias(in.Record.From) {
			in.fault("L4", "from", "the record is from "+quote(in.Record.From)+", and nobody can have a log of that name")
			return
		}
		in.fault("L4", "from", "the record claims to be from "+quote(in.Record.From)+", whose log this is not")
	}
}

func (in *Inspection) id() {
	switch in.Form {
	case FormMissing:
		in.note("I3", "id", "the record has no id, as records from before ids")
	case FormASCII:
		in.fault("I1", "id", "the id was computed over escaped text")
	case FormUnnormalised:
		in.fault("I1", "id", "the id was computed over a body that is not in NFC")
	case FormWrong:
		in.fault("I1", "id", "the id "+quote(in.Record.ID)+" is not the one that the content gives")
	}
}
