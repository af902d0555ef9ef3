package session

import "testing"

// TestWantsForm checks a question that is a form with a schema.
func TestWantsForm(t *testing.T) {
	for _, c := range []struct{ properties, want string }{
		{`{"a":{"enum":["A","B"]}}`, "an answer: Which? (A / B)"},
		{`{"a":{"oneOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}}`, "an answer: Which? (A / B)"},
		{`{"a":{"type":"string"}}`, "an answer: Which?"},
		{`{"a":{"enum":["A","B"]},"b":{}}`, "an answer: Which?"},
		{`[]`, "an answer: Which?"},
	} {
		if got := Wants("ask_user", []byte(`{"message":"Which?","requestedSchema":{"properties":`+c.properties+`}}`)); got != c.want {
			t.Errorf("%s: %q", c.properties, got)
		}
	}
	if got := Wants("send", []byte(`{"message":"Which?"}`)); got != `permission: send {"message":"Which?"}` {
		t.Errorf("no form: %q", got)
	}
}
