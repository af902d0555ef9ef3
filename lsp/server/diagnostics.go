package server

import (
	"cmp"
	"context"
	"net/url"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/announce"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

// diagnostic is LSP's Diagnostic.
type diagnostic struct {
	Range    documents.Span `json:"range"`
	Severity int            `json:"severity"`
	Code     string         `json:"code"` // the rule
	About    *reference     `json:"codeDescription,omitempty"`
	Source   string         `json:"source"`
	Message  string         `json:"message"`
}

// reference is LSP's CodeDescription.
type reference struct {
	Href string `json:"href"`
}

// severities are LSP's: an error, a warning, an information, a hint.
var severities = map[check.Severity]int{check.Error: 1, check.Warning: 2, check.Information: 3, check.Hint: 4}

type diagnosticsParams struct {
	URI         string       `json:"uri"`
	Version     *int32       `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

// checks holds the checks of open documents. They run concurrently with requests and notifications,
// one at a time for each document. A newer version cancels the check of an older one.
type checks struct {
	slots chan struct{} // one token for each running check
	mu    sync.Mutex
	by    map[string]*checking // by URI; guarded by mu
}

// maxChecking is how many documents are checked at once.
const maxChecking = 2

func newChecks() checks {
	return checks{slots: make(chan struct{}, maxChecking), by: map[string]*checking{}}
}

// checking is the state of the checks of one open document.
type checking struct {
	cancel    context.CancelFunc // cancels the newest check
	run       int                // counts the checks
	running   bool               // the newest check has not ended
	again     bool               // other files changed while it ran
	checked   *check.Checked     // the last finished check, nil if the document is not known
	published *diagnosticsParams // what was last published, or nil
}

// cause is why a document is checked.
type cause uint8

const (
	opened  cause = iota
	edited        // a large document is checked after a pause
	outside       // other files changed
)

// A document of more than largeText bytes is checked once it was not edited for editPause.
const (
	largeText = 256 << 10
	editPause = 300 * time.Millisecond
)

// diagnose checks an open document and publishes its diagnostics, if its kind is known. It is
// called in order and does not wait. An empty list is published as well, since it withdraws earlier
// diagnostics, including those of a document that was closed or is of no known kind any more.
func (s *session) diagnose(uri string, why cause) {
	s.checks.mu.Lock()
	defer s.checks.mu.Unlock()
	c := s.checks.by[uri]
	if c == nil {
		c = &checking{cancel: func() {}}
		s.checks.by[uri] = c
	}
	if why == outside && c.running {
		c.again = true // not every new message restarts a long check
		return
	}
	c.cancel()
	c.run++
	doc := s.docs.Get(uri)
	if doc == nil || !s.settings.Diagnoses() {
		delete(s.checks.by, uri)
		s.takeBack(uri, c, doc)
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	c.cancel, c.running, c.again = cancel, true, false
	run, last := c.run, c.checked
	if why == outside {
		last = nil
	}
	s.owned.Go(func() {
		defer cancel()
		newest := func() bool { return s.checks.by[uri] == c && c.run == run }
		_, _ = s.Guarded("diagnose", func() (any, error) {
			return nil, s.check(ctx, uri, doc, why, last, newest)
		})
		s.checks.mu.Lock()
		defer s.checks.mu.Unlock()
		if newest() {
			c.running = false
			if c.again {
				s.markStale()
			}
		}
	})
}

// check checks one version of a document. newest reports whether the check is still the
// newest. The caller of newest holds the checks' lock.
func (s *session) check(ctx context.Context, uri string, doc *documents.Document, why cause, last *check.Checked, newest func() bool) error {
	if why == edited && len(doc.Text) > largeText {
		select {
		case <-time.After(editPause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	select {
	case s.checks.slots <- struct{}{}:
		defer func() { <-s.checks.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	checked, err := s.Check(ctx, shownTo(doc), s.panel, last)
	if err != nil {
		return err
	}
	p := diagnosticsParams{URI: uri, Version: &doc.Version, Diagnostics: []diagnostic{}}
	if checked != nil {
		p.Diagnostics = s.diagnostics(doc, checked.Found)
	}
	s.checks.mu.Lock()
	defer s.checks.mu.Unlock()
	if !newest() {
		return nil
	}
	c := s.checks.by[uri]
	c.checked = checked
	if checked == nil {
		s.takeBack(uri, c, doc)
	} else if before := c.published; why != outside || before == nil || *before.Version != doc.Version || !reflect.DeepEqual(before.Diagnostics, p.Diagnostics) {
		c.published = &p
		s.notify("textDocument/publishDiagnostics", p)
	}
	return nil
}

// takeBack withdraws the published diagnostics of a document, if there are any. The caller
// holds the checks' lock.
func (s *session) takeBack(uri string, c *checking, doc *documents.Document) {
	if c.published == nil {
		return
	}
	c.published = nil
	p := diagnosticsParams{URI: uri, Diagnostics: []diagnostic{}}
	if doc != nil {
		p.Version = &doc.Version
	}
	s.notify("textDocument/publishDiagnostics", p)
}

// panelChanged handles a change in the stores. It does not block.
func (s *session) panelChanged(c panel.Change) {
	s.announcer.Changed(c)
	if len(c.Kinds) > 0 {
		s.markStale()
	}
}

// markStale makes refresh check open documents again. It does not block.
func (s *session) markStale() {
	select {
	case s.stale <- struct{}{}:
	default:
	}
}

// refresh checks open documents again whenever the files on which they depend may have
// changed, until ctx ends.
func (s *session) refresh(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.stale:
		}
		pause := time.After(announce.Every)
		s.InTurn("diagnose", func() {
			for _, uri := range s.docs.URIs() {
				if s.dependsOnOthers(uri) {
					s.diagnose(uri, outside)
				}
			}
		})
		select {
		case <-ctx.Done():
			return
		case <-pause:
		}
	}
}

// dependsOnOthers reports whether the diagnostics of a document may depend on other files.
// It is true while the document is being checked.
func (s *session) dependsOnOthers(uri string) bool {
	s.checks.mu.Lock()
	defer s.checks.mu.Unlock()
	c := s.checks.by[uri]
	return c != nil && (c.running || c.checked != nil && c.checked.Outside)
}

// diagnostics returns the diagnostics in LSP's form. It finds all positions in one pass over
// the text.
func (s *session) diagnostics(doc *documents.Document, found []check.Diagnostic) []diagnostic {
	list := make([]diagnostic, len(found))
	order := make([]int, len(found))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(found[a].Start, found[b].Start) })
	starts, ends := doc.Walk(s.encoding), doc.Walk(s.encoding)
	for _, i := range order {
		list[i] = s.withoutRange(&found[i])
		list[i].Range = documents.Span{Start: starts.Position(found[i].Start), End: ends.Position(found[i].End)}
	}
	return list
}

func (s *session) diagnostic(doc *documents.Document, d *check.Diagnostic) diagnostic {
	out := s.withoutRange(d)
	out.Range = documents.Span{Start: doc.Position(d.Start, s.encoding), End: doc.Position(d.End, s.encoding)}
	return out
}

// withoutRange returns a diagnostic in LSP's form without its range.
func (s *session) withoutRange(d *check.Diagnostic) diagnostic {
	out := diagnostic{Severity: severities[d.Severity], Code: d.Rule, Source: "signalbox", Message: d.Message}
	if s.codeLinks && d.About != "" {
		out.About = &reference{d.About}
	}
	return out
}

// shownTo returns a document in the form that checks and panels take.
func shownTo(doc *documents.Document) check.Document {
	d := check.Document{Language: doc.Language, Text: doc.Text}
	if u, err := url.Parse(doc.URI); err == nil {
		d.File = u.Path
	}
	d.Path, _ = documents.FolderPath(doc.URI)
	return d
}
