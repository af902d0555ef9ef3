package server

import (
	"context"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

func checkCompose(p panel.ComposeParams) error {
	if p.Ref == nil {
		return nil
	}
	return checkRef("ref", *p.Ref)
}

// composePreview is signalbox/compose/preview. It writes nothing.
func (s *session) composePreview(ctx context.Context, p panel.PreviewParams) (panel.ComposePreview, error) {
	if err := checkDraft("draft", p.Draft); err != nil {
		return panel.ComposePreview{}, err
	}
	return s.panel.ComposePreview(ctx, p.Draft)
}

// checkSend requires the client token: without one a retry would send twice, as a
// SAMP id changes with the time.
func checkSend(p panel.SendParams) error {
	if err := checkToken(p.ClientToken); err != nil {
		return err
	}
	return checkDraft("draft", p.Draft)
}
