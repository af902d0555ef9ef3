package server

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// inboxList is signalbox/inbox/list.
func (s *session) inboxList(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[panel.InboxParams](params)
	if err != nil {
		return nil, err
	}
	if err := checkInbox(p); err != nil {
		return nil, err
	}
	return s.panel.Inbox(ctx, p)
}

func checkInbox(p panel.InboxParams) error {
	if err := checkLimit(p.Limit); err != nil {
		return err
	}
	if err := checkText("filter.text", p.Filter.Text); err != nil {
		return err
	}
	if err := checkText("filter.protocol", p.Filter.Protocol); err != nil {
		return err
	}
	if err := checkText("filter.group", p.Filter.Group); err != nil {
		return err
	}
	if err := checkText("sort", p.Sort); err != nil {
		return err
	}
	return checkText("cursor", p.Cursor)
}
