package source

import (
	"context"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/query"
	agnstore "github.com/signalbox-dev/signalbox/lsp/agn"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// group is the [panel.SearchHit.Group] of task messages. No inbox lists it.
const group = query.InTasks

// Searches returns a search for each directory.
func (v *view) Searches(q *query.Query, limit int) (list []panel.Search) {
	if q.Suspicious() {
		return nil // no task message is suspicious: its place does not name a sender
	}
	for _, s := range v.shown {
		h := search{in: s, query: q, limit: limit}
		list = append(list, panel.Search{Name: "agn/" + s.ID, Find: h.find})
	}
	return list
}

// search searches the messages of a directory. They are in memory.
type search struct {
	in    *agnstore.Snapshot
	query *query.Query
	limit int
}

func (h *search) find(ctx context.Context, after *panel.SearchPlace) (panel.Matches, error) {
	var out panel.Matches
	out.Indexing = !h.in.Ready
	words := h.query.Words()
	for _, t := range h.in.Tasks {
		if err := ctx.Err(); err != nil {
			return panel.Matches{}, err
		}
		title := taskTitle(t)
		if !h.query.Thread(t.ID, title) || !h.query.In(group, t.ID, title) {
			continue
		}
		for i := range t.History.Messages {
			m := &t.History.Messages[i]
			at := m.Time.Millis
			here := panel.SearchPlace{Time: at, Key: m.ID}
			if after != nil && newest(*after, here) >= 0 {
				continue
			}
			if !h.query.Time(at) || !h.query.From(m.From) || !h.query.To(m.To) || !h.query.State(query.State{}) {
				continue
			}
			texts := payloadTexts(&m.Payload)
			if h.query.Has(query.Word) && !h.query.Text(append([]string{title, t.ID, m.From}, texts...)...) {
				continue
			}
			out.Hits = append(out.Hits, panel.Match{Time: at, Place: here, Show: func() panel.SearchHit {
				hit := panel.SearchHit{
					Message: taskMessageRef(h.in, t.ID, m.ID), Thread: taskRef(h.in, t.ID), Protocol: string(mail.AGN), Group: group,
					Title: title, Name: show.LinkName(t.ID), From: show.Line(m.From), To: show.Line(m.To), Time: show.Time(at),
					Trust: unsigned,
				}
				hit.Before, hit.Snippet, hit.After, hit.Marks = show.Snippet(words, append(texts, messageWords(m))...)
				return hit
			}})
		}
	}
	slices.SortFunc(out.Hits, func(a, b panel.Match) int { return newest(a.Place, b.Place) })
	if len(out.Hits) > h.limit {
		out.Hits = out.Hits[:h.limit]
		last := out.Hits[h.limit-1]
		out.More, out.Next, out.Until = true, last.Place, last.Time
	}
	return out, nil
}

// unsigned is the trust of every task message.
var unsigned = panel.Trust{
	Level: panel.TrustNote, Label: "unsigned", Detail: "AMP/1.0 messages are not signed: whoever can write to the directory can write in any role.",
}

// payloadTexts returns the texts of a payload, the longest ones first.
func payloadTexts(p *agn.Payload) (list []string) {
	free, names := p.Texts()
	for _, s := range append(free, names...) {
		if d := p.Dispatch; d != nil && s == &d.Repo {
			list = append(list, repoName(d.Repo), string(d.Constraints))
			continue
		}
		list = append(list, *s)
	}
	return list
}

// repoName returns the last element of a repository's path, which rule D2 wants absolute.
// The folders above it would make every task below ~/tests match "tests".
func repoName(path string) string {
	path = strings.TrimRight(path, `/\`)
	return path[strings.LastIndexAny(path, `/\`)+1:]
}
