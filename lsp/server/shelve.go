package server

import (
	"context"
	"encoding/json"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

func checkShelve(p panel.ShelveParams) error { return checkRefs("refs", p.Refs) }

// archiveCommand is signalbox.archive [refs, names or ids], and unarchiveCommand
// signalbox.unarchive.
func (s *session) archiveCommand(ctx context.Context, args []json.RawMessage) (answered, error) {
	return s.archive(ctx, args, true)
}

func (s *session) unarchiveCommand(ctx context.Context, args []json.RawMessage) (answered, error) {
	return s.archive(ctx, args, false)
}

func (s *session) archive(ctx context.Context, args []json.RawMessage, archived bool) (answered, error) {
	refs, err := s.refArguments(ctx, args)
	if err != nil {
		return answered{}, err
	}
	counts, err := s.panel.Shelve(ctx, panel.ShelveParams{Refs: refs, Archived: &archived})
	return answered{countsText(counts), counts}, err
}

// snoozeCommand is signalbox.snooze [{until, refs}]: until is a time of RFC 3339 or
// in Unix milliseconds, and refs are refs, names or ids. Without until the threads
// come back at once.
func (s *session) snoozeCommand(ctx context.Context, args []json.RawMessage) (answered, error) {
	a, err := argument[struct {
		Until json.RawMessage   `json:"until"`
		Refs  []json.RawMessage `json:"refs"`
	}](args[0])
	if err != nil {
		return answered{}, err
	}
	until, err := timeArgument(a.Until)
	if err != nil {
		return answered{}, err
	}
	refs, err := s.refArguments(ctx, a.Refs)
	if err != nil {
		return answered{}, err
	}
	counts, err := s.panel.Shelve(ctx, panel.ShelveParams{Refs: refs, SnoozeUntil: &until})
	return answered{countsText(counts), counts}, err
}

// timeArgument gives a time in Unix milliseconds, or 0 where there is none.
func timeArgument(raw json.RawMessage) (int64, error) {
	if !isString(raw) {
		return argument[int64](raw)
	}
	text, err := argument[string](raw)
	if err != nil {
		return 0, err
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return 0, badField("until", "%q is no time of RFC 3339, such as 2026-03-02T09:00:00Z", short(text))
	}
	return at.UnixMilli(), nil
}
