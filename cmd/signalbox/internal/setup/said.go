package setup

import (
	"context"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store/userconfig"
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
	s.person = s.Ask("Which name do agents write to you under?", s.proposeName(ctx, s.ChooseAlias().Value))
	return samp.CheckAlias(s.person)
}

// says reports whether the flags say something for the person's own configuration.
func (s *setup) says() bool { return s.person != "" || s.wake || s.noWake }

// showSaid shows what is written there.
func (s *setup) showSaid() {
	if s.remove {
		return
	}
	path := userconfig.At(s.Env.ConfigDir()).Path()
	if s.person != "" {
		s.say("%s: person = %s", path, s.person)
	}
	if s.wake || s.noWake {
		s.say("%s: teamInbox = %t", path, s.wake)
	}
}

// writeSaid writes it.
func (s *setup) writeSaid(ctx context.Context) error {
	if s.remove || !s.says() {
		return nil
	}
	return userconfig.At(s.Env.ConfigDir()).Change(ctx, func(c *userconfig.Config) {
		if s.person != "" {
			c.Person = s.person
		}
		if s.wake || s.noWake {
			c.TeamInbox = s.wake
		}
	})
}
