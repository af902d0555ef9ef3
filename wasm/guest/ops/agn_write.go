package ops

import (
	"strconv"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// buildTask reads the parameters of a new message, including those of its payload, and
// returns it as the result.
func buildTask(c *call, build func(h agn.Head) ([]byte, error), payload ...param) error {
	var h agn.Head
	want := append(payload, needed(text("taskId", &h.TaskID)), needed(integer("millis", &h.Millis, nil)), integer("number", &h.Number, nil),
		integer("ackTimeout", &h.AckTimeout, nil), texts("contextRef", &h.ContextRef))
	if err := c.read(want...); err != nil {
		return err
	}
	out, err := build(h)
	if err != nil {
		return refused(err)
	}
	return c.bytes(out)
}

func agnBuildDispatch(c *call) error {
	var d agn.Dispatch
	return buildTask(c, func(h agn.Head) ([]byte, error) { return agn.BuildDispatch(h, d) },
		needed(object("dispatch", nil,
			text("description", &d.Description), text("repo", &d.Repo), text("branch", &d.Branch),
			items("subtasks", &d.Subtasks, func(raw []byte, s *agn.Subtask) error {
				return read(raw, text("id", &s.ID), text("description", &s.Description), integer("estimatedLines", &s.EstimatedLines, nil))
			}),
			texts("criteria", &d.Criteria), text("risk", &d.Risk), texts("forbidden", &d.Forbidden), value("constraints", &d.Constraints),
		)))
}

func agnBuildResult(c *call) error {
	var r agn.Result
	return buildTask(c, func(h agn.Head) ([]byte, error) { return agn.BuildResult(h, r) },
		needed(object("result", nil,
			text("subtaskId", &r.SubtaskID), text("status", &r.Status),
			texts("files", &r.Files), integer("linesAdded", &r.LinesAdded, nil), integer("linesRemoved", &r.LinesRemoved, nil),
			answers("criteriaMet", &r.CriteriaMet), texts("notes", &r.Notes),
			items("log", &r.Log, func(raw []byte, l *agn.LogEntry) error {
				return read(raw, text("time", &l.Time.Text), text("action", &l.Action), text("file", &l.File), text("detail", &l.Detail))
			}),
			text("commit", &r.Commit), texts("blockers", &r.Blockers),
		)))
}

func agnBuildRequest(c *call) error {
	var r agn.Request
	return buildTask(c, func(h agn.Head) ([]byte, error) { return agn.BuildRequest(h, r) },
		needed(object("request", nil,
			text("dispatchRef", &r.DispatchRef), text("resultRef", &r.ResultRef), text("scope", &r.Scope), text("diffUrl", &r.DiffURL),
			integer("rejectCount", &r.RejectCount, nil), text("notes", &r.Notes),
			items("ci", &r.CI, func(raw []byte, b *agn.Build) error {
				return read(raw, text("name", &b.Name), text("status", &b.Status))
			}),
		)))
}

func agnBuildVerdict(c *call) error {
	var v agn.Verdict
	return buildTask(c, func(h agn.Head) ([]byte, error) { return agn.BuildVerdict(h, v) },
		needed(object("verdict", nil,
			text("decision", &v.Decision),
			items("criteria", &v.Criteria, func(raw []byte, c *agn.Criterion) error {
				return read(raw, text("text", &c.Text), answer("passed", &c.Passed), text("evidence", &c.Evidence))
			}),
			items("issues", &v.Issues, func(raw []byte, i *agn.Issue) error {
				return read(raw, text("severity", &i.Severity), text("file", &i.File), integer("line", &i.Line, nil),
					text("description", &i.Description), text("suggestedFix", &i.SuggestedFix))
			}),
			items("fixes", &v.Fixes, func(raw []byte, f *agn.Fix) error {
				return read(raw, text("file", &f.File), text("change", &f.Change), integer("lines", &f.Lines, nil))
			}),
			text("architecture", &v.Architecture), needed(fraction("confidence", &v.Confidence)),
		)))
}

func agnBuildEscalation(c *call) error {
	var from string
	var s agn.Escalation
	return buildTask(c, func(h agn.Head) ([]byte, error) { return agn.BuildEscalation(h, from, s) },
		needed(text("from", &from)), needed(object("escalation", nil,
			text("kind", &s.Kind), text("severity", &s.Severity), text("triggeredBy", &s.TriggeredBy), text("description", &s.Description),
			texts("affected", &s.Affected),
			object("snapshot", nil, text("taskStatus", &s.Snapshot.TaskStatus), integer("rejectCount", &s.Snapshot.RejectCount, nil),
				text("lastSuccessful", &s.Snapshot.LastSuccessful)),
			texts("suggested", &s.Suggested), boolean("suspended", &s.Suspended),
		)))
}

// answer reads true, false, or null for unknown.
func answer(name string, into *agn.Answer) param {
	return param{name: name, null: true, read: func(v canon.Value) error {
		switch {
		case v.Kind == canon.Null:
			*into = agn.Unknown
		case v.Kind != canon.Bool:
			return wrong(name, "true, false or null")
		case v.Raw[0] == 't':
			*into = agn.Yes
		default:
			*into = agn.No
		}
		return nil
	}}
}

func answers(name string, into *[]agn.Answer) param {
	return array(name, into, func(v canon.Value, to *agn.Answer) error { return answer(name, to).read(v) })
}

func fraction(name string, into *float64) param {
	return param{name: name, read: func(v canon.Value) error {
		if v.Kind != canon.Number {
			return wrong(name, "a number")
		}
		x, err := strconv.ParseFloat(string(v.Raw), 64)
		if err != nil {
			return wrong(name, "a number of 64 bits")
		}
		*into = x
		return nil
	}}
}
