package agn

import (
	"slices"
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
	// CI is the state of each build, in the message's order, with any other members of the
	// object, such as last_updated (rule C12).
	CI []Build
}

// Build is one member of ci_status.
type Build struct{ Name, Status string }

// Status returns the state of one build, or "". A review requires the build xcode_cloud (rule
// Q8).
func (r *Request) Status(name string) string {
	if i := slices.IndexFunc(r.CI, func(b Build) bool { return b.Name == name }); i >= 0 {
		return r.CI[i].Status
	}
	return ""
}

var requestShape = canon.Shape[*Request]{What: "the payload", Fields: []canon.Field[*Request]{
	{Name: "original_dispatch_ref", Rule: "Q1", Set: func(r *Request, m *canon.Member) { r.DispatchRef = ref(m) }},
	{Name: "task_result_ref", Rule: "Q2", Set: func(r *Request, m *canon.Member) { r.ResultRef = ref(m) }},
	{Name: "review_scope", Rule: "Q3", Set: func(r *Request, m *canon.Member) { r.Scope = m.OneOf("full", "incremental") }},
	{Name: "diff_url", Rule: "Q4", Set: func(r *Request, m *canon.Member) { r.DiffURL = nonBlank(m) }},
	{Name: "reject_count", Rule: "Q5", Set: func(r *Request, m *canon.Member) { r.RejectCount = count(m) }},
	{Name: "coordinator_notes", Rule: "Q9", Optional: true, Set: func(r *Request, m *canon.Member) { r.Notes = m.Text() }},
	{Name: "ci_status", Rule: "Q10", Optional: true, Set: func(r *Request, m *canon.Member) {
		if m.Is(canon.Mapping) {
			r.CI = builds(m)
		}
	}},
}}

// builds reads an object of strings with arbitrary names.
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
	// Severity is critical, major or minor. An escalation has other severities (rule C14).
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

// LowConfidence reports whether the coordinator should ask the admin before forwarding the
// verdict: if the confidence is below 0.8 (rules V7 and C17).
func (v *Verdict) LowConfidence() bool { return v.Confidence < 0.8 }

// verdictReader is a verdict being read. issues and fixes are set if the payload has the
// lists.
type verdictReader struct {
	Verdict
	issues, fixes bool
}

var (
	verdictShape = canon.Shape[*verdictReader]{What: "the payload", Fields: []canon.Field[*verdictReader]{
		{Name: "decision", Rule: "V1", Set: func(v *verdictReader, m *canon.Member) {
			v.Decision = m.OneOf(Approved, ApprovedWithFix, Rejected)
		}},
		{Name: "criteria_results", Rule: "V2", Set: func(v *verdictReader, m *canon.Member) {
			canon.List(m, MaxItems, &criterionShape, &v.Criteria)
		}},
		{Name: "issues", Rule: "V3", Optional: true, Set: func(v *verdictReader, m *canon.Member) {
			v.issues, v.Issues = true, []Issue{}
			canon.List(m, MaxItems, &issueShape, &v.Issues)
		}},
		{Name: "direct_fixes", Rule: "V4", Optional: true, Set: func(v *verdictReader, m *canon.Member) {
			v.fixes, v.Fixes = true, []Fix{}
			canon.List(m, MaxItems, &fixShape, &v.Fixes)
		}},
		{Name: "architecture_notes", Rule: "V5", Optional: true, Set: func(v *verdictReader, m *canon.Member) { v.Architecture = m.Text() }},
		{Name: "confidence", Rule: "V6", Set: func(v *verdictReader, m *canon.Member) { v.Confidence = fraction(m) }},
	}}
	criterionShape = canon.Shape[*Criterion]{What: "a criterion's result", Fields: []canon.Field[*Criterion]{
		{Name: "criterion", Rule: "V2", Set: func(c *Criterion, m *canon.Member) { c.Text = nonBlank(m) }},
		{Name: "passed", Rule: "V2", Set: func(c *Criterion, m *canon.Member) { c.Passed = answer(m) }},
		{Name: "evidence", Rule: "V2", Set: func(c *Criterion, m *canon.Member) { c.Evidence = m.Text() }},
	}}
	issueShape = canon.Shape[*Issue]{What: "an issue", Fields: []canon.Field[*Issue]{
		{Name: "severity", Rule: "V3", Set: func(i *Issue, m *canon.Member) { i.Severity = m.OneOf("critical", "major", "minor") }},
		{Name: "file", Rule: "V3", Set: func(i *Issue, m *canon.Member) { i.File = m.Text() }},
		{Name: "line", Rule: "V3", Set: func(i *Issue, m *canon.Member) { i.Line = count(m) }},
		{Name: "description", Rule: "V3", Set: func(i *Issue, m *canon.Member) { i.Description = nonBlank(m) }},
		{Name: "suggested_fix", Rule: "V3", Set: func(i *Issue, m *canon.Member) { i.SuggestedFix = m.Text() }},
	}}
	fixShape = canon.Shape[*Fix]{What: "a direct fix", Fields: []canon.Field[*Fix]{
		{Name: "file", Rule: "V4", Set: func(f *Fix, m *canon.Member) { f.File = nonBlank(m) }},
		{Name: "change_type", Rule: "V4", Set: func(f *Fix, m *canon.Member) {
			f.Change = m.OneOf("typo", "lint", "whitespace", "import", "import_order")
		}},
		{Name: "diff_lines", Rule: "V4", Set: func(f *Fix, m *canon.Member) {
			if f.Lines = count(m); f.Lines >= 5 {
				m.Fault("a direct fix of " + strconv.FormatInt(f.Lines, 10) + " lines is not below 5 and must be a rejection")
			}
		}},
	}}
)

func readVerdict(in *canon.Member) *Verdict {
	var v verdictReader
	verdictShape.Read(in, &v)
	if v.Decision == Rejected {
		require(in, v.issues, len(v.Issues), "V3", "issues", "a rejection")
	}
	if v.Decision == ApprovedWithFix {
		require(in, v.fixes, len(v.Fixes), "V4", "direct_fixes", "an approval with fixes")
	}
	v.checkDecision(in)
	return &v.Verdict
}

// checkDecision notes a decision that contradicts its own issues (rule C16).
func (v *Verdict) checkDecision(in *canon.Member) {
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
