package claude

import (
	"strings"
	"testing"
)

// duplicates are lines with the ids that they have, and whether they are copies.
var duplicates = []struct {
	line, id string
	copied   bool
}{
	{`{"type":"user","uuid":"u1","forkedFrom":{"sessionId":"s","messageUuid":"u1"}}`, "u1", true},
	{`{"parentUuid":null, "uuid" : "u2", "message":{"content":"\"uuid\":\"x\""}}`, "u2", false},
	{`{"toolUseResult":{"uuid":"inner"},"uuid":"outer"}`, "outer", false},
	{`{"uuid":7}`, "", false},
	{`{"uuid":"\u0061"}`, "", false},
	{`{"uuid":"cut`, "", false},
	{`{"type":"mode"}`, "", false},
}

func TestDuplicateID(t *testing.T) {
	for _, c := range duplicates {
		if id, copied := duplicateID([]byte(c.line)); id != c.id || copied != c.copied {
			t.Errorf("%s has the id %q, a copy: %v", c.line, id, copied)
		}
	}
}

// FuzzDuplicateID checks that any line is read without a panic, and that its id is in the line.
func FuzzDuplicateID(f *testing.F) {
	for _, c := range duplicates {
		f.Add(c.line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if id, _ := duplicateID([]byte(line)); !strings.Contains(line, id) && strings.Count(line, `"uuid"`) < 2 {
			t.Errorf("%q has the id %q", line, id)
		}
	})
}
