package server

import (
	"net/url"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// diagnostic is LSP's Diagnostic.
type diagnostic struct {
	Range    span   `json:"range"`
	Severity int    `json:"severity"`
	Code     string `json:"code"` // the rule
	Source   string `json:"source"`
	Message  string `json:"message"`
}

// severities are LSP's: an error, a warning, an information.
var severities = map[panel.Severity]int{panel.Broken: 1, panel.Guess: 2, panel.Remark: 3}

type diagnosticsParams struct {
	URI         string       `json:"uri"`
	Version     *int32       `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

// diagnose publishes what is wrong with an open document, if it is a file that
// the panels know. A client gets the empty list too, which takes back what was
// published before.
func (s *session) diagnose(uri string) {
	file, ok := diagnosed(uri)
	if !ok {
		return
	}
	p := diagnosticsParams{URI: uri, Diagnostics: []diagnostic{}}
	if doc := s.docs.get(uri); doc != nil {
		p.Version = &doc.version
		for _, d := range panel.Diagnose(file, doc.text) {
			p.Diagnostics = append(p.Diagnostics, diagnostic{
				Range:    span{doc.position(d.Start, s.encoding), doc.position(d.End, s.encoding)},
				Severity: severities[d.Severity], Code: d.Rule, Source: "signalbox", Message: d.Message,
			})
		}
	}
	s.notify("textDocument/publishDiagnostics", p)
}

// diagnosed gives the path in a document's URI, whatever its scheme, if such a
// file is diagnosed.
func diagnosed(uri string) (file string, ok bool) {
	u, err := url.Parse(uri)
	if err != nil {
		return "", false
	}
	return u.Path, panel.Diagnoses(u.Path)
}
