package server

import (
	"context"
	"maps"
	"net/url"
	"reflect"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// diagnostic is LSP's Diagnostic.
type diagnostic struct {
	Range    span       `json:"range"`
	Severity int        `json:"severity"`
	Code     string     `json:"code"` // the rule
	About    *reference `json:"codeDescription,omitempty"`
	Source   string     `json:"source"`
	Message  string     `json:"message"`
}

// reference is LSP's CodeDescription.
type reference struct {
	Href string `json:"href"`
}

// severities are LSP's: an error, a warning, an information.
var severities = map[panel.Severity]int{panel.Broken: 1, panel.Guess: 2, panel.Remark: 3}

type diagnosticsParams struct {
	URI         string       `json:"uri"`
	Version     *int32       `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

// diagnose publishes what is wrong with an open document, if it is one that the
// panels know. A client gets the empty list too, which takes back what was
// published before, also of a document that is none any more or was closed.
func (s *session) diagnose(uri string) { s.publish(uri, false) }

// publish is diagnose. With changed it sends only what the client does not have.
func (s *session) publish(uri string, changed bool) {
	p := diagnosticsParams{URI: uri, Diagnostics: []diagnostic{}}
	known := false
	if doc := s.docs.get(uri); doc != nil {
		p.Version = &doc.version
		p.Diagnostics, known = s.diagnostics(uri, doc)
	}
	last, published := s.diagnosed[uri]
	switch {
	case known:
		s.diagnosed[uri] = p.Diagnostics
	case published:
		delete(s.diagnosed, uri)
	default:
		return
	}
	if !changed || !reflect.DeepEqual(last, p.Diagnostics) {
		s.notify("textDocument/publishDiagnostics", p)
	}
}

// panelChanged is told what happened in the stores. It does not block.
func (s *session) panelChanged(c panel.Change) {
	s.news.Changed(c)
	if slices.Contains(c.Kinds, "tasks") {
		s.outdate()
	}
}

// outdate has open documents diagnosed anew. It does not block.
func (s *session) outdate() {
	select {
	case s.stale <- struct{}{}:
	default:
	}
}

// refresh diagnoses open documents anew when the tasks may have changed that they
// are held against, until ctx ends.
func (s *session) refresh(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.stale:
		}
		pause := s.Clock.After(announceEvery)
		s.inTurn("diagnose", func() {
			for _, uri := range slices.Sorted(maps.Keys(s.diagnosed)) {
				s.publish(uri, true)
			}
		})
		select {
		case <-ctx.Done():
			return
		case <-pause:
		}
	}
}

// diagnostics gives what is wrong with a document, if it is known.
func (s *session) diagnostics(uri string, doc *document) (list []diagnostic, known bool) {
	found, known := s.panel.Diagnose(shownTo(uri, doc))
	list = make([]diagnostic, len(found))
	for i := range found {
		list[i] = s.diagnostic(doc, &found[i])
	}
	return list, known
}

func (s *session) diagnostic(doc *document, d *panel.Diagnostic) diagnostic {
	r := diagnostic{
		Range:    span{doc.position(d.Start, s.encoding), doc.position(d.End, s.encoding)},
		Severity: severities[d.Severity], Code: d.Rule, Source: "signalbox", Message: d.Message,
	}
	if s.codeLinks && d.About != "" {
		r.About = &reference{d.About}
	}
	return r
}

// shownTo gives a document as the panels look at it.
func shownTo(uri string, doc *document) panel.Document {
	d := panel.Document{Language: doc.language, Text: doc.text}
	if u, err := url.Parse(uri); err == nil {
		d.File = u.Path
	}
	d.Path, _ = folderPath(uri)
	return d
}
