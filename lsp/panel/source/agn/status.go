package agn

import (
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
)

// Status adds the task directories. A directory that is not listed may still add
// warnings.
func (v *view) Status(s *panel.Status) {
	list := make([]*ssot.Snapshot, 0, len(v.directories))
	for i := range v.directories {
		o := &v.directories[i]
		list = append(list, o.Snapshot)
		s.Indexing = s.Indexing || !o.Ready
		if o.shown() {
			s.SSOTs = append(s.SSOTs, o.status())
		}
	}
	alarms := v.Alarming()
	s.Critical, s.Overdue = alarms.Critical, alarms.Overdue
	s.Warnings = append(s.Warnings, problems(list)...)
}

// problems returns the warnings about directories.
func problems(list []*ssot.Snapshot) []panel.Warning {
	warnings := []panel.Warning{}
	for _, s := range list {
		if s.Err != nil {
			warnings = append(warnings, panel.Warning{Rule: "E13", Message: show.Line(s.Path + ": " + s.Err.Error())})
		}
		for _, p := range s.Problems {
			warnings = append(warnings, panel.Problem(p.Path, p.Rule, p.Reason, p.Advice))
		}
	}
	return panel.Some(warnings, panel.Warning{Rule: "E0", Message: "and more: run signalbox doctor"})
}

// Alarming counts open escalations, with malformed ones, and the tasks with something
// overdue that nobody escalated.
func (v *view) Alarming() (a panel.Alarms) {
	add := func(severity string, acked bool) {
		a.Open++
		if severity == agn.Critical {
			a.Critical++
			if !acked {
				a.Urgent++
			}
		}
	}
	for _, s := range v.shown {
		for _, x := range s.Rejected {
			if x.Distress != nil {
				add(x.Distress.Payload.Escalation.Gravity(), false)
			}
		}
		for _, t := range s.Tasks {
			a.Overdue += min(len(t.Alarms(v.now)), 1)
			open := openOf(t, v.now)
			for i := range t.History.Messages {
				m := &t.History.Messages[i]
				if e := m.Payload.Escalation; e != nil && open[m.ID] {
					add(e.Severity, ackedAt(t, m) != 0)
				}
			}
		}
	}
	return a
}
