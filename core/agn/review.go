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
	// CI is the state of each build, in the message's order, and whatever else
	// stands there, such as last_updated (rule C12).
	CI []Build
}

// Build is one member of ci_status.
type Build struct{ Name, Status string }

// Status gives the state of one build, or "". The one that gates a review is
// called xcode_cloud (rule Q8).
func (r *Request) Status(name string) string {
	for _, b := range r.CI {
		if b.Name == name {
			return b.Status
		}
	}
	return ""
}

var requestShape = shape{what: "the payload", fields: []field{
	{name: "original_dispatch_ref", rule: "Q1"},
	{name: "task_result_ref", rule: "Q2"},
	{name: "review_scope", rule: "Q3"},
	{name: "diff_url", rule: "Q4"},
	{name: "reject_count", rule: "Q5"},
	{name: "coordinator_notes", rule: "Q9", optional: true},
	{name: "ci_status", rule: "Q10", optional: true},
}}

func readRequest(in *member) *Request {
	r := &Request{}
	in.object(&requestShape, func(m *member) {
		switch m.name {
		case "original_dispatch_ref":
			r.DispatchRef = m.ref()
		case "task_result_ref":
			r.ResultRef = m.ref()
		case "review_scope":
			r.Scope = m.oneOf("full", "incremental")
		case "diff_url":
			r.DiffURL = m.word()
		case "reject_count":
			r.RejectCount = m.count()
		case "coordinator_notes":
			r.Notes = m.text()
		case "ci_status":
			if m.is(canon.Mapping) {
				r.CI = m.builds()
			}
		}
	})
	return r
}

// builds reads an object of strings whose names nobody fixed.
func (m *member) builds() []Build {
	list := []Build{}
	seen := map[string]bool{}
	_ = canon.Object(m.v.Raw, func(key []byte, v canon.Value) error {
		v.Offset += m.v.Offset
		name := string(key)
		e := member{out: m.out, rule: m.rule, path: m.path + "." + name, v: v}
		if seen[name] {
			e.fault(quote(m.path) + " has " + quote(name) + " twice")
			return nil
		}
		seen[name] = true
		if len(list) < MaxItems {
			list = append(list, Build{Name: name, Status: e.text()})
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
	// Line counts from 1; 0 stands for the whole file.
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
	verdictShape = shape{what: "the payload", fields: []field{
		{name: "decision", rule: "V1"},
		{name: "criteria_results", rule: "V2"},
		{name: "issues", rule: "V3", optional: true},
		{name: "direct_fixes", rule: "V4", optional: true},
		{name: "architecture_notes", rule: "V5", optional: true},
		{name: "confidence", rule: "V6"},
	}}
	criterionShape = shape{what: "a criterion's result", fields: []field{
		{name: "criterion", rule: "V2"},
		{name: "passed", rule: "V2"},
		{name: "evidence", rule: "V2"},
	}}
	issueShape = shape{what: "an issue", fields: []field{
		{name: "severity", rule: "V3"},
		{name: "file", rule: "V3"},
		{name: "line", rule: "V3"},
		{name: "description", rule: "V3"},
		{name: "suggested_fix", rule: "V3"},
	}}
	fixShape = shape{what: "a direct fix", fields: []field{
		{name: "file", rule: "V4"},
		{name: "change_type", rule: "V4"},
		{name: "diff_lines", rule: "V4"},
	}}
)

func readVerdict(in *member) *Verdict {
	v := &Verdict{}
	issues, fixes := false, false
	in.object(&verdictShape, func(m *member) {
		switch m.name {
		case "decision":
			v.Decision = m.oneOf(Approved, ApprovedWithFix, Rejected)
		case "criteria_results":
			m.each(func(e *member) {
				var c Criterion
				e.object(&criterionShape, c.member)
				v.Criteria = append(v.Criteria, c)
			})
		case "issues":
			issues, v.Issues = true, []Issue{}
			m.each(func(e *member) {
				var i Issue
				e.object(&issueShape, i.member)
				v.Issues = append(v.Issues, i)
			})
		case "direct_fixes":
			fixes, v.Fixes = true, []Fix{}
			m.each(func(e *member) {
				var f Fix
				e.object(&fixShape, f.member)
				v.Fixes = append(v.Fixes, f)
			})
		case "architecture_notes":
			v.Architecture = m.text()
		case "confidence":
			v.Confidence = m.fraction()
		}
	})
	if v.Decision == Rejected {
		in.needs(issues, len(v.Issues), "V3", "issues", "a rejection")
	}
	if v.Decision == ApprovedWithFix {
		in.needs(fixes, len(v.Fixes), "V4", "direct_fixes", "an approval with fixes")
	}
	v.balance(in)
	return v
}

// balance notes a decision that its own issues speak against (rule C16).
func (v *Verdict) balance(in *member) {
	blocking := 0
	for i := range v.Issues {
		if v.Issues[i].Blocking() {
			blocking++
		}
	}
	switch {
	case v.Decision == Rejected && len(v.Issues) > 0 && blocking == 0:
		in.out.AddNote("C16", in.path, in.v.Offset, "a rejection names no issue that blocks")
	case (v.Decision == Approved || v.Decision == ApprovedWithFix) && blocking > 0:
		in.out.AddNote("C16", in.path, in.v.Offset, "an approval names an issue that blocks")
	}
}

func (c *Criterion) member(m *member) {
	switch m.name {
	case "criterion":
		c.Text = m.word()
	case "passed":
		c.Passed = m.answer()
	case "evidence":
		c.Evidence = m.text()
	}
}

func (i *Issue) member(m *member) {
	switch m.name {
	case "severity":
		i.Severity = m.oneOf("critical", "major", "minor")
	case "file":
		i.File = m.text()
	case "line":
		i.Line = m.count()
	case "description":
		i.Description = m.word()
	case "suggested_fix":
		i.SuggestedFix = m.text()
	}
}

func (f *Fix) member(m *member) {
	switch m.name {
	case "file":
		f.File = m.word()
	case "change_type":
		f.Change = m.oneOf("typo", "lint", "whitespace", "import", "import_order")
	case "diff_lines":
		if f.Lines = m.count(); f.Lines >= 5 {
			m.fault("a direct fix of " + strconv.FormatInt(f.Lines, 10) + " lines is not below 5 and must be a rejection")
		}
	}
}

// fraction reads a number from 0 to 1.
func (m *member) fraction() float64 {
	if !m.is(canon.Number) {
		return 0
	}
	x, err := strconv.ParseFloat(string(m.v.Raw), 64)
	if err != nil || x < 0 || x > 1 {
		m.fault(quote(m.path) + " is not between 0 and 1: " + quote(string(m.v.Raw)))
		return 0
	}
	return x
}
