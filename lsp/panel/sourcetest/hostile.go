package sourcetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// strangers checks that everything written by strangers is shown only as text.
func strangers(d *fixture) {
	page := d.inbox(panel.InboxParams{Limit: panel.MaxPage})
	hostile := d.plain(json.Marshal(page))
	for i := range page.Threads {
		it := &page.Threads[i]
		thread := d.thread(panel.ThreadParams{Ref: it.Ref, Limit: panel.MaxPage})
		hostile = d.plain(json.Marshal(thread)) || hostile
		for j := range thread.Messages {
			m := &thread.Messages[j]
			d.safe(m.HTML)
			if m.Turn != nil {
				for k := range m.Turn.Parts {
					d.safe(m.Turn.Parts[k].HTML)
				}
			}
		}
	}
	for _, name := range d.names() {
		link, at := d.resolve(name), d.locate(name)
		link.Token, at.Token, at.Link = "", "", ""
		d.plain(json.Marshal(link))
		d.plain(json.Marshal(at))
	}
	if d.c.Pages != nil {
		pages, html := d.c.Pages(d.T, d.Panels)
		for _, p := range pages {
			hostile = d.plain(json.Marshal(p)) || hostile
		}
		for _, h := range html {
			d.safe(h)
		}
	}
	status, err := d.Status(d.Context())
	if err != nil {
		d.Fatal(err)
	}
	status.LinkPatterns = nil
	d.plain(json.Marshal(status))
	if !hostile {
		d.Error("no store holds Hostile")
	}
}

// plain checks that a result contains no deceptive characters, and reports whether it contains
// a stranger's text.
func (d *fixture) plain(data []byte, err error) bool {
	d.Helper()
	var result any
	if err == nil {
		err = json.Unmarshal(data, &result)
	}
	text := fmt.Sprint(withoutRefs(result))
	for _, bad := range []string{"\u202e", "\x1b", "\x00"} {
		if i := strings.Index(text, bad); i >= 0 || err != nil {
			d.Errorf("%q is shown: %q, %v", bad, text[max(0, i-100):min(len(text), i+60)], err)
		}
	}
	return strings.Contains(text, "alert(1)")
}

// withoutRefs returns a result without its refs and cursors. No client shows them, and they may
// contain a stranger's thread name unchanged.
func withoutRefs(result any) any {
	switch v := result.(type) {
	case map[string]any:
		delete(v, "before")
		delete(v, "after")
		if _, ref := v["store"]; ref && len(v) == 3 {
			return nil
		}
		for key := range v {
			v[key] = withoutRefs(v[key])
		}
	case []any:
		for i := range v {
			v[i] = withoutRefs(v[i])
		}
	}
	return result
}

// safe checks that HTML contains no markup of a stranger.
func (d *fixture) safe(html string) {
	d.Helper()
	for _, bad := range []string{"<script", "<img", `href="command`, `href="https://evil`, "\u202e", "\x1b"} {
		if strings.Contains(html, bad) {
			d.Errorf("HTML holds %s: %s", bad, html)
		}
	}
}

// refs checks that every request refuses a ref or cursor that no page returned, with an
// error in words. A request that marks messages as read may skip such a ref instead, so that the
// messages that still exist are marked.
func refs(d *fixture) {
	it := d.first()
	yes := true
	for _, r := range []panel.Ref{
		{Protocol: d.protocol},
		{Protocol: d.protocol, Store: it.Store, ID: "t/../../../../etc/passwd"},
		{Protocol: d.protocol, Store: "../..", ID: it.ID},
		{Protocol: d.protocol, Store: it.Store, ID: it.ID + "\x00x"},
		{Protocol: d.protocol, Store: it.Store, ID: "m/x/" + Hostile},
		{Protocol: d.protocol, Store: it.Store, ID: "d/" + mail.Digest("x")},
		{Protocol: d.protocol, Store: it.Store, ID: strings.Repeat("t/", 1<<16)},
		{Protocol: "none", Store: it.Store, ID: it.ID},
	} {
		ctx := d.Context()
		_, thread := d.Thread(ctx, panel.ThreadParams{Ref: r})
		_, around := d.Thread(ctx, panel.ThreadParams{Ref: r, Side: panel.SideAround})
		_, shelve := d.Shelve(ctx, panel.ShelveParams{Refs: []panel.Ref{r}, Archived: &yes})
		before, _ := d.Status(ctx)
		_, read := d.SetRead(ctx, panel.ReadParams{Refs: []panel.Ref{r}, Read: true})
		if after, _ := d.Status(ctx); after.Unread != before.Unread {
			d.Errorf("marking %.80q changed what is unread", r.ID)
		}
		if read != nil {
			d.refused(read, "ref", r.ID, 0)
		}
		_, compose := d.ComposeContext(ctx, panel.ComposeParams{Ref: &r})
		_, diff := d.Diff(ctx, panel.DiffParams{Ref: r})
		_, asset := d.Asset(ctx, panel.AssetParams{Ref: r, Asset: "../x.png"})
		for i, err := range []error{thread, around, shelve, compose, diff, asset} {
			d.refused(err, "ref", r.ID, i)
		}
	}
	for i, cursor := range []string{"x", "../../x", Hostile, "e30", "bnVsbA", strings.Repeat("9", 1<<16)} {
		_, before := d.Thread(d.Context(), panel.ThreadParams{Ref: it, Before: cursor})
		_, after := d.Thread(d.Context(), panel.ThreadParams{Ref: it, After: cursor})
		d.refused(before, "cursor", cursor, i)
		d.refused(after, "cursor", cursor, i)
	}
}

// refused checks that an error has a kind and a message that is safe to show.
func (d *fixture) refused(err error, what, value string, at int) {
	d.Helper()
	e, ok := errors.AsType[*panel.Error](err)
	if !ok || e.Kind == "" {
		d.Errorf("%s %.80q, request %d: %v", what, value, at, err)
		return
	}
	if strings.ContainsAny(e.Message, "\u202e\x1b\x00") || len(e.Message) > 1000 {
		d.Errorf("%s %.80q, request %d: %q", what, value, at, e.Message)
	}
}

// follows checks that an added message is listed and announced with its thread.
func follows(d *fixture) {
	before := d.inbox(panel.InboxParams{})
	d.c.Grow(d.T, d.work)
	d.sync()
	after := d.inbox(panel.InboxParams{})
	if after.Revision <= before.Revision {
		d.Errorf("revision %d follows %d", after.Revision, before.Revision)
	}
	if d.c.Names == nil && after.Threads[0].LastTime == before.Threads[0].LastTime && after.Threads[0].Count == before.Threads[0].Count {
		d.Errorf("the thread did not grow: %+v", after.Threads[0])
	}
	grown := d.first()
	late := time.After(10 * time.Second)
	for !d.announced(grown) {
		select {
		case <-d.changed:
		case <-late:
			d.Fatalf("nobody was told of %v: %+v", grown, d.changes)
		}
	}
}

// closes checks that closed panels list nothing and can be closed again.
func closes(d *fixture) {
	for range 2 {
		if err := d.Close(); err != nil {
			d.Error(err)
		}
	}
	if page := d.inbox(panel.InboxParams{}); len(page.Threads) > 0 {
		d.Errorf("%d threads are listed after the end", len(page.Threads))
	}
}
