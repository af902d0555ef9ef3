package samp_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// fault returns err as a *Fault, which every reader of this package returns.
func fault(t *testing.T, err error) *canon.Fault {
	t.Helper()
	f, ok := errors.AsType[*canon.Fault](err)
	if !ok {
		t.Fatalf("got error %v, want a Fault", err)
	}
	return f
}

// TestParse reads what §2 allows.
func TestParse(t *testing.T) {
	plain := samp.Record{ID: "d5ae47a1d71b7723", TS: 5, From: "a", To: "b", Thread: "t", Body: "x"}
	without := func(change func(*samp.Record)) samp.Record {
		r := plain
		change(&r)
		return r
	}
	noID := without(func(r *samp.Record) { r.ID = "" })
	long := strings.Repeat("日本語 \"quoted\"\n", 400_000)
	for _, c := range []struct {
		name, line string
		want       samp.Record
	}{
		{"R1/all fields", `{"id":"d5ae47a1d71b7723","ts":5,"from":"a","to":"b","thread":"t","body":"x"}`, plain},
		{"R1/unknown fields", `{"id":"d5ae47a1d71b7723","ts":5,"x":{"to":["b",null]},"from":"a","to":"b","TO":"c","thread":"t","body":"x","":1.5e9}`, plain},
		{"R1/time before 1970", `{"ts":-5,"from":"a","to":"b","thread":"t","body":"x"}`, without(func(r *samp.Record) { r.ID, r.TS = "", -5 })},
		{"R1/largest time", `{"ts":9223372036854775807,"from":"a","to":"b","thread":"t","body":"x"}`, without(func(r *samp.Record) { r.ID, r.TS = "", 1<<63-1 })},
		{"R1/all empty", `{"ts":0,"from":"","to":"","thread":"","body":""}`, samp.Record{}},
		{"R1/names that are no aliases", `{"ts":0,"from":"../x","to":"b c","thread":"","body":""}`, samp.Record{From: "../x", To: "b c"}},
		{"R2/any order, line end", "{\"body\":\"x\",\"thread\":\"t\",\"to\":\"b\",\"from\":\"a\",\"ts\":5,\"id\":\"d5ae47a1d71b7723\"}\n", plain},
		{"R2/carriage return and spaces", " \t{ \"body\" : \"x\" , \"thread\":\"t\",\"to\":\"b\",\"from\":\"a\",\"ts\": 5 ,\"id\":\"d5ae47a1d71b7723\" } \r\n", plain},
		{"R2/escaped names", `{"\u0069d":"d5ae47a1d71b7723","t\u0073":5,"\u0066rom":"a","\u0074\u006f":"b","threa\u0064":"t","b\u006fdy":"x"}`, plain},
		{"R2/escaped values", `{"ts":5,"from":"\u0061","to":"\u0062","thread":"\u0074","body":"\u0078"}`, noID},
		{"R2/pair of surrogates", `{"ts":0,"from":"","to":"","thread":"","body":"\ud83d\ude00"}`, samp.Record{Body: "😀"}},
		{"R2/half a pair", `{"ts":0,"from":"","to":"","thread":"","body":"\ud83d."}`, samp.Record{Body: "\ufffd.", Lossy: true}},
		{"R2/nul and controls", `{"ts":0,"from":"","to":"","thread":"","body":"\u0000\u001b\n"}`, samp.Record{Body: "\x00\x1b\n"}},
		{"R2/raw U+2028 ends no line", "{\"ts\":0,\"from\":\"\",\"to\":\"\",\"thread\":\"\",\"body\":\"\u2028\u0085\"}", samp.Record{Body: "\u2028\u0085"}},
		{"I3/no id", `{"ts":5,"from":"a","to":"b","thread":"t","body":"x"}`, noID},
		{"I3/empty id", `{"id":"","ts":5,"from":"a","to":"b","thread":"t","body":"x"}`, noID},
		{"I3/null id", `{"id":null,"ts":5,"from":"a","to":"b","thread":"t","body":"x"}`, noID},
		{"R4/ten megabytes", string((&samp.Record{ID: "d5ae47a1d71b7723", TS: 5, From: "a", To: "b", Thread: "t", Body: long}).Append(nil)), without(func(r *samp.Record) { r.Body = long })},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := samp.Parse([]byte(c.line))
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Error(cmp.Diff(c.want, got))
			}
		})
	}
}

// malformed are lines that are no record, with the fault each has.
var malformed = []struct {
	name, line, rule, field string
	offset                  int
	reason                  string
}{
	{"R1/fraction as time", `{"ts":5.0,"from":"a","to":"b","thread":"t","body":"x"}`, "R1", "ts", 6, `"ts" is not an integer: "5.0"`},
	{"R1/exponent in time", `{"ts":1e9,"from":"a","to":"b","thread":"t","body":"x"}`, "R1", "ts", 6, `"ts" is not an integer: "1e9"`},
	{"R1/time as text", `{"ts":"5","from":"a","to":"b","thread":"t","body":"x"}`, "R1", "ts", 6, `"ts" is a string, not an integer`},
	{"R1/time as boolean", `{"ts":true,"from":"a","to":"b","thread":"t","body":"x"}`, "R1", "ts", 6, `"ts" is a boolean, not an integer`},
	{"R1/null time", `{"ts":null,"from":"a","to":"b","thread":"t","body":"x"}`, "R1", "ts", 6, `"ts" is null, not an integer`},
	{"R1/time of 65 bits", `{"ts":9223372036854775808,"from":"a","to":"b","thread":"t","body":"x"}`, "R1", "ts", 6, `"ts" does not fit in 64 bits: 9223372036854775808`},
	{"R2/invalid UTF-8 in a body", "{\"ts\":5,\"from\":\"a\",\"to\":\"b\",\"thread\":\"t\",\"body\":\"x\xff\"}", "R2", "", 50, "the line is not valid UTF-8"},
	{"R2/surrogate in UTF-8", "{\"x\":\"\xed\xa0\x80\",\"ts\":5,\"from\":\"a\",\"to\":\"b\",\"thread\":\"t\",\"body\":\"x\"}", "R2", "", 6, "the line is not valid UTF-8"},
	{"R2/overlong UTF-8", "{\"x\":\"\xc0\xaf\"}", "R2", "", 6, "the line is not valid UTF-8"},
	{"R2/cut in a character", "{\"ts\":5,\"body\":\"\xf0\x9f", "R2", "", 16, "the line is not valid UTF-8"},
	{"R3/empty", "", "R3", "", 0, "not a JSON object: empty text at byte 1"},
	{"R3/not JSON", "hello", "R3", "", 0, "not a JSON object: expected a value at byte 1"},
	{"R3/array", `[{"ts":5}]`, "R3", "", 0, "not a JSON object: not an object at byte 1"},
	{"R3/text", `"x"`, "R3", "", 0, "not a JSON object: not an object at byte 1"},
	{"R3/null", "null", "R3", "", 0, "not a JSON object: not an object at byte 1"},
	{"R3/torn", `{"ts":5,"from":"a`, "R3", "", 17, "not a JSON object: a string is not closed at byte 18"},
	{"R3/torn and written on", `{"ts":5,"from":"a{"ts":5,"from":"a","to":"b","thread":"t","body":"x"}`, "R3", "", 19, "not a JSON object: expected a comma or the end of the object or array at byte 20"},
	{"R3/two objects", `{"ts":5,"from":"a","to":"b","thread":"t","body":"x"}{}`, "R3", "", 52, "not a JSON object: text after the value at byte 53"},
	{"R3/trailing comma", `{"ts":5,"from":"a","to":"b","thread":"t","body":"x",}`, "R3", "", 52, "not a JSON object: expected a member name in quotes at byte 53"},
	{"R3/python's NaN", `{"ts":5,"from":"a","to":"b","thread":"t","body":"x","y":NaN}`, "R3", "", 56, "not a JSON object: expected a value at byte 57"},
	{"R3/byte order mark", "\ufeff" + `{"ts":5,"from":"a","to":"b","thread":"t","body":"x"}`, "R3", "", 0, "the line starts with a byte order mark"},
	{"R3/too deep", `{"ts":5,"from":"a","to":"b","thread":"t","body":"x","y":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + "}", "R3", "", 119, "not a JSON object: nested more than 64 levels deep at byte 120"},
	{"R3/raw line end in a body", "{\"ts\":5,\"from\":\"a\",\"to\":\"b\",\"thread\":\"t\",\"body\":\"x\ny\"}", "R3", "", 50, "not a JSON object: a control character in a string is not escaped at byte 51"},
	{"R3/duplicate key", `{"ts":5,"from":"a","to":"b","thread":"t","body":"x","to":"c"}`, "R3", "to", 57, `the record has "to" twice`},
	{"R3/duplicate key with the same value", `{"ts":5,"ts":5,"from":"a","to":"b","thread":"t","body":"x"}`, "R3", "ts", 13, `the record has "ts" twice`},
	{"R3/duplicate key, once escaped", `{"ts":5,"from":"a","to":"b","thread":"t","body":"x","\u0074\u006f":"b"}`, "R3", "to", 67, `the record has "to" twice`},
	{"R3/duplicate id, once null", `{"id":null,"id":"x","ts":5,"from":"a","to":"b","thread":"t","body":"x"}`, "R3", "id", 16, `the record has "id" twice`},
	{"R3/duplicate unknown key", `{"ts":5,"from":"a","to":"b","thread":"t","body":"x","y":1,"y":1}`, "R3", "y", 62, `the record has "y" twice`},
	{"R3/no time", `{"from":"a","to":"b","thread":"t","body":"x"}`, "R3", "ts", 0, `the record has no "ts"`},
	{"R3/no from", `{"ts":5,"to":"b","thread":"t","body":"x"}`, "R3", "from", 0, `the record has no "from"`},
	{"R3/no to", `{"ts":5,"from":"a","thread":"t","body":"x"}`, "R3", "to", 0, `the record has no "to"`},
	{"R3/no thread", `{"ts":5,"from":"a","to":"b","body":"x"}`, "R3", "thread", 0, `the record has no "thread"`},
	{"R3/no body", `{"ts":5,"from":"a","to":"b","thread":"t"}`, "R3", "body", 0, `the record has no "body"`},
	{"R3/names in capitals", `{"TS":5,"From":"a","To":"b","Thread":"t","Body":"x"}`, "R3", "ts", 0, `the record has no "ts"`},
	{"R3/nothing", `{}`, "R3", "ts", 0, `the record has no "ts"`},
	{"R3/number as body", `{"ts":5,"from":"a","to":"b","thread":"t","body":1}`, "R3", "body", 48, `"body" is a number, not a string`},
	{"R3/null body", `{"ts":5,"from":"a","to":"b","thread":"t","body":null}`, "R3", "body", 48, `"body" is null, not a string`},
	{"R3/list of recipients", `{"ts":5,"from":"a","to":["b"],"thread":"t","body":"x"}`, "R3", "to", 24, `"to" is an array, not a string`},
	{"R3/object as from", `{"ts":5,"from":{},"to":"b","thread":"t","body":"x"}`, "R3", "from", 15, `"from" is an object, not a string`},
	{"R3/number as id", `{"id":7,"ts":5,"from":"a","to":"b","thread":"t","body":"x"}`, "R3", "id", 6, `"id" is a number, not a string`},
}

// TestParseMalformed wants each fault named with its rule, field and place.
func TestParseMalformed(t *testing.T) {
	for _, c := range malformed {
		t.Run(c.name, func(t *testing.T) {
			r, err := samp.Parse([]byte(c.line))
			if (r != samp.Record{}) {
				t.Errorf("a record came with the fault: %+v", r)
			}
			want := &canon.Fault{Rule: c.rule, Field: c.field, Offset: c.offset, Reason: c.reason}
			if diff := cmp.Diff(want, fault(t, err)); diff != "" {
				t.Error(diff)
			}
			if err.Error() != c.rule+": "+c.reason {
				t.Error(err)
			}
			if _, err := samp.ParseInPlace([]byte(c.line)); fault(t, err).Reason != c.reason {
				t.Errorf("in place: %v", err)
			}
		})
	}
}

// TestMalformedNeverStops reads a log of every malformed line with a good one
// after each.
func TestMalformedNeverStops(t *testing.T) {
	good := `{"ts":5,"from":"a","to":"b","thread":"t","body":"x"}` + "\n"
	var log string
	lines := 0
	for _, c := range malformed {
		if strings.Contains(c.line, "\n") || c.line == "" {
			continue
		}
		lines++
		log += c.line + "\n" + good
	}
	found, scan := samp.Find([]byte(log), "a", 3, new("b"), samp.V1)
	if len(found) != lines || scan.Lines != 2*lines || scan.Complete != len(log) {
		t.Errorf("R3: %d records, %+v; want %d records", len(found), scan, lines)
	}
	// The filter passes over lines that name somebody else or nobody at all.
	if scan.Malformed < lines-2 || scan.Malformed > lines {
		t.Errorf("R3: %d malformed lines, want about %d", scan.Malformed, lines)
	}
}

// TestHostileQuotes holds that a fault never carries raw input, nor all of it.
func TestHostileQuotes(t *testing.T) {
	evil := `\u001b[2J\u202e` + strings.Repeat("x", 10_000)
	for _, line := range []string{
		`{"ts":5,"` + evil + `":1,"` + evil + `":1}`,
		`{"ts":` + strings.Repeat("9", 10_000) + `}`,
		`{"ts":1.` + strings.Repeat("9", 10_000) + `}`,
	} {
		_, err := samp.Parse([]byte(line))
		if text := fault(t, err).Reason; len(text) > 300 || strings.ContainsAny(text, "\x1b\u202e") {
			t.Errorf("R3: reason of %d bytes: %q", len(text), text)
		}
	}
}

// TestAppend holds the line that the published tool writes, to the byte.
func TestAppend(t *testing.T) {
	r := samp.Record{ID: "x", TS: -7, From: "a", To: "b", Thread: "t\"", Body: "é\u2028<\x7f\n\x00"}
	want := `{"id": "x", "ts": -7, "from": "a", "to": "b", "thread": "t\"", "body": "é` + "\u2028<\x7f" + `\n\u0000"}` + "\n"
	if got := string(r.Append([]byte("> "))); got != "> "+want {
		t.Errorf("R2: %s, want %s", got, want)
	}
}

// TestContent tells records apart by every field but the id.
func TestContent(t *testing.T) {
	base := samp.Record{ID: "1", TS: 1, From: "a", To: "b", Thread: "t", Body: "caf\u00e9"}
	for _, c := range []struct {
		name   string
		change func(*samp.Record)
		want   bool
	}{
		{"nothing", func(*samp.Record) {}, true},
		{"id", func(r *samp.Record) { r.ID = "2" }, true},
		{"body in another normal form", func(r *samp.Record) { r.Body = "cafe\u0301" }, true},
		{"body", func(r *samp.Record) { r.Body = "cafe" }, false},
		{"time", func(r *samp.Record) { r.TS = 2 }, false},
		{"from", func(r *samp.Record) { r.From = "x" }, false},
		{"to", func(r *samp.Record) { r.To = "x" }, false},
		{"thread", func(r *samp.Record) { r.Thread = "x" }, false},
	} {
		t.Run("S1/"+c.name, func(t *testing.T) {
			other := base
			c.change(&other)
			if got := base.Content() == other.Content(); got != c.want {
				t.Errorf("got %v", got)
			}
		})
	}
}
