package agent

import "github.com/signalbox-dev/signalbox/lsp/panel"

// Reader returns the agent as the guard of the panels knows it.
func (b *Box) Reader() (panel.Reader, error) {
	me, err := b.me()
	if err != nil {
		return nil, err
	}
	return panel.Reader{me}, nil
}
