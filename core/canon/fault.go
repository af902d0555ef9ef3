package canon

// Fault is one broken rule of a format, in a file, line, name or request. Its text may quote the
// input, so pass it through the sanitizer before printing.
type Fault struct {
	// Rule is the rule's id in the format's conformance table, such as "D3".
	Rule string
	// Field names the member at fault, such as "payload.subtasks[0]", or is empty.
	Field string
	// Offset is the fault's position in the text, in bytes.
	Offset int
	// Reason is a lower-case phrase.
	Reason string
}

func (f *Fault) Error() string { return f.Rule + ": " + f.Reason }

// MaxFindings is the maximum number of faults, and of notes, for one value: the findings of a
// hostile file must not grow with the file.
const MaxFindings = 64

// Findings lists the rules of a format that a readable value breaks. A fault breaks a rule that
// readers enforce. A note is about something odd but allowed.
type Findings struct {
	Faults, Notes []Fault
}

// AddFault lists a fault, unless there are [MaxFindings] already.
func (f *Findings) AddFault(rule, field string, offset int, reason string) {
	add(&f.Faults, rule, field, offset, reason)
}

// AddNote lists a note, unless there are [MaxFindings] already.
func (f *Findings) AddNote(rule, field string, offset int, reason string) {
	add(&f.Notes, rule, field, offset, reason)
}

func add(list *[]Fault, rule, field string, offset int, reason string) {
	if len(*list) < MaxFindings {
		*list = append(*list, Fault{Rule: rule, Field: field, Offset: offset, Reason: reason})
	}
}
