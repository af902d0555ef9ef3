package server

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

// triggered is CompletionTriggerKind's TriggerCharacter: the user typed a trigger character and
// did not ask for completion.
const triggered = 2

type completionParams struct {
	TextDocument documentID         `json:"textDocument"`
	Position     documents.Position `json:"position"`
	Context      struct {
		Trigger int `json:"triggerKind"`
	} `json:"context"`
}

func (p completionParams) uri() string { return p.TextDocument.URI }

// completionList is LSP's CompletionList.
type completionList struct {
	Incomplete bool             `json:"isIncomplete"`
	Items      []completionItem `json:"items"`
}

type completionItem struct {
	Label  string   `json:"label"`
	Kind   int      `json:"kind"`
	Detail string   `json:"detail,omitempty"`
	Sort   string   `json:"sortText"`
	Filter string   `json:"filterText"`
	Edit   textEdit `json:"textEdit"`
}

// completionKinds are LSP's CompletionItemKind: Constant for people, Reference for mail.
var completionKinds = map[panel.CompletionKind]int{"recipient": 21, "thread": 18, "message": 18}

// completion is textDocument/completion. It completes aliases after "to:", threads after
// "[thread:" and "Thread:", and ids. In source code it does so only in comments.
func (s *session) completion(ctx context.Context, doc *documents.Document, p completionParams) (completionList, error) {
	list := completionList{Items: []completionItem{}}
	line := doc.Line(p.Position.Line)
	offset := documents.ColumnOffset(line, p.Position.Character, s.encoding)
	asked, ok := completing(line[:offset], doc.Language, p.Context.Trigger != triggered)
	if !ok {
		return list, nil
	}
	word := line[asked.start:offset]
	q := panel.CompleteParams{Kind: asked.kind, Prefix: word, Limit: panel.MaxCompletions}
	if q.Kind == panel.CompleteThread {
		q.To = recipientAbove(doc, p.Position.Line, line[:offset])
	}
	found, err := s.panel.Complete(ctx, q)
	if err != nil {
		return list, err
	}
	end := ""
	if asked.closed && !strings.HasPrefix(line[offset:], "]") {
		end = "]"
	}
	at := documents.Span{
		Start: documents.Position{Line: p.Position.Line, Character: documents.ColumnOf(line, asked.start, s.encoding)},
		End:   documents.Position{Line: p.Position.Line, Character: documents.ColumnOf(line, offset, s.encoding)},
	}
	list.Incomplete = found.Incomplete
	for i := range found.Items {
		it := completionOf(&found.Items[i], word)
		it.Sort, it.Edit = fmt.Sprintf("%04d", i), textEdit{at, found.Items[i].Text + end}
		// The next letter may be from a title or from a name, so the client must ask again.
		list.Incomplete = list.Incomplete || it.Label != found.Items[i].Text
		list.Items = append(list.Items, it)
	}
	return list, nil
}

// completionOf returns the item of a completion. Its label is the title, if there is one. Its
// filter is the text that contains the typed word, so that editors find it.
func completionOf(c *panel.Completion, word string) completionItem {
	it := completionItem{Label: c.Text, Kind: completionKinds[c.Kind], Detail: c.Detail, Filter: spelled(c.Text, word)}
	if c.Title == "" || c.Title == c.Text {
		return it
	}
	it.Label, it.Detail = c.Title, c.Text+" · "+c.Detail
	if n := needle.New(word); !n.Empty() && !n.In(c.Text) {
		it.Filter = spelled(c.Title, word)
	}
	return it
}

// spelled returns the spelling of a text that contains a word. Editors compare characters without
// normalizing them, so a composed letter would not match a decomposed one.
func spelled(text, word string) string {
	for _, s := range needle.Spellings(text) {
		if strings.Contains(strings.ToLower(s), strings.ToLower(word)) {
			return s
		}
	}
	return text
}

// headerLines is how many lines above the cursor the header with the recipient may be.
const headerLines = 10

// recipientAbove returns the recipient of the message whose thread is completed. It searches the
// line before the cursor, then the lines above it.
func recipientAbove(doc *documents.Document, at uint32, before string) string {
	for up := uint32(0); ; up++ {
		if m := recipient().FindStringSubmatch(before[:min(len(before), completionReach)]); m != nil {
			return m[1]
		}
		if up == min(at, headerLines) {
			return ""
		}
		before = doc.Line(at - up - 1)
	}
}

// wordToComplete describes the word to complete: its kind and where it begins in the line. closed
// is set if a bracket must follow it.
type wordToComplete struct {
	kind   panel.CompleteKind
	start  int
	closed bool
}

// completionReach is how many bytes of a line before the cursor are searched.
const completionReach = 1024

// pattern returns a function that compiles a regular expression on its first call, so that a
// program that starts for one command does not wait for it.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// The texts before the cursor. The group is the typed part of the word.
var (
	afterTo      = pattern(`(?:^|[^A-Za-z0-9_])(?:to|To|TO)"?[:=][ \t]*"?([A-Za-z0-9._@-]*)$`)
	recipient    = pattern(`(?:^|[^A-Za-z0-9_])(?:to|To|TO)"?[:=][ \t]*"?([A-Za-z0-9._@-]+)`)
	afterBracket = pattern(`\[thread:([^\]]*)$`)
	afterThread  = pattern(`(?:^|[^A-Za-z0-9_])(?:thread|Thread|thread_id)"?:[ \t]*"?([^"\]]*)$`)
	afterID      = pattern(`(?:^|[^A-Za-z0-9_-])(msg[_-][A-Za-z0-9_-]*|T-[0-9]{2,4}-[0-9]*)$`)
	afterDigits  = pattern(`(?:^|[^A-Za-z0-9_-])([0-9a-f]{4,16}|[0-9a-f]{8}-[0-9a-f-]{0,27})$`)
)

// completing returns the word to complete, from the line before the cursor. asked is set if the
// user asked for completion or types a word. Only then are plain digits completed.
func completing(before, language string, asked bool) (wordToComplete, bool) {
	if !inProse(before, language) {
		return wordToComplete{}, false
	}
	skip := max(0, len(before)-completionReach)
	for _, c := range []struct {
		re     func() *regexp.Regexp
		kind   panel.CompleteKind
		closed bool
		typed  bool // completed even if not asked for
	}{
		{afterBracket, panel.CompleteThread, true, true},
		{afterTo, panel.CompleteRecipient, false, true},
		{afterID, panel.CompleteID, false, true},
		{afterDigits, panel.CompleteID, false, false},
		{afterThread, panel.CompleteThread, false, true},
	} {
		if !c.typed && !asked {
			continue
		}
		if m := c.re().FindStringSubmatchIndex(before[skip:]); m != nil {
			return wordToComplete{c.kind, skip + m[2], c.closed}, true
		}
	}
	return wordToComplete{}, false
}

// prose lists the languages that are completed everywhere in a text.
var prose = map[string]bool{
	"": true, "markdown": true, "plaintext": true, "text": true, "git-commit": true, "gitcommit": true, "git-rebase": true, "json": true, "jsonc": true,
	"jsonl": true, "json5": true, "yaml": true, "mail": true, "rst": true, "asciidoc": true, "org": true, "NeogitCommitMessage": true, "latex": true,
}

// commentMarks matches the beginnings of comments in various languages.
var commentMarks = pattern(`//|/\*|^[ \t]*\*|(?:^|[ \t])#|--|(?:^|[ \t]);|(?:^|[ \t])%|<!--|"""|'''`)

// inProse reports whether the cursor is in a text for people: in a language of prose or, from the
// line before the cursor, in a comment.
func inProse(before, language string) bool {
	return prose[language] || commentMarks().MatchString(before)
}
