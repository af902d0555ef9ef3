// Package mail holds the commands about SAMP mail, the search in mail of all formats,
// and the interface of the published tool.
package mail

import (
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/spf13/cobra"
)

type commands struct{ *cli.Options }

// Commands returns the commands that read, write and check SAMP mail.
func Commands(o *cli.Options) []*cobra.Command {
	c := &commands{o}
	return []*cobra.Command{
		c.inboxCommand(), c.sentCommand(), c.sendCommand(), c.replyCommand(), c.tailCommand(),
		searchCommand(o), c.catCommand(), c.logCommand(), c.compactCommand(),
		c.validateCommand(), c.sampCommand(),
	}
}

func (o *commands) reads() (string, error) {
	if _, err := o.Alias(); err != nil {
		return "", err
	}
	return o.Box().Reads()
}
