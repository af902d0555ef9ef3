package source

import (
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// escalationLabel returns the label of a kind of escalation (rule X1).
func escalationLabel(kind string) string {
	switch kind {
	case agn.HallucinationLock:
		return fmt.Sprintf("Stopped after %d rejections", agn.MaxRejects)
	case agn.AckTimeout:
		return "Not confirmed"
	case agn.BranchViolation:
		return "Branch violation"
	case agn.CIFailure:
		return "CI failure"
	case agn.Conflict:
		return "Conflict"
	case agn.HeartbeatTimeout:
		return "Silent"
	case agn.PermissionDenied:
		return "Permission denied"
	case agn.UnknownTrouble:
		return "Unknown trouble"
	}
	return "Escalation" // a kind that is not in rule X1
}

// stateWords returns the state of a task in words, with rejections, a lock that is
// near, and silence.
func stateWords(s *agn.TaskState) string {
	words := string(s.Phase)
	switch s.Phase {
	case agn.PhaseNone:
		words = "not dispatched"
	case agn.PhaseDispatched:
		words = "dispatched, not acknowledged"
	case agn.PhaseResumed:
		words = "running again"
	case agn.PhaseLocked:
		switch s.Lock {
		case agn.LockCount:
			words = "stopped after " + show.Count(s.Rejects, "rejection", "rejections")
		case agn.LockConsecutive:
			words = fmt.Sprintf("stopped after %d rejections in a row", agn.MaxConsecutive)
		case agn.LockDeclared, agn.LockNone:
			words = "stopped"
		}
	case agn.PhaseRejected:
		words = fmt.Sprintf("rejected %d of %d", s.Rejects, agn.MaxRejects)
	}
	if s.LockNear && s.Phase != agn.PhaseLocked && s.Phase != agn.PhaseApproved && s.Phase != agn.PhaseTerminated {
		if s.Phase != agn.PhaseRejected && s.Phase != agn.PhaseResumed {
			words += fmt.Sprintf(", rejected %d of %d", s.Rejects, agn.MaxRejects)
		}
		words += "; one more rejection stops it"
	}
	if s.Silent {
		words += ", silent"
	}
	return words
}

// messageWords returns a line that says what a message is. The line quotes the message
// and is not sanitized.
func messageWords(m *agn.Message) string {
	p := &m.Payload
	switch {
	case p.Dispatch != nil:
		return fmt.Sprintf("dispatch: %s, %s on %s, risk %s", show.Count(len(p.Dispatch.Subtasks), "subtask", "subtasks"),
			show.Count(len(p.Dispatch.Criteria), "criterion", "criteria"), p.Dispatch.Branch, p.Dispatch.Risk)
	case p.Result != nil:
		r := p.Result
		words := fmt.Sprintf("result of %s: %s, %s, +%d -%d", r.SubtaskID, r.Status, show.Count(len(r.Files), "file", "files"), r.LinesAdded, r.LinesRemoved)
		if n := unverified(r.CriteriaMet); n > 0 {
			words += ", " + show.Count(n, "criterion", "criteria") + " not verified"
		}
		return words
	case p.Request != nil:
		return fmt.Sprintf("review request: %s, rejected %s so far", p.Request.Scope, show.Count(int(min(p.Request.RejectCount, 1<<31)), "time", "times"))
	case p.Verdict != nil:
		return verdictWords(p.Verdict)
	case p.Escalation != nil:
		return p.Escalation.Severity + " escalation: " + escalationLabel(p.Escalation.Kind)
	}
	return m.Type
}

// unverified returns how many criteria the executor could not judge (rule T8).
func unverified(list []agn.Answer) (n int) {
	for _, a := range list {
		if a == agn.Unknown {
			n++
		}
	}
	return n
}

func verdictWords(v *agn.Verdict) string {
	words := "verdict: " + strings.ReplaceAll(v.Decision, "_", " ")
	if len(v.Issues) > 0 {
		blocking := 0
		for i := range v.Issues {
			if v.Issues[i].Blocking() {
				blocking++
			}
		}
		words += fmt.Sprintf(", %s (%d blocking)", show.Count(len(v.Issues), "issue", "issues"), blocking)
	}
	words += fmt.Sprintf(", confidence %g", v.Confidence)
	if v.LowConfidence() {
		words += ": low, ask the admin"
	}
	return words
}

// messagePoints returns the main points of a message, as lines that are not sanitized.
func messagePoints(m *agn.Message) (list []string) {
	p := &m.Payload
	switch {
	case p.Result != nil:
		for _, b := range p.Result.Blockers {
			list = append(list, "blocked: "+b)
		}
	case p.Verdict != nil:
		for i := range p.Verdict.Issues {
			is := &p.Verdict.Issues[i]
			list = append(list, is.Severity+" "+issuePlace(is)+" "+is.Description)
		}
	case p.Escalation != nil:
		list = append(list, p.Escalation.Description)
	}
	return list
}

// points returns the lines of an event, sanitized and cut to 4 lines of 240 characters.
func points(list []string) []string {
	const most, chars = 4, 240
	out := []string{}
	for i, s := range list {
		if i == most-1 && len(list) > most {
			return append(out, show.Count(len(list)-i, "more", "more"))
		}
		line, _ := render.Line(s, chars)
		out = append(out, line)
	}
	return out
}

// tone returns the tone that colours a message: "alarm", "bad", "good" or none.
func tone(m *agn.Message) panel.Tone {
	p := &m.Payload
	switch {
	case p.Escalation != nil && p.Escalation.Severity == agn.Info:
		return ""
	case p.Escalation != nil:
		return "alarm"
	case p.Verdict != nil && p.Verdict.Decision == agn.Rejected, p.Result != nil && p.Result.Status != "complete":
		return "bad"
	case p.Verdict != nil:
		return "good"
	}
	return ""
}

// suggestedAction returns the action that a suggestion's words fit best. It only
// chooses what a form starts with.
func suggestedAction(text string) agn.Action {
	text = strings.ToLower(text)
	for _, c := range []struct {
		action agn.Action
		words  []string
	}{
		{agn.Terminate, []string{"terminat", "abort", "cancel", "stop the task", "abandon", "roll back", "rollback"}},
		{agn.Split, []string{"split", "smaller", "subtask", "decompose", "break up", "break down"}},
		{agn.Approve, []string{"approve", "accept", "continue", "go on", "resume as is", "no action"}},
	} {
		for _, w := range c.words {
			if strings.Contains(text, w) {
				return c.action
			}
		}
	}
	return agn.Redirect
}
