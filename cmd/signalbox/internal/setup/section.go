package setup

import "github.com/signalbox-dev/signalbox/cmd/signalbox/internal/setup/edit"

// section is a marked section of a text for people. What a person wrote between the marks
// stays.
type section struct{ edit.Block }

func (e section) Add(text []byte, wrote string) ([]byte, error) {
	there, _, err := e.Block.Has(text)
	if !there || err != nil {
		if err != nil {
			return nil, err
		}
		return e.Block.Add(text)
	}
	was := e.Block
	was.Text = wrote
	if _, equal, err := was.Has(text); err != nil || !equal {
		return text, err
	}
	return e.Block.Add(text)
}

func (e section) Has(text []byte) (bool, error) {
	there, _, err := e.Block.Has(text)
	return there, err
}

func (e section) Remove(text []byte, wrote string) ([]byte, error) {
	was := e.Block
	was.Text = wrote
	return was.Remove(text)
}

func (e section) Wrote(string) string { return e.Text }

func (e section) Owns(text []byte, _ string) bool {
	there, err := e.Has(text)
	return err == nil && there
}

func (e section) Earlier(text []byte) string {
	if !e.Owns(text, "") {
		return ""
	}
	return e.Text
}
