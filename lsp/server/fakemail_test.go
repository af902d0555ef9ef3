package server

import (
	"context"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// letterRef names the one signed message that the fake panel knows.
func letterRef() panel.Ref { return panel.Ref{Protocol: "amp", Store: "a1", ID: "m/letter"} }

func letterThread() panel.ThreadItem {
	trust := panel.Trust{Level: "ok", Label: "verified", Detail: "signed by *alice*"}
	return panel.ThreadItem{
		Ref: panel.Ref{Protocol: "amp", Store: "a1", ID: "t/msg_1_a"}, Protocol: "amp", Title: "Logs `of` the night",
		Participants: []string{"alice", "me"}, LastFrom: "alice", LastTo: "me", FirstTime: 1777000000000, LastTime: 1777000000000,
		Count: 1, Unread: 1, NeedsReply: true, Mine: true, Preview: "see <attached>", Marks: []string{}, Group: "mail",
		Amp: &panel.AmpThread{Priority: "urgent", State: "verified", Trust: trust, Attachments: 1, Mailbox: "me"},
	}
}

func letterPage() panel.ThreadPage {
	t := letterThread()
	return panel.ThreadPage{
		Thread: t,
		Messages: []panel.MessageItem{{
			Ref: letterRef(), ID: "msg_1_a", From: "alice@acme.example", To: "me@acme.example", Time: 1777000000000, Unread: true,
			HTML: "<p>see</p>", Text: "see <attached>", Chars: 14, Trust: t.Amp.Trust, Marks: []string{}, Origin: panel.Origin{Log: "x.json", Line: 1},
			Amp: &panel.AmpMessage{
				Subject: "Logs `of` the night", Priority: "urgent", Type: "request", State: "verified", Status: "unread", Mailbox: "me", Box: "inbox",
				Missing: "msg_0_z", Context: "{\n  \"repo\": \"```\"\n}", Key: "SHA256:k", Step: "as stored", Archivable: true, Expires: 1777000001000, Expired: true,
				Attachments: []panel.AttachmentItem{{ID: "att_1_b", Name: "night.log", Type: "text/plain", Size: 17, Scan: "unscanned", Present: true, Problem: "[beware](command:x)"}},
				Flags:       []string{"instruction_override"}, Faults: []panel.Warning{{Rule: "ENV-4", Message: "too *long*"}},
			},
		}},
		Related: []panel.ThreadLink{}, Warnings: []panel.Warning{}, Revision: 4,
	}
}

func (f *fakePanel) Archive(_ context.Context, p panel.ArchiveParams) (panel.Counts, error) {
	for _, r := range p.Refs {
		if r.Protocol != "amp" {
			return panel.Counts{}, &panel.Error{Kind: panel.Unsupported, Message: "only signed mail can be archived"}
		}
	}
	if p.Archived {
		return panel.Counts{}, nil
	}
	return panel.Counts{Unread: 1, NeedsReply: 1}, nil
}

func (f *fakePanel) Shelve(_ context.Context, p panel.ShelveParams) (panel.Counts, error) {
	if (p.Archived == nil) == (p.SnoozeUntil == nil) {
		return panel.Counts{}, &panel.Error{Kind: panel.Malformed, Message: "one of archived and snoozeUntil is to be given"}
	}
	if p.Archived != nil && *p.Archived || p.SnoozeUntil != nil && *p.SnoozeUntil > 0 {
		return panel.Counts{}, nil
	}
	return panel.Counts{Unread: 1, NeedsReply: 1}, nil
}

func (f *fakePanel) Undo(_ context.Context, p panel.UndoParams) (panel.Counts, error) {
	if p.Undo != 1 {
		return panel.Counts{}, &panel.Error{Kind: panel.NotFound, Message: "it is too late to undo that: something else was done since"}
	}
	return panel.Counts{Unread: 1, NeedsReply: 1}, nil
}

func (f *fakePanel) Show(_ context.Context, name, text string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.shown = append(f.shown, name+"\n"+text)
	return "/s/shown/x/" + name, nil
}

func (f *fakePanel) OpenAttachment(_ context.Context, p panel.AttachmentParams) (panel.AttachmentFile, error) {
	return attachmentFile(p, "/state/opened/night.log")
}

func (f *fakePanel) SaveAttachment(_ context.Context, p panel.SaveParams) (panel.AttachmentFile, error) {
	return attachmentFile(p.AttachmentParams, p.Path)
}

func attachmentFile(p panel.AttachmentParams, path string) (panel.AttachmentFile, error) {
	switch {
	case p.Ref != letterRef() || p.Attachment != "att_1_b":
		return panel.AttachmentFile{}, &panel.Error{Kind: panel.NotFound, Message: "the message has no such attachment"}
	case !p.Confirmed:
		return panel.AttachmentFile{}, &panel.Error{Kind: panel.Untrusted, Message: "the sender's provider found it suspicious", Detail: "confirm"}
	}
	return panel.AttachmentFile{Path: path, Name: "night.log", Type: "text/plain", Size: 17}, nil
}
