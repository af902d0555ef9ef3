package server

import (
	"context"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/outline"
	"github.com/signalbox-dev/signalbox/lsp/panel/textlink"
)

// logPlace is where the one message lies that the fake panel knows: behind
// characters of all widths.
func logPlace() panel.Place {
	return panel.Place{
		Path: "/m/log-alice.jsonl", Line: 2,
		Start: panel.Column{UTF8: 20, UTF16: 17, UTF32: 16}, End: panel.Column{UTF8: 36, UTF16: 33, UTF32: 32},
	}
}

func (f *fakePanel) Locate(_ context.Context, tokens []string) ([]panel.ResolvedLink, error) {
	list := []panel.ResolvedLink{}
	for _, t := range tokens {
		l := panel.ResolvedLink{Token: t, Status: "missing"}
		thread, message, call := ref("t1"), ref("m1"), taskRef("m/"+knownTask+"/"+knownCall)
		switch strings.TrimPrefix(t, "signalbox://message/") {
		case knownID:
			l = panel.ResolvedLink{
				Token: t, Status: "found", Kind: "message", Title: "alice → me: login", Protocol: "samp", Link: "signalbox://message/" + knownID,
				Thread: &thread, Message: &message, Places: []panel.Place{logPlace()}, Can: []string{panel.CanReply, panel.CanMarkRead},
			}
		case knownCall:
			task := taskRef("t/" + knownTask)
			l = panel.ResolvedLink{
				Token: t, Status: "found", Kind: "message", Title: "locked", Protocol: "agn", Thread: &task, Message: &call,
				Places: []panel.Place{{Path: "/o/messages/x.json"}}, Can: []string{panel.CanRespond, panel.CanAck},
			}
		case knownThread, "signalbox://thread/" + knownThread:
			l = panel.ResolvedLink{Token: t, Status: "found", Kind: "thread", Title: knownThread, Protocol: "samp", Thread: &thread, Places: []panel.Place{{Path: "/m/log a.jsonl", Line: 4}}}
		case "audio", "feature/audio":
			l = panel.ResolvedLink{Token: t, Status: "found", Kind: "branch", Title: "audio: 1 thread", Protocol: "atsf", Places: []panel.Place{{Path: "/w/thread.json"}}}
		case "both":
			l.Status, l.Kind, l.Places = "ambiguous", "message", []panel.Place{logPlace(), {Path: "/n/log-bob.jsonl"}}
		}
		list = append(list, l)
	}
	return list, nil
}

func (f *fakePanel) Links(_ context.Context, text string) ([]textlink.Link, error) {
	return textlink.Mentions(text, knownID, 100), nil
}

func (f *fakePanel) References(_ context.Context, p panel.ReferenceParams) (panel.ReferencePage, error) {
	first := panel.Reference{Place: logPlace(), Message: ref("m2"), Thread: ref("t1"), Title: "as *" + p.Token, From: "bob", Time: 1777000600000}
	switch p.Cursor {
	case "":
		return panel.ReferencePage{References: []panel.Reference{first}, NextCursor: "c1"}, nil
	case "c1":
		first.Line++
		return panel.ReferencePage{References: []panel.Reference{first}, Complete: true}, nil
	}
	return panel.ReferencePage{}, &panel.Error{Kind: panel.Malformed, Message: "the cursor is not one that a page gave", Detail: "cursor"}
}

func (f *fakePanel) Complete(_ context.Context, p panel.CompleteParams) (panel.Completions, error) {
	c := panel.Completions{Items: []panel.Completion{}}
	for _, it := range []panel.Completion{
		{Text: "alice", Kind: panel.CompletionRecipient, Protocol: "samp", Detail: "alias", Time: 1777000600000},
		{Text: knownThread, Kind: panel.CompletionThread, Protocol: "samp", Detail: "2 messages"},
		{Text: knownID, Kind: "message", Protocol: "samp", Detail: "alice → me: login"},
	} {
		if (string(it.Kind) == string(p.Kind) || it.Kind == "message" && p.Kind == panel.CompleteID) && strings.HasPrefix(it.Text, p.Prefix) {
			c.Items = append(c.Items, it)
		}
	}
	if p.Kind == "word" {
		return c, &panel.Error{Kind: panel.Malformed, Message: "kind is none of recipient, thread, id", Detail: "kind"}
	}
	return c, nil
}

func (f *fakePanel) Symbols(_ context.Context, query string, _ int) ([]panel.Symbol, error) {
	if !strings.Contains(knownThread, query) {
		return nil, nil
	}
	return []panel.Symbol{{Name: knownThread, Detail: "alice → me: login", Protocol: "samp", Thread: ref("t1"), Place: logPlace()}}, nil
}

func (f *fakePanel) Outline(doc check.Document) []outline.Entry { return outline.Of(doc) }
