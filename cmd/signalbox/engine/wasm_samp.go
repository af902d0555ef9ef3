//go:build !noengine

package engine

import (
	"context"
	"errors"
	"math"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/wasm/client"
)

// mail is SAMP in the module.
type mail struct {
	samp client.SAMP
	// forms are what the ids are of the messages that were found.
	forms map[place]client.Form
}

// place is where a message stands.
type place struct {
	stem   string
	offset int64
}

// sampError words the error of a call: a broken rule as the core would.
func sampError(err error) error {
	if err == nil {
		return nil
	}
	if rule, reason, ok := malformed(err); ok {
		return &samp.Fault{Rule: rule, Reason: reason}
	}
	return engineError(err)
}

func profileName(p samp.Profile) client.Profile { return client.Profile(p.String()) }

func formNamed(name client.Form) samp.Form {
	for f := range samp.FormWrong {
		if f.String() == string(name) {
			return f
		}
	}
	return samp.FormWrong
}

func (m *mail) Parse(ctx context.Context, line []byte) (samp.Record, samp.Form, error) {
	r, err := m.samp.Parse(ctx, line, client.V1)
	if err != nil {
		return samp.Record{}, 0, sampError(err)
	}
	return samp.Record{ID: r.ID, TS: r.TS, From: r.From, To: r.To, Thread: r.Thread, Body: r.Body, Lossy: r.Lossy}, formNamed(r.Form), nil
}

func (m *mail) Inspect(ctx context.Context, line []byte, log store.Log) (samp.Inspection, error) {
	got, err := m.samp.Inspect(ctx, log.Name, line)
	if err != nil {
		return samp.Inspection{}, sampError(err)
	}
	in := samp.Inspection{Malformed: got.Malformed, Faults: sampFaults(got.Faults), Notes: sampFaults(got.Notes)}
	if !in.Malformed {
		in.Form = formNamed(got.Form)
	}
	for i := range in.Faults {
		if in.Faults[i].Rule == "L4" {
			in.Record, _, err = m.Parse(ctx, line)
		}
	}
	return in, err
}

func sampFaults(list []client.Fault) []samp.Fault {
	var faults []samp.Fault
	for _, f := range list {
		faults = append(faults, samp.Fault{Rule: f.Rule, Field: f.Field, Offset: int(f.Offset), Reason: f.Reason})
	}
	return faults
}

func (m *mail) Watermark(ctx context.Context, data []byte) (samp.Watermark, error) {
	// The store caps it itself.
	w, err := m.samp.Watermark(ctx, data, math.MaxInt64)
	return samp.Watermark{TS: w.TS, IDs: w.IDs}, sampError(err)
}

func (m *mail) Inbox(ctx context.Context, q store.Query) (samp.Inbox, int, error) {
	box, err := m.samp.Inbox(ctx, query(q, client.InboxQuery{Mode: client.All()}))
	if err != nil {
		return samp.Inbox{}, 0, sampError(err)
	}
	ranks := ranksOf(q)
	in := samp.Inbox{Messages: m.found(box.Messages, ranks), Suspicious: m.found(box.Suspicious, ranks), Replicas: int(box.Replicas)}
	return in, int(box.Malformed), nil
}

func (m *mail) Unread(ctx context.Context, q store.Query, mark samp.Watermark, now int64) (fresh, older []samp.Found, next samp.Watermark, err error) {
	ask := func(w client.Watermark) (client.Inbox, error) {
		box, err := m.samp.Inbox(ctx, query(q, client.InboxQuery{Watermark: &w, Now: now}))
		return box, sampError(err)
	}
	box, err := ask(client.Watermark(mark))
	if err != nil {
		return nil, nil, next, err
	}
	if box.Watermark == nil {
		return nil, nil, next, errors.New("wasm: samp.inbox: the module gave no watermark")
	}
	ranks := ranksOf(q)
	fresh, next = m.found(box.Messages, ranks), samp.Watermark(*box.Watermark)
	if box.Older > 0 {
		// Of what lies before the mark the module gives the number alone. A mark
		// that names the same messages, before all of them, gives the others.
		all, err := ask(client.Watermark{TS: math.MinInt64, IDs: mark.IDs})
		if err != nil {
			return nil, nil, next, err
		}
		for _, f := range m.found(all.Messages, ranks) {
			if f.TS < min(mark.TS, now) {
				older = append(older, f)
			}
		}
	}
	if int64(len(older)) != box.Older {
		return nil, nil, next, errors.New("wasm: samp.inbox: the module's answers do not agree")
	}
	return fresh, older, next, nil
}

func (m *mail) Compact(ctx context.Context, data []byte, p samp.Profile) (samp.Compaction, error) {
	c, err := m.samp.Compact(ctx, data, profileName(p))
	return samp.Compaction{
		Data: c.Data, Before: int(c.Before), After: int(c.After),
		Filled: int(c.Filled), Malformed: int(c.Malformed), Conflicts: int(c.Conflicts),
	}, sampError(err)
}

// query fills in what every question about some mail has.
func query(q store.Query, out client.InboxQuery) client.InboxQuery {
	out.Me, out.Profile = q.Me, profileName(q.Profile)
	for _, l := range q.Logs {
		out.Logs = append(out.Logs, client.Log{Name: l.Name, Data: l.Data})
	}
	return out
}

func ranksOf(q store.Query) map[string]int {
	ranks := make(map[string]int, len(q.Logs))
	for i := range q.Logs {
		ranks[q.Logs[i].Name] = i
	}
	return ranks
}

func (m *mail) found(list []client.Message, ranks map[string]int) []samp.Found {
	var found []samp.Found
	for i := range list {
		s := &list[i]
		stem, _ := samp.LogStem(s.Log)
		f := samp.Found{
			Record: samp.Record{ID: s.ID, TS: s.TS, From: s.From, To: s.To, Thread: s.Thread, Body: s.Body},
			Key:    s.ID, Stem: stem, Rank: ranks[s.Log], Offset: s.Offset,
		}
		m.forms[place{stem, s.Offset}] = s.Form
		if formNamed(s.Form) == samp.FormMissing {
			f.ID = ""
		}
		found = append(found, f)
	}
	return found
}

func (g *guest) FormOf(m *samp.Found) samp.Form {
	return formNamed(g.mail.forms[place{m.Stem, m.Offset}])
}

func (g *guest) LineID(ctx context.Context, line []byte, p samp.Profile) (string, error) {
	id, err := g.mail.samp.ID(ctx, line, profileName(p))
	return id, sampError(err)
}

func (g *guest) Thread(ctx context.Context, body, from, date string, p samp.Profile) (thread, rest string, err error) {
	derived, err := g.mail.samp.Thread(ctx, body, from, date, profileName(p))
	return derived.Thread, derived.Body, sampError(err)
}
