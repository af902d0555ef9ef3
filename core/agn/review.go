package agn

import (
	"strconv"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Request is the payload of a review_request.
type Request struct {
	// DispatchRef and ResultRef are ids of messages.
	DispatchRef, ResultRef string
	// Scope is full or incremental.
	Scope string
	// DiffURL is a URL or a path, as a stranger wrote it.
	DiffURL     string
	RejectCount int64
	Notes       string
	// CI is the state of each build, in the message's order, with whatever else the
	// object holds, such as last_updated (rule C12).
	CI []Build
}

// Build is one member of ci_status.
type Build struct{ Name, Status string }

// Status returns the state of one build, or "". The one that gates a review is
// called xcode_cloud (rule Q8).
func (r *Request) Status(name string) string {
	for _, b := range r.CI {
		if b.Name == name {
			return b.Status
		}
	}
	return ""
}

var requestShape = canon.Shape{What: "the payload", Fields: []canon.Field{
	{Name: "original_dispatch_ref", Rule: "Q1"},
	{Name: "task_result_ref", Rule: "Q2"},
	{Name: "review_scope", Rule: "Q3"},
	{Name: "diff_url", Rule: "Q4"},
	{Name: "reject_count", Rule: "Q5"},
	{Name: "coordinator_notes", Rule: "Q9", Optional: true},
	{Name: "ci_status", Rule: "Q10", Optional: true},
}}

func readRequest(in *canon.Member) *Request {
	r := &Request{}
	in.Object(&requestShape, func(m *canon.Member) {
		switch m.Name {
		case "original_dispatch_ref":
			r.DispatchRef = ref(m)
		case "task_result_ref":
			r.ResultRef = ref(m)
		case "review_scope":
			r.Scope = m.OneOf("full", "incremental")
		case "diff_url":
			r.DiffURL = word(m)
		case "reject_count":
			r.RejectCount = count(m)
		case "coordinator_notes":
			r.Notes = m.Text()
		case "ci_status":
			if m.Is(canon.Mapping) {
				r.CI = builds(m)
			}
		}
	})
	return r
}

// builds reads an object of strings whose names nobody fixed.
func builds(m *canon.Member) []Build {
	list := []Build{}
	seen := map[string]bool{}
	_ = canon.Object(m.Raw, func(key []byte, v canon.Value) error {
		v.Offset += m.Offset
		name := string(key)
		e := *m
		e.Value, e.Name = v, m.Name+"."+name
		if seen[name] {
			e.Fault(m.Quoted() + " has " + quote(name) + " twice")
			return nil
		}
		seen[name] = true
		if len(list) < MaxItems {
			list = append(list, Build{Name: name, Status: e.Text()})
		}
		return nil
	})
	return list
}

// The decisions of a review (rule V1).
const (
	Approved        = "approved"
	ApprovedWithFix = "approved_with_fix"
	Rejected        = "rejected"
)

// Verdict is the payload of a review_verdict.
type Verdict struct {
	Decision string
	Criteria []Criterion
	// Issues and Fixes are nil where the payload has none.
	Issues       []Issue
	Fixes        []Fix
	Architecture string
	// Confidence is between 0 and 1.
	Confidence float64
}

// Criterion is the judgement on one acceptance criterion (rule V2).
type Criterion struct {
	Text     string
	Passed   Answer
	Evidence string
}

// Issue is one finding of a review (rule V3).
type Issue struct {
	// Severity is critical, major or minor; not an escalation's (rule C14).
	Severity string
	// File is a path in the task's repository, as a stranger wrote it.
	File string
	// Line counts from 1; 0 means the whole file.
	Line                      int64
	Description, SuggestedFix string
}

// Blocking reports whether the issue must be repaired before approval.
func (i *Issue) Blocking() bool { return i.Severity == "critical" || i.Severity == "major" }

// Fix is what a reviewer repaired directly (rule V4).
type Fix struct {
	File string
	// Change is typo, lint, whitespace, import or import_order (rule C1).
	Change string
	Lines  int64
}

// LowConfidence reports that the coordinator should ask the admin before
// forwarding the verdict: below 0.8, and not at it (rules V7 and C17).
func (v *Verdict) LowConfidence() bool { return v.Confidence < 0.8 }

var (
	verdictShape = canon.Shape{What: "the payload", Fields: []canon.Field{
		{Name: "decision", Rule: "V1"},
		{Name: "criteria_results", Rule: "V2"},
		{Name: "issues", Rule: "V3", Optional: true},
		{Name: "direct_fixes", Rule: "V4", Optional: true},
		{Name: "architecture_notes", Rule: "V5", Optional: true},
		{Name: "confidence", Rule: "V6"},
	}}
	criterionShape = canon.Shape{What: "a criterion's result", Fields: []canon.Field{
		{Name: "criterion", Rule: "V2"},
		{Name: "passed", Rule: "V2"},
		{Name: "evidence", Rule: "V2"},
	}}
	issueShape = canon.Shape{What: "an issue", Fields: []canon.Field{
		{Name: "severity", Rule: "V3"},
		{Name: "file", Rule: "V3"},
		{Name: "line", Rule: "V3"},
		{Name: "description", Rule: "V3"},
		{Name: "suggested_fix", Rule: "V3"},
	}}
	fixShape = canon.Shape{What: "a direct fix", Fields: []canon.Field{
		{Name: "file", Rule: "V4"},
		{Name: "change_type", Rule: "V4"},
		{Name: "diff_lines", Rule: "V4"},
	}}
)

func readVerdict(in *canon.Member) *Verdict {
	v := &Verdict{}
	issues, fixes := false, false
	in.Object(&verdictShape, func(m *canon.Member) {
		switch m.Name {
		case "decision":
			v.Decision = m.OneOf(Approved, ApprovedWithFix, Rejected)
		case "criteria_results":
			m.List(MaxItems, func(e *canon.Member) {
				var c Criterion
				e.Object(&criterionShape, c.member)
				v.Criteria = append(v.Criteria, c)
			})
		case "issues":
			issues, v.Issues = true, []Issue{}
			m.List(MaxItems, func(e *canon.Member) {
				var i Issue
				e.Object(&issueShape, i.member)
				v.Issues = append(v.Issues, i)
			})
		case "direct_fixes":
			fixes, v.Fixes = true, []Fix{}
			m.List(MaxItems, func(e *canon.Member) {
				var f Fix
				e.Object(&fixShape, f.member)
				v.Fixes = append(v.Fixes, f)
			})
		case "architecture_notes":
			v.Architecture = m.Text()
		case "confidence":
			v.Confidence = fraction(m)
		}
	})
	if v.Decision == Rejected {
		needs(in, issues, len(v.Issues), "V3", "issues", "a rejection")
	}
	if v.Decision == ApprovedWithFix {
		needs(in, fixes, len(v.Fixes), "V4", "direct_fixes", "an approval with fixes")
	}
	v.balance(in)
	return v
}

// balance notes a decision that its own issues speak against (rule C16).
func (v *Verdict) balance(in *canon.Member) {
	blocking := 0
	for i := range v.Issues {
		if v.Issues[i].Blocking() {
			blocking++
		}
	}
	switch {
	case v.Decision == Rejected && len(v.Issues) > 0 && blocking == 0:
		in.NoteOf("C16", "a rejection names no issue that blocks")
	case (v.Decision == Approved || v.Decision == ApprovedWithFix) && blocking > 0:
		in.NoteOf("C16", "an approval names an issue that blocks")
	}
}

func (c *Criterion) member(m *canon.Member) {
	switch m.Name {
	case "criterion":
		c.Text = word(m)
	case "passed":
		c.Passed = answer(m)
	case "evidence":
		c.Evidence = m.Text()
	}
}

func (i *Issue) member(m *canon.Member) {
	switch m.Name {
	case "severity":
		i.Severity = m.OneOf("critical", "major", "minor")
	case "file":
		i.File = m.Text()
	case "line":
		i.Line = count(m)
	case "description":
		i.Description = word(m)
	case "suggested_fix":
		i.SuggestedFix = m.Text()
	}
}

func (f *Fix) member(m *canon.Member) {
	switch m.Name {
	case "file":
		f.File = word(m)
	case "change_type":
		f.Change = m.OneOf("typo", "lint", "whitespace", "import", "import_order")
	case "diff_lines":
		if f.Lines = count(m); f.Lines >= 5 {
			m.Fault("a direct fix of " + strconv.FormatInt(f.Lines, 10) + " lines is not below 5 and must be a rejection")
		}
	}
}

// fraction reads a number from 0 to 1.
func fraction(m *canon.Member) float64 {
	if !m.Is(canon.Number) {
		return 0
	}
	x, err := strconv.ParseFloat(string(m.Raw), 64)
	if err != nil || x < 0 || x > 1 {
		m.Fault(m.Quoted() + " is not between 0 and 1: " + quote(string(m.Raw)))
		return 0
	}
	return x
}
