package server

import "github.com/signalbox-dev/signalbox/lsp/panel"

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
	if err := checkText("sort", string(p.Sort)); err != nil {
		return err
	}
	return checkText("cursor", p.Cursor)
}
