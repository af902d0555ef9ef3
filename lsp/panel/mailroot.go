package panel

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/store/environ"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
	"github.com/signalbox-dev/signalbox/lsp/store/tree"
)

// pinsTimeout is how long a request waits to pin keys that are new.
const pinsTimeout = 2 * time.Second

// rememberEvery is the shortest time between two saves of what was judged. The file is
// always written whole, and a reader who turns pages should not wait for the disk.
const rememberEvery = 10 * time.Second

// mailRoot is the directory of mailboxes that we follow, with the known keys of others.
type mailRoot struct {
	live   *mailbox.Live
	path   string
	origin string
	pins   *mailbox.Pins
	seen   *mailbox.Seen

	mu      sync.Mutex // guards what follows
	noticed string     // what notice checked last: write, the mailboxes' keys and the pins' revision
	alarms  []mailbox.Alarm
	err     error // why keys cannot be pinned
	saved   time.Time
}

// mailNow is the view of signed mail: all that we know of it at one moment, for one
// request.
type mailNow struct {
	*mailbox.Snapshot
	own    mailbox.Owned
	pins   *mailbox.Pins
	alarms []mailbox.Alarm
	err    error
	// forgets is the error that keeps signatures already seen from being saved or read.
	forgets error
	shelf   *Shelf     // of all formats
	away    *ShelfPart // of signed mail
	at      int64
	// tallies holds the counts of [mailNow.tallyMail], or nil before its first call.
	tallies *Tallies
}

// openMail starts to follow the directory of mailboxes that the settings and the
// environment name. It returns the previous directory for the caller to close, or nil
// if there was none or the path is the same. The caller holds mu.
func (p *Panels) openMail(env environ.Env, s Settings) (left *mailRoot) {
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

// mailNow returns the current view of signed mail. It first pins the keys of mailboxes
// that are new on this machine.
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
	given := environ.Choice{Value: settings.AmpIdentity, Origin: "setting signalbox.amp.identity"}
	now.own = mailbox.Own(now.Snapshot, env, given, signer)
	now.away = away.parts[shelfStore{mail.AMP, now.ID, now.boxName()}]
	now.forgets = root.remember(ctx, p.opt.Now(), !settings.ReadOnly)
	now.alarms, now.err = root.notice(ctx, now.Mailboxes, p.opt.Now(), !settings.ReadOnly)
	return now
}

// remember reads what other processes judged. With write it also saves what earlier
// requests judged, at most once every rememberEvery. If the process is killed, unsaved
// judgements are lost. This matters only if the message is deleted before it is shown
// again.
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

// close stops following the directory. With write it saves what was judged.
func (r *mailRoot) close(write bool) {
	r.live.Close()
	ctx, cancel := context.WithTimeout(context.Background(), pinsTimeout)
	defer cancel()
	_ = r.seen.Keep(ctx, write)
}

// notice pins keys that are seen for the first time, and returns an alarm for each key
// that differs from the pinned one. Without write it pins nothing. It checks again only
// if a mailbox, the pins or write changed, or if the last check failed.
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

// mailChanged announces a change of mailboxes to the client.
func (p *Panels) mailChanged(c mailbox.Change) {
	change := SourceChange{Kinds: []string{"messages", "read"}, Truncated: c.Truncated || c.Mailboxes, Status: c.Mailboxes}
	p.mu.RLock()
	root := p.mail
	p.mu.RUnlock()
	if root != nil {
		for _, id := range c.Threads {
			change.Threads = append(change.Threads, mail.ThreadRef(mail.AMP, tree.ID(root.path), id))
		}
	}
	p.announce(change)
}

// status returns the directory and its mailboxes for [Status].
func (r *mailRoot) status(n *mailNow) MailRoot {
	out := MailRoot{
		Path: safe(r.path), Origin: r.origin, Store: tree.ID(r.path), Exists: n.Exists, Watching: Watching(n.Watching),
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

// shown reports whether the status lists the directory. The default directory is listed
// only if it exists and holds mailboxes.
func (r *mailRoot) shown(n *mailNow) bool {
	return n.Exists && len(n.Mailboxes) > 0 || !strings.HasPrefix(r.origin, "default")
}

// problems returns warnings about the directory, its mailboxes and their keys (STO-1,
// SIG-7, SIG-9).
func (n *mailNow) problems() []Warning {
	var list []Warning
	if n.Err != nil {
		list = append(list, Warning{Rule: "STO-1", Message: safe(n.Path + ": " + n.Err.Error())})
	}
	for i := range n.alarms {
		if n.alarms[i].Pinned.Address != "" { // the store's own Problems report an address with two owners
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

// alarmWords returns a warning that somebody's key changed, and what to do.
func alarmWords(a *mailbox.Alarm) string {
	return a.Address + " has another key than before, and mail signed with it is not trusted; ask them by another way, then \"signalbox amp keys accept " +
		a.Address + "\" shows both keys and takes the new one"
}

// unreadIn returns how many messages of a thread the user has not read.
func (n *mailNow) unreadIn(t *mailbox.Thread) int {
	count := 0
	for i := range t.Messages {
		if n.unreadAt(&t.Messages[i]) {
			count++
		}
	}
	return count
}

// received returns the file of a message in the user's own inbox, or nil.
func (n *mailNow) received(at *mailbox.Placed) *mailbox.Message { return n.own.File(at, mailbox.Inbox) }

// unreadAt reports whether a message is unread: it has files in the user's inbox, and
// all of them have the status unread.
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
