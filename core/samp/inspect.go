package samp

import (
	"errors"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Inspection is the result of checking one line of a log against the rules (rule C3).
type Inspection struct {
	// Record is set unless the line is malformed (R1, R2, R3).
	Record Record
	// Form is how the stored id was computed.
	Form Form
	// Malformed is set if the line is not a record. Readers skip it.
	Malformed bool
	canon.Findings
}

// Inspect checks a line of the log with that stem. Like [ParseInPlace] it overwrites raw, and the
// record is valid until the caller changes raw.
func Inspect(raw []byte, stem string) Inspection {
	rec, err := ParseInPlace(raw)
	if err != nil {
		f, _ := errors.AsType[*canon.Fault](err)
		return Inspection{Malformed: true, Findings: canon.Findings{Faults: []canon.Fault{*f}}}
	}
	in := Inspection{Record: rec, Form: Identify(&rec)}
	in.aliases()
	in.provenance(stem)
	in.id()
	if rec.TS < 0 {
		in.AddFault("R1", "ts", 0, "the time lies before 1970")
	}
	if rec.Lossy {
		in.AddNote("R2", "", 0, "an escape stands for half a character and reads as U+FFFD")
	}
	if n := utf8.RuneCountInString(rec.Body); n > MaxBody {
		in.AddNote("R4", "body", 0, "the body is longer than the 65536 characters that writers allow")
	}
	return in
}

func (in *Inspection) aliases() {
	for _, a := range [...]struct{ field, alias string }{{"from", in.Record.From}, {"to", in.Record.To}} {
		if !ValidAlias(a.alias) {
			in.AddFault("L2", a.field, 0, quote(a.field)+" is not an alias: "+quote(a.alias))
		}
	}
}

func (in *Inspection) provenance(stem string) {
	switch ProvenanceOf(stem, in.Record.From) {
	case Copied:
		in.AddNote("S1", "from", 0, "a copy of "+quote(in.Record.From)+"'s record, made by a sync tool")
	case Foreign:
		if !ValidAlias(in.Record.From) {
			in.AddFault("L4", "from", 0, "the record is from "+quote(in.Record.From)+", and nobody can have a log of that name")
			return
		}
		in.AddFault("L4", "from", 0, "the record claims to be from "+quote(in.Record.From)+", whose log this is not")
	}
}

func (in *Inspection) id() {
	switch in.Form {
	case FormMissing:
		in.AddNote("I3", "id", 0, "the record has no id, as records from before ids")
	case FormASCII:
		in.AddFault("I1", "id", 0, "the id was computed over escaped text")
	case FormUnnormalised:
		in.AddFault("I1", "id", 0, "the id was computed over a body that is not in NFC")
	case FormWrong:
		in.AddFault("I1", "id", 0, "the id "+quote(in.Record.ID)+" is not the one that the content gives")
	}
}
