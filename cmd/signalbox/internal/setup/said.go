package setup

import (
	"cmp"
	"context"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/who/userconfig"
)

// askPerson asks who the user is, if that is not set yet and there is a terminal to ask on.
func (s *setup) askPerson(ctx context.Context) error {
	if s.person != "" || s.shared || s.dry || s.yes || !cli.IsTerminal(s.In) {
		return nil
	}
	config, err := userconfig.At(s.Env.ConfigDir()).Read()
	if err != nil || config.Person != "" {
		return err
	}
	s.person = s.Ask("Which name do agents write to you under?", s.proposeName(ctx, s.Options.Agent().Value))
	return samp.CheckAlias(s.person)
}

func (s *setup) showSaid() {
	for name, value := range map[string]string{"answers": s.said, "person": s.person} {
		if !s.remove && value != "" {
			s.say("%s: %s = %s", userconfig.At(s.Env.ConfigDir()).Path(), name, value)
		}
	}
}

func (s *setup) writeSaid(ctx context.Context) error {
	if s.remove || s.person == "" && s.said == "" {
		return nil
	}
	return userconfig.At(s.Env.ConfigDir()).Change(ctx, func(c *userconfig.Config) {
		c.Person = cmp.Or(s.person, c.Person)
		c.Answers = userconfig.Answers(cmp.Or(s.said, string(c.Answers)))
	})
}
