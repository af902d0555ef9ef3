package server

import "github.com/signalbox-dev/signalbox/lsp/panel"

func checkInbox(p panel.InboxParams) error {
	if err := checkLimit(p.Limit); err != nil {
		return err
	}
	if err := checkFilter(p.Filter); err != nil {
		return err
	}
	if err := checkText("sort", string(p.Sort)); err != nil {
		return err
	}
	return checkText("cursor", p.Cursor)
}

func checkMark(p panel.MarkParams) error { return checkFilter(p.Filter) }

func checkFilter(f panel.InboxFilter) error {
	if err := checkText("filter.text", f.Text); err != nil {
		return err
	}
	if err := checkText("filter.protocol", f.Protocol); err != nil {
		return err
	}
	return checkText("filter.group", f.Group)
}
