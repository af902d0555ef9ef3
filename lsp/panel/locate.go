package panel

import (
	"context"
	"fmt"
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
)

// placesMost bounds the places that one token leads to.
const placesMost = 20

// What can be done with what a token stands for.
const (
	CanReply    = "reply"
	CanMarkRead = "markRead"
	CanAck      = "ack"     // the user has to acknowledge the message
	CanRespond  = "respond" // an escalation that waits for the admin
)

// Located is where a token leads.
type Located struct {
	Token  string // as it was sent
	Status LinkStatus
	Kind   LinkKind
	Title  string
	// Protocol is that of what was found, Link its address, empty where no single
	// thing was found.
	Protocol mail.Protocol
	Link     string
	// Thread and Message refer to it. A branch has neither.
	Thread, Message *Ref
	// Places are in files that the stores know, the best first: a message's line, or
	// the one with which a thread begins. There are none for what is gone.
	Places []Place
	// Can lists what can be done with it, of the Can constants.
	Can []string
}

// Locate says where tokens lead, in their order. As for [Panels.Resolve], only what
// is known is found. Bodies are not rendered for it.
func (p *Panels) Locate(ctx context.Context, tokens []string) ([]Located, error) {
	if len(tokens) > MaxRefs {
		return nil, &Error{Kind: TooLarge, Message: fmt.Sprintf("%d tokens, and %d is the limit", len(tokens), MaxRefs)}
	}
	list := make([]Located, 0, len(tokens))
	for _, token := range tokens {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		list = append(list, p.locateLink(ctx, token))
	}
	return list, ctx.Err()
}

// locateLink follows an address to what it names.
func (p *Panels) locateLink(ctx context.Context, token string) Located {
	kind, name, isLink := mail.ParseLink(token)
	if !isLink {
		return p.locateToken(ctx, token)
	}
	l := p.locateToken(ctx, name)
	l.Token = token
	switch {
	case kind == mail.LinkThread && l.Kind == "message":
		l.Kind, l.Message = "thread", nil // the message that the thread begins with
	case kind == mail.LinkMessage && l.Kind != "message":
		return Located{Token: token, Status: "missing", Places: []Place{}, Can: []string{}}
	}
	return l
}

// locateToken looks in the order of [Panels.Resolve], so that both find the same.
func (p *Panels) locateToken(ctx context.Context, token string) Located {
	l := Located{Token: token, Status: "missing", Places: []Place{}, Can: []string{}}
	if token == "" {
		return l
	}
	for _, look := range []func(context.Context, *Located) bool{
		p.locateRecord, p.locateTask, p.locateMail, p.locateAgent, p.locateThread, p.locateAgentMessage, p.locateBranch,
	} {
		if look(ctx, &l) {
			if l.Status == "found" && l.Kind != "branch" {
				l.Link = mail.FormatLink(string(l.Kind), token)
			}
			l.Places = l.Places[:min(len(l.Places), placesMost)]
			return l
		}
	}
	return l
}

// locateRecord finds messages of SAMP.
func (p *Panels) locateRecord(_ context.Context, l *Located) bool {
	stores, _, _ := p.snapshot()
	for _, s := range stores {
		found := s.live.Find(l.Token)
		for i := range found {
			m := &found[i]
			if m.Err != nil {
				continue
			}
			id := s.live.Stats().ID
			thread, message := threadRef(id, m.Thread), messageRef(id, m)
			l.Places = append(l.Places, recordPlace(s, m, l.Token))
			l.Thread, l.Message = &thread, &message
			l.Title, _ = render.Line(m.From+" → "+m.To+": "+m.Body, 80)
			l.Can = []string{CanReply}
			if m.Unread {
				l.Can = append(l.Can, CanMarkRead)
			}
		}
	}
	l.Status, l.Kind, l.Protocol = "found", "message", mail.SAMP
	if len(l.Places) > 1 {
		l.Status, l.Thread, l.Message, l.Can = "ambiguous", nil, nil, []string{}
		l.Title = fmt.Sprintf("%d messages", len(l.Places))
	}
	if len(l.Places) == 0 {
		l.Status, l.Kind, l.Protocol = "missing", "", ""
	}
	return len(l.Places) > 0
}

// locateTask finds tasks and their messages.
func (p *Panels) locateTask(_ context.Context, l *Located) bool {
	now := p.now()
	for _, s := range p.ssotsNow() {
		t, at := s.Task(l.Token), 0
		l.Kind = "thread"
		if t == nil {
			t, at = s.Message(l.Token)
			l.Kind = "message"
		}
		if t == nil {
			l.Kind = ""
			continue
		}
		ref := taskRef(s, t.ID)
		l.Status, l.Thread, l.Title, l.Protocol = "found", &ref, taskTitle(t), mail.AGN
		if len(t.Files) > at {
			l.Places = append(l.Places, taskPlace(s, t, at))
		}
		if l.Kind == "message" {
			m := &t.History.Messages[at]
			message := taskMessageRef(s, t.ID, m.ID)
			l.Message = &message
			l.Title, _ = render.Line(m.From+" → "+m.To+": "+messageWords(m), 80)
			l.Can = taskCan(t, m, now)
		}
		return true
	}
	return false
}

// taskCan says what the admin can do with a message.
func taskCan(t *ssot.Task, m *agn.Message, now int64) []string {
	can := []string{}
	if m.Payload.Escalation != nil && openOf(t, now)[m.ID] {
		can = append(can, CanRespond)
	}
	acked := slices.ContainsFunc(t.History.Acks, func(a agn.Ack) bool { return a.MsgID == m.ID && a.By == agn.Admin })
	if m.To == agn.Admin && m.RequiresAck && !acked {
		can = append(can, CanAck)
	}
	return can
}

// locateMail finds signed mail.
func (p *Panels) locateMail(ctx context.Context, l *Located) bool {
	if !isLetter(l.Token) {
		return false
	}
	n := p.mailNow(ctx)
	hits := n.lettersByID(l.Token, p.now())
	for _, h := range hits {
		t, i := h.thread, h.at
		shown := n.own.Shown(&t.Messages[i])
		thread, message := mail.ThreadRef(mail.AMP, n.ID, t.ID), ampMessageRef(n.ID, shown.Key)
		l.Thread, l.Message = &thread, &message
		l.Title, _ = render.Line(shown.From+" → "+shown.To+": "+shown.Subject, 80)
		if len(l.Places) < placesMost {
			l.Places = append(l.Places, filePlace(n.Path, shown.Key, shown.ID))
		}
		if l.Can = []string{CanReply}; n.unreadAt(&t.Messages[i]) {
			l.Can = append(l.Can, CanMarkRead)
		}
	}
	switch len(hits) {
	case 0:
		// The message that a conversation begins with may not be here.
		t := n.Thread(l.Token)
		if t == nil || len(t.Messages) == 0 {
			return false
		}
		thread := mail.ThreadRef(mail.AMP, n.ID, t.ID)
		shown := n.own.Shown(&t.Messages[0])
		l.Status, l.Kind, l.Thread, l.Protocol = "found", "thread", &thread, mail.AMP
		l.Title = safe(shown.Subject)
		l.Places = append(l.Places, filePlace(n.Path, shown.Key, shown.ID))
	case 1:
		l.Status, l.Kind, l.Protocol = "found", "message", mail.AMP
	default:
		l.Status, l.Kind, l.Protocol, l.Thread, l.Message, l.Can = "ambiguous", "message", mail.AMP, nil, nil, []string{}
		l.Title = fmt.Sprintf("%d messages", len(hits))
	}
	return true
}

// locateAgent finds the threads of agents.
func (p *Panels) locateAgent(_ context.Context, l *Located) bool {
	now := p.agents()
	found := now.ByID(l.Token)
	for i, it := range found[:min(len(found), placesMost)] {
		if i == 0 {
			ref := agentRef(it)
			l.Status, l.Kind, l.Thread, l.Title, l.Protocol = "found", "thread", &ref, agentTitle(it), mail.ATSF
		}
		l.Places = append(l.Places, agentPlaces(now, it)...)
	}
	return len(found) > 0
}

// locateThread finds the threads of SAMP.
func (p *Panels) locateThread(_ context.Context, l *Located) bool {
	stores, _, _ := p.snapshot()
	for _, s := range stores {
		t, err := s.live.ThreadNamed(l.Token)
		if err != nil {
			continue
		}
		if l.Thread == nil {
			ref := threadRef(s.live.Stats().ID, t.Name)
			l.Status, l.Kind, l.Thread, l.Protocol = "found", "thread", &ref, mail.SAMP
			l.Title, _ = render.Line(t.Name, titleChars)
			if l.Can = []string{CanReply}; t.Unread > 0 {
				l.Can = append(l.Can, CanMarkRead)
			}
		}
		if m, err := s.live.First(t.Name); err == nil {
			l.Places = append(l.Places, recordPlace(s, &m, t.Name))
		}
	}
	return l.Thread != nil
}

// locateAgentMessage finds the messages of agents, which takes longest.
func (p *Panels) locateAgentMessage(ctx context.Context, l *Located) bool {
	live := p.followed()
	if live == nil || !uuid().MatchString(l.Token) {
		return false
	}
	found, err := live.FindMessage(ctx, l.Token)
	if err != nil {
		return false
	}
	now := live.Snapshot()
	for _, h := range found.Hits[:min(len(found.Hits), placesMost)] {
		it := now.Item(h.Key)
		if it == nil {
			continue
		}
		e, err := now.Message(ctx, h.Key, l.Token)
		if err != nil {
			continue
		}
		if l.Message == nil {
			thread, message := agentRef(it), lineRef(it, &e)
			m := agentMessage(it, &e)
			l.Status, l.Kind, l.Thread, l.Message, l.Protocol = "found", "message", &thread, &message, mail.ATSF
			l.Title, _ = render.Line(m.From+": "+gist(&e), 80)
		}
		if folder, file, ok := agentFilePath(now, it, atsf.MessagesName); ok {
			l.Places = append(l.Places, wordIn(joined(folder, file), int(e.Number)-1, e.Message.Raw, l.Token))
		}
	}
	return l.Message != nil
}
