// Package check holds the limits of params that do not depend on what is stored. Each
// function returns an error that names the first field that breaks one, or nil.
package check

import (
	"cmp"
	"strconv"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
)

// The panel has its own limits for bodies. Texts are in bytes.
const (
	maxRefs  = 1000
	maxText  = 4096 // names, cursors, filters, client tokens
	maxFiles = 64   // attachments of a draft; the format has its own limit
)

// Text limits the length of a text.
func Text(field, s string) error {
	if len(s) > maxText {
		return codec.BadField(field, "has %d bytes, more than %d", len(s), maxText)
	}
	return nil
}

// texts limits the length of several texts, given as fields and values in turn.
func texts(list ...string) error {
	for i := 0; i < len(list); i += 2 {
		if err := Text(list[i], list[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// given requires a text that is not empty.
func given(field, s string) error {
	if s == "" {
		return codec.BadField(field, "is missing")
	}
	return Text(field, s)
}

// limit limits the size of a page.
func limit(n int) error {
	if n < 0 || n > panel.MaxPage {
		return codec.BadField("limit", "%d is not within 1 to %d", n, panel.MaxPage)
	}
	return nil
}

// Ref refuses a ref that nobody was given, before it is looked up.
func Ref(field string, r panel.Ref) error {
	if r.Protocol == "" || r.Store == "" || r.ID == "" {
		return codec.BadField(field, "is not a ref (protocol, store, id)")
	}
	return Text(field, string(r.Protocol)+r.Store+r.ID)
}

// refs limits the number of refs, and checks each.
func refs(list []panel.Ref) error {
	if len(list) > maxRefs {
		return codec.BadField("refs", "has %d refs, more than %d", len(list), maxRefs)
	}
	for i, r := range list {
		if err := Ref(at("refs", i), r); err != nil {
			return err
		}
	}
	return nil
}

// Tokens refuses more tokens, or longer ones, than are looked up at once.
func Tokens(field string, tokens []string) error {
	if len(tokens) > panel.MaxRefs {
		return codec.BadField(field, "has %d tokens, more than %d", len(tokens), panel.MaxRefs)
	}
	for i, t := range tokens {
		if err := Text(at(field, i), t); err != nil {
			return err
		}
	}
	return nil
}

// Draft checks a draft. Its body is for the panel to check.
func Draft(field string, d panel.Draft) error {
	if err := texts(field+".to", d.To, field+".thread", d.Thread, field+".subject", d.Subject,
		field+".priority", d.Priority, field+".type", d.Type, field+".stamp", d.Stamp); err != nil {
		return err
	}
	if len(d.Attachments) > maxFiles {
		return codec.BadField(field+".attachments", "has %d paths, more than %d", len(d.Attachments), maxFiles)
	}
	for i, path := range d.Attachments {
		if err := Text(at(field+".attachments", i), path); err != nil {
			return err
		}
	}
	if d.ReplyTo == nil {
		return nil
	}
	return Ref(field+".replyTo", *d.ReplyTo)
}

// at names an element of an array in an error.
func at(field string, i int) string { return field + "[" + strconv.Itoa(i) + "]" }

// first returns the first error that is not nil.
func first(errs ...error) error { return cmp.Or(errs...) }
