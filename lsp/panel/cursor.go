package panel

import (
	"cmp"
	"encoding/base64"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/core/mail"
)

// cursor is a place in an inbox that shows several sources.
type cursor struct {
	Head
	// Digest replaces Name if the name is too long for a cursor. See [mail.Digest].
	Digest string `json:"d,omitempty"`
	// Order is empty if the newest thread comes first.
	Order Sort `json:"o,omitempty"`
}

// sent returns the cursor as the opaque text that a client gets.
func (c cursor) sent() string {
	if len(c.Name) > mail.MaxName {
		c.Name, c.Digest = "", mail.Digest(c.Name)
	}
	if c.Order == SortNewest {
		c.Order = ""
	}
	return opaque(c)
}

// opaque returns a place as the text that a client gets.
func opaque(place any) string {
	data, err := json.Marshal(place)
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// parseOpaque returns the place that [opaque] turned into text. The place of no text is zero.
func parseOpaque[T any](s string) (place T, err error) {
	if s == "" {
		return place, nil
	}
	data, err := base64.RawURLEncoding.DecodeString(s)
	if err == nil {
		err = json.Unmarshal(data, &place)
	}
	if err != nil || string(data) == "null" {
		return place, &Error{Kind: Malformed, Message: "the cursor is not one that a page gave", Detail: "cursor", Err: err}
	}
	return place, nil
}

// Cursor returns the head as the opaque text that a client gets. The text names no
// order, so it is for lists that have only one.
func (h *Head) Cursor() string { return cursor{Head: *h}.sent() }

// ParseHead returns the head that [Head.Cursor] turned into text. Its name is empty if
// the name was too long for a cursor.
func ParseHead(s string) (Head, error) {
	c, err := parseOpaque[cursor](s)
	return c.Head, err
}

// named returns the cursor with the long name that its digest stands for, if a view
// knows the name. If no view does any more, the name stays empty, and the list goes on
// after all threads of that time.
func (c cursor) named(views []view) cursor {
	for i := 0; i < len(views) && c.Digest != ""; i++ {
		if v, ok := views[i].View.(Indexed); ok {
			if name, ok := v.LongName(c.Digest); ok {
				c.Name, c.Digest = name, ""
			}
		}
	}
	return c
}

// placeAfter returns the head that the cursor of a request names, or nil if the request
// has no cursor. A cursor of a list in another order is an error.
func placeAfter(q *InboxParams, o Sort, views []view) (*Head, error) {
	if q.Cursor == "" {
		return nil, nil //nolint:nilnil // without a cursor the list starts at the first thread
	}
	c, err := parseOpaque[cursor](q.Cursor)
	if err != nil {
		return nil, err
	}
	if cmp.Or(c.Order, SortNewest) != o {
		return nil, &Error{Kind: Malformed, Message: "the cursor is of a page in another order", Detail: "cursor"}
	}
	c = c.named(views)
	return &c.Head, nil
}
