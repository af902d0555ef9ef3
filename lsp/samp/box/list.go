package box

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// New prepares the default inbox of a name, for a list that may be very long. The caller
// closes it.
func (d *Dir) New(ctx context.Context, name string) (*Reading, error) { return d.read(ctx, name, true) }

// Nothing reports whether nothing can be new to a name, without reading any log.
func (d *Dir) Nothing(name string) bool {
	sig, err := d.dir.Signature()
	return err == nil && d.dir.Unchanged(name, sig)
}

// read reads what is new to a name. Many messages have no keys.
func (d *Dir) read(ctx context.Context, name string, many bool) (*Reading, error) {
	form, err := d.Form(ctx)
	if err != nil {
		return nil, err
	}
	state, failed := sampstore.OpenReadState(d.Env.StateDir(), d.dir, name)
	if failed != nil {
		state = nil
	}
	read := d.dir.ReadNew
	if many {
		read = d.dir.ReadMany
	}
	r, err := read(ctx, name, form, d.Now(), state)
	if err == nil && failed != nil {
		r.Warnings = append(r.Warnings, failed.Error())
	}
	return r, err
}

// Count counts what waits for a name. It saves nothing.
func (d *Dir) Count(ctx context.Context, name string) (int, error) {
	form, err := d.Form(ctx)
	if err != nil {
		return 0, err
	}
	list, err := d.dir.Waiting(ctx, name, form, d.Now(), d.Env.StateDir())
	return len(list), err
}

// All finds everything that is addressed to a name. The caller closes it.
func (d *Dir) All(ctx context.Context, name string) (*Lines, error) {
	return d.Listed(ctx, name, nil)
}

// Listed is All for a list whose rows are made by what worker returns, for one goroutine.
func (d *Dir) Listed(ctx context.Context, name string, worker func() Row) (*Lines, error) {
	form, err := d.Form(ctx)
	if err != nil {
		return nil, err
	}
	return d.dir.Lines(ctx, name, form, worker)
}

// Answerable finds the mail to a name that an answer may be meant for: what a token names, or
// without one the newest second that is not ahead of the clock, and the newest message. Of a
// giant body it keeps the beginning.
func (d *Dir) Answerable(ctx context.Context, name, token string) (Mail, error) {
	lines, err := d.All(ctx, name)
	if err != nil {
		return Mail{}, err
	}
	defer lines.Close()
	most, from := d.Now().Unix()+samp.ClockError, int64(math.MinInt64)
	if token == "" {
		from = lines.LastSecond(most)
	}
	mail := lines.Mail
	for m, err := range lines.Since(ctx, from) {
		if err != nil {
			return Mail{}, err
		}
		if token != "" && len(samp.Matches([]samp.Found{*m}, token)) == 0 {
			continue
		}
		if last := len(mail.Messages) - 1; token == "" && last >= 0 && mail.Messages[last].TS > most {
			mail.Messages = mail.Messages[:last]
		}
		head := *m
		head.Body = head.Body[:min(len(head.Body), maxShownBody)]
		mail.Messages = append(mail.Messages, sampstore.CloneFound(&head))
	}
	return mail, nil
}

// maxShownBody is how many bytes of a body are kept where its first line is all that is
// shown: a line may have 100 MB (rule R4).
const maxShownBody = 1 << 20

// Find finds the messages that keep accepts, of those that the reader may see. keep is
// called from several goroutines, and its argument is valid during the call.
func (d *Dir) Find(ctx context.Context, keep func(*samp.Found) bool) (Mail, error) {
	form, err := d.Form(ctx)
	if err != nil {
		return Mail{}, err
	}
	mail, err := d.dir.Select(ctx, form, keep)
	if err != nil {
		return mail, err
	}
	return mail, d.guard(ctx, form, &mail)
}

func route(m *samp.Found) panel.Route { return panel.Route{From: m.From, To: m.To} }

// guard leaves of some mail what the reader may see.
func (d *Dir) guard(ctx context.Context, form samp.Profile, mail *Mail) error {
	reader := Reader(d.Who())
	if reader == nil {
		return nil
	}
	mail.Suspicious = slices.DeleteFunc(mail.Suspicious, func(m samp.Found) bool { return !reader.Sees(panel.Route{To: m.To}) })
	threads := make(map[string][]panel.Route)
	for i := range mail.Messages {
		if m := &mail.Messages[i]; !reader.Sees(route(m)) {
			threads[m.Thread] = nil
		}
	}
	if len(threads) == 0 {
		return nil
	}
	all, err := d.dir.Select(ctx, form, func(m *samp.Found) bool {
		_, asked := threads[m.Thread]
		return asked
	})
	if err != nil {
		return err
	}
	for i := range all.Messages {
		m := &all.Messages[i]
		threads[m.Thread] = append(threads[m.Thread], route(m))
	}
	takes := make(map[string]bool)
	for name, routes := range threads {
		takes[name] = reader.TakesPart(routes)
	}
	mail.Messages = slices.DeleteFunc(mail.Messages, func(m samp.Found) bool { return !reader.Sees(route(&m)) && !takes[m.Thread] })
	return nil
}

// Recent returns messages that keep accepts and the reader may see, the newest first, from
// the ends of the logs alone. keep is called from several goroutines.
func (d *Dir) Recent(ctx context.Context, keep func(*samp.Record) bool) ([]samp.Found, error) {
	form, err := d.Form(ctx)
	if err != nil {
		return nil, err
	}
	reader := Reader(d.Who())
	return d.dir.Recent(ctx, form, func(m *samp.Found) bool { return reader.Sees(route(m)) && keep(&m.Record) })
}

// Prefixes returns for each effective id how many of its first bytes no other id in the
// directory begins with.
func (d *Dir) Prefixes(ctx context.Context, ids []string) ([]int, error) {
	form, err := d.Form(ctx)
	if err != nil {
		return nil, err
	}
	return d.dir.Prefixes(ctx, form, ids)
}

// Verbatim writes the lines of messages as they stand in the logs, byte for byte.
func (d *Dir) Verbatim(w io.Writer, messages []samp.Found) error { return d.dir.Verbatim(w, messages) }

// ReadAny returns an error if no log of the directory could be read. An empty inbox would
// otherwise look as if there were no mail.
func (d *Dir) ReadAny(m *Mail) error {
	if len(m.Problems) == 0 {
		return nil
	}
	unread := make(map[string]bool)
	for _, p := range m.Problems {
		unread[p.File] = true
	}
	logs, _, err := d.dir.Logs()
	for _, l := range logs {
		if !unread[l.Name] {
			return nil
		}
	}
	return cmp.Or(err, fmt.Errorf("see \"signalbox doctor\": none of the logs in %q can be read, and there may be mail in them", d.Path()))
}

// Has reports whether a name has a log.
func (d *Dir) Has(alias string) bool {
	log, problem := d.dir.Log(samp.LogName(alias))
	return problem != nil || log.Info != nil
}
