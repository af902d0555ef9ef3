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

// New prepares the default inbox of a name for a list that may be very long. The caller closes it.
func (d *Dir) New(ctx context.Context, name string) (*Reading, error) { return d.read(ctx, name, true) }

// NothingNew reports whether no mail can be new to a name, without reading any log.
func (d *Dir) NothingNew(name string) bool {
	sig, err := d.dir.Signature()
	return err == nil && d.dir.Unchanged(name, sig)
}

// read reads the new mail of a name. If many is set, the messages have no keys.
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

// Count counts the unread messages of a name. It saves nothing.
func (d *Dir) Count(ctx context.Context, name string) (int, error) {
	form, err := d.Form(ctx)
	if err != nil {
		return 0, err
	}
	list, err := d.dir.Waiting(ctx, name, form, d.Now(), d.Env.StateDir())
	return len(list), err
}

// All finds all mail that is addressed to a name. The caller closes it.
func (d *Dir) All(ctx context.Context, name string) (*Lines, error) {
	return d.AllWithRows(ctx, name, nil)
}

// AllWithRows is [Dir.All] for a list. worker returns a function that makes its rows, for one
// goroutine.
func (d *Dir) AllWithRows(ctx context.Context, name string, worker func() Row) (*Lines, error) {
	form, err := d.Form(ctx)
	if err != nil {
		return nil, err
	}
	return d.dir.Lines(ctx, name, form, worker)
}

// Answerable finds the mail to a name that an answer may be meant for. With a token, it returns
// the messages that the token matches. Otherwise it returns the newest message and all messages
// of the newest second that isn't ahead of the clock. It cuts bodies to [maxShownBody].
func (d *Dir) Answerable(ctx context.Context, name, token string) (Mail, error) {
	lines, err := d.All(ctx, name)
	if err != nil {
		return Mail{}, err
	}
	defer lines.Close()
	latest, from := d.Now().Unix()+samp.ClockError, int64(math.MinInt64)
	if token == "" {
		from = lines.LastSecond(latest)
	}
	mail := lines.Mail
	for m, err := range lines.Since(ctx, from) {
		if err != nil {
			return Mail{}, err
		}
		if token != "" && len(samp.Matches([]samp.Found{*m}, token)) == 0 {
			continue
		}
		if last := len(mail.Messages) - 1; token == "" && last >= 0 && mail.Messages[last].TS > latest {
			mail.Messages = mail.Messages[:last]
		}
		head := *m
		head.Body = head.Body[:min(len(head.Body), maxShownBody)]
		mail.Messages = append(mail.Messages, sampstore.CloneFound(&head))
	}
	return mail, nil
}

// maxShownBody is how many bytes of a body are kept if only its first line is shown: a line may
// have 100 MB (rule R4).
const maxShownBody = 1 << 20

// Find finds the messages that keep accepts and the reader may see. keep is called from several
// goroutines, and its argument is valid only during the call.
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

// guard removes from mail the messages that the reader may not see. A reader may see all messages
// of a thread that they take part in.
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
		_, unclear := threads[m.Thread]
		return unclear
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

// Recent returns messages that keep accepts and the reader may see, newest first. It reads only
// the ends of the logs. keep is called from several goroutines.
func (d *Dir) Recent(ctx context.Context, keep func(*samp.Record) bool) ([]samp.Found, error) {
	form, err := d.Form(ctx)
	if err != nil {
		return nil, err
	}
	reader := Reader(d.Who())
	return d.dir.Recent(ctx, form, func(m *samp.Found) bool { return reader.Sees(route(m)) && keep(&m.Record) })
}

// Prefixes returns for each effective id the length of its shortest prefix that no other id
// in the directory has.
func (d *Dir) Prefixes(ctx context.Context, ids []string) ([]int, error) {
	form, err := d.Form(ctx)
	if err != nil {
		return nil, err
	}
	return d.dir.Prefixes(ctx, form, ids)
}

// Verbatim writes the lines of messages from the logs, byte for byte.
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
