package server

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// mailArchive is signalbox/mail/archive. Archived is required, since its zero
// value would quietly take things back.
func (s *session) mailArchive(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[struct {
		panel.ArchiveParams
		Archived *bool `json:"archived"`
	}](params)
	if err != nil {
		return nil, err
	}
	if p.Archived == nil {
		return nil, badField("archived", "is missing")
	}
	p.ArchiveParams.Archived = *p.Archived
	if err := checkRefs("refs", p.Refs); err != nil {
		return nil, err
	}
	return s.panel.Archive(ctx, p.ArchiveParams)
}

// attachmentOpen is signalbox/attachment/open.
func (s *session) attachmentOpen(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[panel.AttachmentParams](params)
	if err == nil {
		err = checkAttachment(p)
	}
	if err != nil {
		return nil, err
	}
	return s.panel.OpenAttachment(ctx, p)
}

// attachmentSave is signalbox/attachment/save.
func (s *session) attachmentSave(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[panel.AttachmentParams](params)
	if err == nil {
		err = checkAttachment(p)
	}
	if err == nil && p.Path == "" {
		err = badField("path", "is missing")
	}
	if err != nil {
		return nil, err
	}
	return s.panel.SaveAttachment(ctx, p)
}

func checkAttachment(p panel.AttachmentParams) error {
	if err := checkRef("ref", p.Ref); err != nil {
		return err
	}
	if p.Attachment == "" {
		return badField("attachment", "is missing")
	}
	if err := checkText("attachment", p.Attachment); err != nil {
		return err
	}
	return checkText("path", p.Path)
}

// checkRefs is checkRef for a list, which has a limit.
func checkRefs(field string, refs []panel.Ref) error {
	if len(refs) > maxReadRefs {
		return badField(field, "has %d refs, more than %d", len(refs), maxReadRefs)
	}
	for i, r := range refs {
		if err := checkRef(at(field, i), r); err != nil {
			return err
		}
	}
	return nil
}
