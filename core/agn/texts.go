package agn

// Texts returns pointers to every text of a payload except a dispatch's constraints. free holds
// the texts that the sender wrote freely, most useful first; names holds names, ids and protocol
// words.
func (p *Payload) Texts() (free, names []*string) {
	switch {
	case p.Dispatch != nil:
		d := p.Dispatch
		free, names = []*string{&d.Description}, []*string{&d.Repo, &d.Branch, &d.Risk}
		for i := range d.Subtasks {
			free, names = append(free, &d.Subtasks[i].Description), append(names, &d.Subtasks[i].ID)
		}
		free = append(free, each(d.Criteria, d.Forbidden)...)
	case p.Result != nil:
		r := p.Result
		free, names = each(r.Notes, r.Blockers, r.Files), []*string{&r.SubtaskID, &r.Status, &r.Commit}
		for i := range r.Log {
			free = append(free, &r.Log[i].Action, &r.Log[i].File, &r.Log[i].Detail)
		}
	case p.Request != nil:
		r := p.Request
		free, names = []*string{&r.Notes, &r.DiffURL}, []*string{&r.Scope, &r.DispatchRef, &r.ResultRef}
		for i := range r.CI {
			names = append(names, &r.CI[i].Name, &r.CI[i].Status)
		}
	case p.Verdict != nil:
		return p.Verdict.texts()
	case p.Escalation != nil:
		e := p.Escalation
		free = append([]*string{&e.Description}, each(e.Suggested)...)
		names = append([]*string{&e.Kind, &e.Severity, &e.TriggeredBy, &e.Snapshot.TaskStatus, &e.Snapshot.LastSuccessful}, each(e.Affected)...)
	}
	return free, names
}

func (v *Verdict) texts() (free, names []*string) {
	free, names = []*string{&v.Architecture}, []*string{&v.Decision}
	for i := range v.Issues {
		is := &v.Issues[i]
		free, names = append(free, &is.Description, &is.SuggestedFix, &is.File), append(names, &is.Severity)
	}
	for i := range v.Criteria {
		free = append(free, &v.Criteria[i].Text, &v.Criteria[i].Evidence)
	}
	for i := range v.Fixes {
		free = append(free, &v.Fixes[i].File, &v.Fixes[i].Change)
	}
	return free, names
}

// each returns pointers to the elements of lists.
func each(lists ...[]string) (out []*string) {
	for _, list := range lists {
		for i := range list {
			out = append(out, &list[i])
		}
	}
	return out
}
