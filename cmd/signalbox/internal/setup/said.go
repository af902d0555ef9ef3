package setup

import (
	"context"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/who/userconfig"
)

// askPerson asks who the user is, if nobody said it yet and there is a terminal to ask on.
func (s *setup) askPerson(ctx context.Context) error {
	if s.person != "" || s.shared || s.dry || s.yes || !cli.IsTerminal(s.In) {
		return nil
	}
	said, err := userconfig.At(s.Env.ConfigDir()).Read()
	if err != nil || said.Person != "" {
		return err
	}
	s.person = s.Ask("Which name do agents write to you under?", s.proposeName(ctx, s.Options.Agent().Value))
	return samp.CheckAlias(s.person)
}

func (s *setup) showSaid() {
	if !s.remove && s.person != "" {
		s.say("%s: person = %s", userconfig.At(s.Env.ConfigDir()).Path(), s.person)
	}
}

func (s *setup) writeSaid(ctx context.Context) error {
	if s.remove || s.person == "" {
		return nil
	}
	return userconfig.At(s.Env.ConfigDir()).Change(ctx, func(c *userconfig.Config) {
		c.Person = s.person
	})
}
