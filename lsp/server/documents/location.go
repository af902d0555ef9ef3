package documents

import "github.com/signalbox-dev/signalbox/lsp/panel"

// Location is LSP's Location.
type Location struct {
	URI   string `json:"uri"`
	Range Span   `json:"range"`
}

// LocationOf returns a place with its columns in a client's encoding.
func LocationOf(p *panel.Place, enc Encoding) Location {
	column := func(c panel.Column) uint32 {
		switch enc {
		case UTF8:
			return uint32(c.UTF8)
		case UTF32:
			return uint32(c.UTF32)
		default:
			return uint32(c.UTF16)
		}
	}
	line := uint32(p.Line)
	return Location{FileURI(p.Path), Span{Position{line, column(p.Start)}, Position{line, column(p.End)}}}
}
