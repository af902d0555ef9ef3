package setup

import (
	"context"
	"os"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/who/userconfig"
)

// Facts are what an editor asks before it offers to set up.
type Facts struct {
	// Program is a copy of this program that stays where it is when the editor's moves. Run
	// by that path, setup writes that path.
	Program string `json:"program"`
	// Person is who the user is, "" if nobody said it, and Proposed a name for them.
	Person   string `json:"person,omitempty"`
	Proposed string `json:"proposed"`
	// Agent is the name of an agent that starts in the working directory.
	Agent string `json:"agent"`
	// Clients are those that are found on this machine.
	Clients []State `json:"clients"`
}

func (s *setup) facts(ctx context.Context, chosen []*client) error {
	program, err := s.keepCopy()
	if err != nil {
		return err
	}
	s.command = program
	config, err := userconfig.At(s.Env.ConfigDir()).Read()
	if err != nil {
		return err
	}
	agent := s.Options.Agent().Value
	facts := Facts{
		Program: program, Person: config.Person, Proposed: s.proposeName(ctx, agent), Agent: agent, Clients: make([]State, len(chosen)),
	}
	for i, c := range chosen {
		facts.Clients[i] = s.judge(c)
	}
	w := s.Writer()
	if err := cli.WriteJSON(w, facts); err != nil {
		return err
	}
	return w.Flush()
}

func (s *setup) renewCopy() error {
	if _, err := os.Stat(s.copyPath()); err != nil {
		return nil
	}
	_, err := s.keepCopy()
	return err
}
