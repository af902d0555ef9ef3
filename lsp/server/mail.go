package server

import "github.com/signalbox-dev/signalbox/lsp/panel"

func checkRead(p panel.ReadParams) error { return checkRefs("refs", p.Refs) }

func checkArchive(p panel.ArchiveParams) error { return checkRefs("refs", p.Refs) }

func checkSave(p panel.SaveParams) error {
	if err := checkAttachment(p.AttachmentParams); err != nil {
		return err
	}
	if p.Path == "" {
		return badField("path", "is missing")
	}
	return checkText("path", p.Path)
}

func checkAttachment(p panel.AttachmentParams) error {
	if err := checkRef("ref", p.Ref); err != nil {
		return err
	}
	if p.Attachment == "" {
		return badField("attachment", "is missing")
	}
	return checkText("attachment", p.Attachment)
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
