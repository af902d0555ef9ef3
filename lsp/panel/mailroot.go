package panel

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// pinsTimeout is how long a request waits to pin keys that are new.
const pinsTimeout = 2 * time.Second

// rememberEvery is how long what was judged waits at least to be saved: the file is
// written whole, and a reader who turns pages does not wait for the disk.
const rememberEvery = 10 * time.Second

// mailRoot is the directory of mailboxes that is followed, with the keys of others
// that are known.
type mailRoot struct {
	live   *mailbox.Live
	path   string
	origin string
	pins   *mailbox.Pins
	seen   *mailbox.Seen

	mu      sync.Mutex // guards what follows
	noticed string     // the keys that were looked at last
	alarms  []mailbox.Alarm
	err     error // why keys cannot be pinned
	saved   time.Time
}

// mailNow is what is known of signed mail at one moment.
type mailNow struct {
	*mailbox.Snapshot
	own    mailbox.Owned
	pins   *mailbox.Pins
	alarms []mailbox.Alarm
	err    error
	// forgets is why what was seen is not remembered.
	forgets error
	shelf   *Shelf     // of all formats
	away    *ShelfPart // of signed mail
	at      int64
	// tallies is what [mailNow.tallyMail] counted, once it was asked.
	tallies *Tallies
}

// openMail follows the directory of mailboxes that the settings and the
// environment name. It gives the one that is to be closed. The caller holds mu.
func (p *Panels) openMail(env store.Env, s Settings) (left *mailRoot) {
	c := mailbox.Locate(env, p.opt.Amp, s.AmpDirectory)
	if p.mail != nil && p.mail.path == c.Value {
		p.mail.origin = c.Origin
		return nil
	}
	left = p.mail
	p.mail = &mailRoot{path: c.Value, origin: c.Origin, pins: mailbox.PinsAt(mailbox.PinsPath(env)), seen: mailbox.SeenAt(mailbox.SeenPath(env))}
	p.mail.live = mailbox.OpenLive(mailbox.Config{Path: c.Value, Seen: p.mail.seen, Logger: p.opt.Log, Changed: p.mailChanged})
	return left
}

// mailNow gives what is known of signed mail, after the keys of mailboxes that are
// new on this machine were pinned.
func (p *Panels) mailNow(ctx context.Context) mailNow {
	p.mu.RLock()
	root, signer, settings := p.mail, p.signer, p.settings
	env := p.opt.Env
	p.mu.RUnlock()
	away := p.shelfNow()
	if root == nil {
		return mailNow{Snapshot: &mailbox.Snapshot{}, shelf: away}
	}
	now := mailNow{Snapshot: root.live.Snapshot(), pins: root.pins, shelf: away, at: away.Now}
	given := store.Choice{Value: settings.AmpIdentity, Origin: "setting signalbox.amp.identity"}
	now.own = mailbox.Own(now.Snapshot, env, given, signer)
	now.away = away.parts[shelfStore{mail.AMP, now.ID, now.boxName()}]
	now.forgets = root.remember(ctx, p.opt.Now(), !settings.ReadOnly)
	now.alarms, now.err = root.notice(ctx, now.Mailboxes, p.opt.Now(), !settings.ReadOnly)
	return now
}

// remember saves what earlier requests judged, not more often than rememberEvery,
// and takes up what other processes did. What is not saved yet is lost if the process
// is killed, which matters only if the message is deleted before it is shown again.
func (r *mailRoot) remember(ctx context.Context, now time.Time, write bool) error {
	r.mu.Lock()
	since := now.Sub(r.saved)
	if due := since < 0 || since >= rememberEvery; write && due {
		r.saved = now
	} else {
		write = false
	}
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, pinsTimeout)
	defer cancel()
	return r.seen.Keep(ctx, write)
}

// close stops following, and saves what was judged.
func (r *mailRoot) close(write bool) {
	r.live.Close()
	ctx, cancel := context.WithTimeout(context.Background(), pinsTimeout)
	defer cancel()
	_ = r.seen.Keep(ctx, write)
}

// notice pins keys that are seen for the first time, and gives those that are
// others than before. It looks again only when a mailbox or the pins changed, or when
// it may write and could not before.
func (r *mailRoot) notice(ctx context.Context, boxes []*mailbox.Mailbox, now time.Time, write bool) ([]mailbox.Alarm, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.pins.Err(); err != nil {
		r.noticed = ""
		return r.alarms, err
	}
	var b strings.Builder
	b.WriteString(strconv.FormatBool(write) + "\n")
	for _, box := range boxes {
		for _, a := range box.Addresses {
			b.WriteString(a.String() + " " + box.Key.Fingerprint() + "\n")
		}
	}
	state := b.String() + strconv.FormatInt(r.pins.Revision(), 10)
	if state == r.noticed {
		return r.alarms, r.err
	}
	ctx, cancel := context.WithTimeout(ctx, pinsTimeout)
	defer cancel()
	r.alarms, r.err = r.pins.Notice(ctx, boxes, now, write)
	if r.err == nil {
		r.noticed = b.String() + strconv.FormatInt(r.pins.Revision(), 10)
	}
	return r.alarms, r.err
}

// mailChanged turns a change of mailboxes into the client's.
func (p *Panels) mailChanged(c mailbox.Change) {
	change := SourceChange{Kinds: []string{"messages", "read"}, Truncated: c.Truncated || c.Mailboxes, Status: c.Mailboxes}
	p.mu.RLock()
	root := p.mail
	p.mu.RUnlock()
	if root != nil {
		for _, id := range c.Threads {
			change.Threads = append(change.Threads, mail.ThreadRef(mail.AMP, mailbox.ID(root.path), id))
		}
	}
	p.announce(change)
}

// status describes the directory for [Status].
func (r *mailRoot) status(n *mailNow) MailRoot {
	out := MailRoot{
		Path: safe(r.path), Origin: r.origin, Store: mailbox.ID(r.path), Exists: n.Exists, Watching: Watching(n.Watching),
		Messages: n.Messages, Boxes: []MailBox{},
	}
	if n.Err != nil {
		out.Error = safe(n.Err.Error())
	}
	for _, b := range n.Mailboxes {
		box := MailBox{
			Name: safe(b.Name), Own: n.own.Has(b), Signs: b.Signs, Fingerprint: b.Key.Fingerprint(), Messages: b.Messages, Unread: b.Unread,
		}
		if len(b.Addresses) > 0 {
			box.Address = b.Addresses[0].String()
		}
		out.Boxes = append(out.Boxes, box)
	}
	return out
}

// shown tells whether there is something to say of the directory: the default one
// is not missed while it is not there.
func (r *mailRoot) shown(n *mailNow) bool {
	return n.Exists && len(n.Mailboxes) > 0 || !strings.HasPrefix(r.origin, "default")
}

// problems are the remarks about mailboxes and keys.
func (n *mailNow) problems() []Warning {
	var list []Warning
	if n.Err != nil {
		list = append(list, Warning{Rule: "STO-1", Message: safe(n.Path + ": " + n.Err.Error())})
	}
	for i := range n.alarms {
		if n.alarms[i].Pinned.Address != "" { // two owners of an address are a problem of the store's
			list = append(list, Warning{Rule: "SIG-7", Message: safe(alarmWords(&n.alarms[i]))})
		}
	}
	if n.err != nil {
		list = append(list, Warning{Rule: "SIG-7", Message: safe("nobody new is believed, and no key is remembered: " + n.err.Error())})
	}
	if n.forgets != nil {
		list = append(list, Warning{Rule: "SIG-9", Message: safe("mail that is deleted and delivered again is not noticed: " + n.forgets.Error())})
	}
	for _, pr := range n.Problems {
		list = append(list, Problem(pr.Path, pr.Rule, pr.Reason, pr.Advice))
	}
	return Some(list, Warning{Rule: "STO-1", Message: "and more: run signalbox doctor"})
}

// alarmWords says that somebody's key changed, and what to do.
func alarmWords(a *mailbox.Alarm) string {
	return a.Address + " has another key than before, and mail signed with it is not trusted; ask them by another way, then \"signalbox amp keys accept " +
		a.Address + "\" shows both keys and takes the new one"
}

// unreadIn counts what the user has not read in a thread.
func (n *mailNow) unreadIn(t *mailbox.Thread) int {
	count := 0
	for i := range t.Messages {
		if n.unreadAt(&t.Messages[i]) {
			count++
		}
	}
	return count
}

// received gives the file of a message in the user's own inbox, or nil.
func (n *mailNow) received(at *mailbox.Placed) *mailbox.Message { return n.own.File(at, mailbox.Inbox) }

// unreadAt tells whether the user has not read a message: no file of it in their
// inbox says that they did.
func (n *mailNow) unreadAt(at *mailbox.Placed) bool {
	unread := false
	for _, m := range at.Files() {
		if n.own.Holds(m, mailbox.Inbox) {
			if m.Status != amp.Unread {
				return false
			}
			unread = true
		}
	}
	return unread
}
