package session

import "github.com/signalbox-dev/signalbox/core/secrets"

// Mask masks the secrets in every text of a message, and reports whether there were any.
func (m *Message) Mask() (masked bool) {
	mask := func(list ...*string) {
		for _, s := range list {
			if now := secrets.Mask(*s); now != *s {
				*s, masked = now, true
			}
		}
	}
	mask(&m.From, &m.To)
	for i := range m.Content {
		b := &m.Content[i]
		mask(&b.Text, &b.URI, &b.Name)
	}
	for i := range m.Tools {
		c := &m.Tools[i]
		mask(&c.Title, &c.Input, &c.Output)
		for k := range c.Locations {
			mask(&c.Locations[k].Path)
		}
		if c.Diff != nil {
			mask(&c.Diff.Path, &c.Diff.Old, &c.Diff.New)
		}
	}
	return masked
}

// Mask masks the secrets in the facts that a list shows. The other facts were masked by
// [FirstLine] or [Wants].
func (f *Facts) Mask() {
	for _, s := range []*string{&f.Name, &f.Branch} {
		*s = secrets.Mask(*s)
	}
}
