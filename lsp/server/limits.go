package server

import (
	"strconv"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// Limits of params that do not depend on what is stored. The panel has its own
// for bodies. Texts are in bytes.
const (
	maxReadRefs = 1000
	maxText     = 4096 // names, cursors, filters, client tokens
	maxFiles    = 64   // attachments of a draft; the format has its own limit
)

func checkText(field, s string) error {
	if len(s) > maxText {
		return badField(field, "has %d bytes, more than %d", len(s), maxText)
	}
	return nil
}

func checkLimit(limit int) error {
	if limit < 0 || limit > panel.MaxPage {
		return badField("limit", "%d is not within 1 to %d", limit, panel.MaxPage)
	}
	return nil
}

// checkRef refuses a ref that nobody was given, before it is looked up.
func checkRef(field string, r panel.Ref) error {
	if r.Protocol == "" || r.Store == "" || r.ID == "" {
		return badField(field, "is not a ref (protocol, store, id)")
	}
	return checkText(field, string(r.Protocol)+r.Store+r.ID)
}

func checkDraft(field string, d panel.Draft) error {
	for _, f := range []struct{ name, value string }{
		{".to", d.To}, {".thread", d.Thread}, {".subject", d.Subject}, {".priority", d.Priority}, {".type", d.Type}, {".stamp", d.Stamp},
	} {
		if err := checkText(field+f.name, f.value); err != nil {
			return err
		}
	}
	if len(d.Attachments) > maxFiles {
		return badField(field+".attachments", "has %d paths, more than %d", len(d.Attachments), maxFiles)
	}
	for i, path := range d.Attachments {
		if err := checkText(at(field+".attachments", i), path); err != nil {
			return err
		}
	}
	if d.ReplyTo != nil {
		return checkRef(field+".replyTo", *d.ReplyTo)
	}
	return nil
}

// at names an element of an array in an error.
func at(field string, i int) string { return field + "[" + strconv.Itoa(i) + "]" }
