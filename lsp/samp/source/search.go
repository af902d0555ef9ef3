package source

import (
	"context"
	"encoding/json"
	"math"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
)

func (v *view) Searches(q *query.Query, limit int) (list []panel.Search) {
	for _, s := range v.stores {
		list = append(list, search(s.live, q, limit))
	}
	return list
}

// search returns a panel's search in a directory.
func search(live *index.Live, q *query.Query, limit int) panel.Search {
	id := live.Stats().ID
	words := q.Words()
	var scan *index.Scan
	titleCache := make(map[string]string)
	return panel.Search{Name: "samp/" + id, Find: func(ctx context.Context, after *panel.SearchPlace) (panel.Matches, error) {
		var from *index.SearchPlace
		if after != nil {
			from = &index.SearchPlace{TS: after.Time, Log: after.Key, Offset: after.Offset}
		}
		var page index.SearchPage
		var err error
		if scan == nil {
			scan, err = live.Scan(ctx, q)
		}
		switch {
		case err != nil:
		case scan != nil:
			page, err = scan.Page(ctx, from, limit)
		default:
			page, err = live.Search(ctx, q, from, limit, index.SearchBudget)
		}
		if err != nil {
			return panel.Matches{}, failure(err, "search")
		}
		found := panel.Matches{More: page.More, Next: searchPlace(page.Next), Until: wideMillis(page.Next.TS), Bounded: page.Bounded, Indexing: page.Indexing}
		for i := range page.Messages {
			m := &page.Messages[i]
			found.Hits = append(found.Hits, panel.Match{
				Time: wideMillis(m.TS), Place: searchPlace(page.Places[i]), Show: func() panel.SearchHit { return searchHit(live, id, m, words, titleCache) },
			})
		}
		return found, nil
	}}
}

// wideMillis converts seconds to milliseconds, limited to the range of int64, so that any
// records stay in the order of their times.
func wideMillis(ts int64) int64 {
	return max(math.MinInt64/1000, min(math.MaxInt64/1000, ts)) * 1000
}

func searchPlace(p index.SearchPlace) panel.SearchPlace {
	return panel.SearchPlace{Time: p.TS, Key: p.Log, Offset: p.Offset}
}

// maxTitles is how many titles a search remembers.
const maxTitles = 32 << 10

// searchHit returns a record as a search hit. titleCache holds titles by the names of threads.
func searchHit(live *index.Live, id string, m *index.Message, words []needle.Needle, titleCache map[string]string) panel.SearchHit {
	if _, known := titleCache[m.Thread]; !known {
		if len(titleCache) == maxTitles {
			clear(titleCache)
		}
		titleCache[m.Thread] = titles(live, m.Thread)[m.Thread]
	}
	h := panel.SearchHit{
		Message: messageRef(id, m), Thread: threadRef(id, m.Thread), Protocol: string(mail.SAMP), Group: panel.MailGroup,
		Title: titleCache[m.Thread], Name: show.LinkName(m.Thread),
		From: show.Line(m.From), To: show.Line(m.To), Time: show.Millis(m.TS), Unread: m.Unread, Trust: trust(m),
	}
	if m.Suspicious {
		h.Message = suspectRef(id, m)
		h.Thread = h.Message
	}
	h.Before, h.Snippet, h.After, h.Marks = show.Snippet(words, m.Body)
	return h
}

// mentionPlace is the place at which a search for mentions continues.
type mentionPlace struct {
	Store string              `json:"s"`
	At    index.MentionCursor `json:"m,omitzero"`
}

func (p *mentionPlace) String() string {
	data, err := json.Marshal(p)
	if err != nil {
		return ""
	}
	return string(data)
}

// References returns the messages that mention a token. It searches the directories one
// after the other.
func (v *view) References(ctx context.Context, q *panel.ReferenceQuery) (list panel.ReferenceList, err error) {
	var from mentionPlace
	if q.Place != "" && json.Unmarshal([]byte(q.Place), &from) != nil {
		return list, &panel.Error{Kind: panel.Malformed, Message: "the cursor is not one that a page gave", Detail: "cursor"}
	}
	for i, s := range v.stores {
		stats := s.live.Stats()
		if from.Store != "" && stats.ID != from.Store {
			continue
		}
		found, next, err := s.live.Mentions(ctx, q.Word, from.At, q.Limit-len(list.References))
		if err != nil {
			return list, err
		}
		for j := range found {
			list.References = append(list.References, reference(&stats, &found[j]))
		}
		from = mentionPlace{}
		switch {
		case next != nil:
			list.Next = (&mentionPlace{stats.ID, *next}).String()
			return list, nil
		case len(list.References) >= q.Limit && i+1 < len(v.stores):
			list.Next = (&mentionPlace{Store: v.stores[i+1].live.Stats().ID}).String()
			return list, nil
		}
	}
	return list, nil
}

func reference(stats *index.Stats, m *index.Mention) panel.Reference {
	title, _ := render.Line(m.Body, 160)
	return panel.Reference{
		Place:   place.Word(filepath.Join(stats.Path, m.File), m.Line-1, m.Before, m.Text),
		Message: messageRef(stats.ID, &m.Message), Thread: threadRef(stats.ID, m.Thread),
		Title: title, From: show.Line(m.From), Time: show.Millis(m.TS),
	}
}
