// Package client has the ops of wasm/abi with Go types. Start with [NewSAMP],
// [NewATSF], [NewAGN], [NewAMP], [NewMail] or [NewRender] over any [Caller], such as
// a module that wasm/host or wasm/wasmtime opened.
//
// The package imports wasm/abi and nothing else of this project, and no engine.
package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// Caller runs ops: a module in one of the engines, or the core itself.
type Caller interface {
	// Call runs an op over its two arguments, whose shapes [abi.Ops] shows, and
	// gives the result, which the caller owns. Errors are *[Error], or that of
	// ctx.
	Call(ctx context.Context, op abi.Op, a, b []byte) ([]byte, error)
}

// SAMP are the SAMP ops with Go types. Every method is one call of the module;
// errors are *[Error] from the module, that of the context, or of the JSON
// between them.
type SAMP struct{ caller Caller }

// NewSAMP gives the SAMP ops of any engine.
func NewSAMP(c Caller) SAMP { return SAMP{caller: c} }

// Profile is the form of new records and of computed ids. Empty means V1.
type Profile string

// The profiles of SAMP v1 that are in use.
const (
	V1        Profile = "v1"
	V1Compact Profile = "v1-compact"
)

// Record is one line of a log.
type Record struct {
	// ID is the stored id, empty where there is none; Key is the effective
	// one, and Form what the stored one turned out to be.
	ID, Key, Form string
	// TS is in Unix seconds.
	TS int64
	// From, To, Thread and Body are a stranger's text.
	From, To, Thread, Body string
	// Lossy tells that an escape in the line stood for half a character.
	Lossy bool
}

// Parse reads one line of a log.
func (s SAMP) Parse(ctx context.Context, line []byte, p Profile) (Record, error) {
	var r Record
	return r, s.decode(ctx, &r, abi.SAMPParse, only(p), line)
}

// Fault is a broken rule, or something worth a note.
type Fault struct {
	Rule, Field, Reason string
	// Offset is in bytes from the start of the line; in a [Finding], of the
	// log.
	Offset int64
}

// Inspection is what one line shows about the rules.
type Inspection struct {
	Malformed bool
	// Form is empty for a malformed line.
	Form          string
	Faults, Notes []Fault
}

// Inspect checks one line of the log with the given file name.
func (s SAMP) Inspect(ctx context.Context, log string, line []byte) (Inspection, error) {
	var in Inspection
	if err := checkText(abi.SAMPInspect, log); err != nil {
		return in, err
	}
	return in, s.decode(ctx, &in, abi.SAMPInspect, struct {
		Log string `json:"log"`
	}{log}, line)
}

// Finding is a fault or note in a log.
type Finding struct {
	Fault
	// Line counts from 1.
	Line int64
	// Level is "fault" or "note".
	Level string
}

// Validation is what a whole log shows about the rules.
type Validation struct {
	Lines, Malformed int64
	// Torn tells that the last line has no line end.
	Torn bool
	// Forms counts the records by the form of their id.
	Forms    map[string]int64
	Findings []Finding
	// More counts the findings beyond the limit.
	More int64
}

// Validate checks every line of the log with the given file name. At most limit
// findings are listed, or [abi.DefaultFindings] if it is 0.
func (s SAMP) Validate(ctx context.Context, log string, data []byte, limit int64) (Validation, error) {
	var v Validation
	if err := checkText(abi.SAMPValidate, log); err != nil {
		return v, err
	}
	return v, s.decode(ctx, &v, abi.SAMPValidate, struct {
		Log   string `json:"log"`
		Limit int64  `json:"limit"`
	}{log, cmp.Or(limit, abi.DefaultFindings)}, data)
}

// ID computes a line's id in a profile's form, over the fields that it has.
func (s SAMP) ID(ctx context.Context, line []byte, p Profile) (string, error) {
	id, err := s.bytes(ctx, abi.SAMPID, only(p), line)
	return string(id), err
}

// Canonical gives the text that a profile hashes.
func (s SAMP) Canonical(ctx context.Context, line []byte, p Profile) ([]byte, error) {
	return s.bytes(ctx, abi.SAMPCanonical, only(p), line)
}

// Thread derives a new message's thread from its body, and gives the body that
// is stored. date is YYYY-MM-DD, local in V1 and UTC in V1Compact.
func (s SAMP) Thread(ctx context.Context, body, from, date string, p Profile) (thread, stored string, err error) {
	var r struct{ Thread, Body string }
	if err := checkText(abi.SAMPThread, from, date); err != nil {
		return "", "", err
	}
	err = s.decode(ctx, &r, abi.SAMPThread, struct {
		From    string  `json:"from"`
		Date    string  `json:"date"`
		Profile Profile `json:"profile"`
	}{from, date, p.orDefault()}, []byte(body))
	return r.Thread, r.Body, err
}

// Build makes the line of a new message, with its line end, to be appended to
// the log of from. ts is in Unix seconds.
func (s SAMP) Build(ctx context.Context, from, to, thread, body string, ts int64, p Profile) ([]byte, error) {
	if err := checkText(abi.SAMPBuild, from, to, thread); err != nil {
		return nil, err
	}
	return s.bytes(ctx, abi.SAMPBuild, struct {
		From    string  `json:"from"`
		To      string  `json:"to"`
		Thread  string  `json:"thread"`
		TS      int64   `json:"ts"`
		Profile Profile `json:"profile"`
	}{from, to, thread, ts, p.orDefault()}, []byte(body))
}

// Compaction is what compacting did to a log.
type Compaction struct {
	// Changed tells whether the log has to be rewritten with Data.
	Changed bool
	// Before and After count lines, Filled the records that got an id,
	// Malformed the unreadable lines and Conflicts the records under an id
	// that another had before; these two are kept.
	Before, After, Filled, Malformed, Conflicts int64
	Data                                        []byte `json:"-"`
}

// Compact drops a log's duplicates and blank lines and fills in missing ids.
func (s SAMP) Compact(ctx context.Context, data []byte, p Profile) (Compaction, error) {
	var c Compaction
	result, err := s.bytes(ctx, abi.SAMPCompact, only(p), data)
	if err != nil {
		return c, err
	}
	header, rest, _ := bytes.Cut(result, []byte{'\n'})
	c.Data = rest
	return c, json.Unmarshal(header, &c)
}

// Watermark is what a reader has seen: everything before TS, in Unix seconds,
// and of later mail what IDs lists.
type Watermark struct {
	TS  int64    `json:"ts"`
	IDs []string `json:"ids"`
}

// MarshalJSON writes the watermark as its file holds it, IDs as an array even
// if it is nil.
func (w Watermark) MarshalJSON() ([]byte, error) {
	type plain Watermark
	if w.IDs == nil {
		w.IDs = []string{}
	}
	return json.Marshal(plain(w))
}

// Watermark reads a watermark file. now, in Unix seconds, caps its time.
func (s SAMP) Watermark(ctx context.Context, file []byte, now int64) (Watermark, error) {
	var w Watermark
	return w, s.decode(ctx, &w, abi.SAMPWatermark, struct {
		Now int64 `json:"now"`
	}{now}, file)
}

// Alias says whether a name may be read and written, and which files it has.
type Alias struct {
	// Valid is what reading asks of the name, and Allowed what writing asks.
	Valid, Allowed bool
	// Reason says why it is not allowed.
	Reason string
	// Log and Watermark are file names, empty for a name that is not valid.
	Log, Watermark string
}

// Alias checks a name.
func (s SAMP) Alias(ctx context.Context, name string) (Alias, error) {
	var a Alias
	return a, s.decode(ctx, &a, abi.SAMPAlias, struct{}{}, []byte(name))
}

func (p Profile) orDefault() Profile { return cmp.Or(p, V1) }

type profileOnly struct {
	Profile Profile `json:"profile"`
}

func only(p Profile) profileOnly { return profileOnly{p.orDefault()} }

// checkText refuses what encoding/json would silently change.
func checkText(op abi.Op, texts ...string) error {
	for _, s := range texts {
		if !utf8.ValidString(s) {
			return &Error{Op: op, Code: abi.BadArgument, Message: "not valid UTF-8: " + strconv.QuoteToASCII(s[:min(len(s), 80)])}
		}
	}
	return nil
}

func (s SAMP) bytes(ctx context.Context, op abi.Op, params any, b []byte) ([]byte, error) {
	a, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	return s.caller.Call(ctx, op, a, b)
}

func (s SAMP) decode(ctx context.Context, into any, op abi.Op, params any, b []byte) error {
	result, err := s.bytes(ctx, op, params, b)
	if err != nil {
		return err
	}
	return json.Unmarshal(result, into)
}

// Log is a log's file name and its bytes.
type Log struct {
	Name string
	Data []byte
}

// join puts logs one after the other, as samp.inbox takes them.
func join(op abi.Op, logs []Log) (list []logLength, data []byte, err error) {
	size := 0
	for _, l := range logs {
		size += len(l.Data)
	}
	data = slices.Grow(data, size)
	list = make([]logLength, 0, len(logs))
	for _, l := range logs {
		if err := checkText(op, l.Name); err != nil {
			return nil, nil, err
		}
		list = append(list, logLength{l.Name, len(l.Data)})
		data = append(data, l.Data...)
	}
	return list, data, nil
}

type logLength struct {
	Name   string `json:"name"`
	Length int    `json:"length"`
}
