package mail

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/who"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// interfaceVersion is the release of the published tool that the drop-in imitates, for
// scripts that check it.
const interfaceVersion = "1.2.0"

// DropInName returns the program's name, and reports whether it is the published tool's:
// then this is a link or a copy of the binary (rule D1).
func DropInName(argv0 string) (name string, ok bool) {
	name = filepath.Base(argv0)
	name = strings.TrimSuffix(name, ".exe")
	return name, strings.HasPrefix(strings.TrimPrefix(name, "."), "agent-message-cmd")
}

// DropIn runs the published tool's interface: its arguments, stdin, exit codes 0 and 1, and
// the output that scripts match.
func DropIn(o *cli.Options, name string, args []string) error {
	o.Color, o.Scripted = "never", true
	err := (&commands{o}).dropIn(context.Background(), name, args)
	if err == nil {
		return nil
	}
	if code, silent := cli.ExitCode(err); silent {
		return cli.Silent(code)
	}
	return cli.WithExit(cli.ExitFailed, err)
}

func (o *commands) dropIn(ctx context.Context, name string, args []string) error {
	command := ""
	if len(args) > 0 {
		command, args = args[0], args[1:]
	}
	if command == "--version" || command == "-V" {
		_, err := fmt.Fprintf(o.Stdout, "agent-message %s (SAMP v1)\n", interfaceVersion+"+signalbox."+o.Version)
		return err
	}
	if p := o.Env.Getenv("SIGNALBOX_PROFILE"); p != "auto" {
		if _, ok := samp.ParseProfile(p); !ok && p != "" {
			return fmt.Errorf("unknown profile %q: SIGNALBOX_PROFILE is v1, v1-compact or auto", p)
		}
		o.Profile = p
	}
	o.warnName()
	switch command {
	case "send":
		if len(args) == 0 {
			return errors.New("usage: send <to>")
		}
		if err := samp.CheckAlias(args[0]); err != nil {
			return fmt.Errorf("send: recipient: %w", err)
		}
		text, err := o.text("send <to>", args[1:])
		if err != nil {
			return err
		}
		return o.send(ctx, args[0], text)
	case "reply":
		text, err := o.text("reply", args)
		if err != nil {
			return err
		}
		return o.reply(ctx, "", "", text)
	case "inbox":
		m, err := parseMode(args[:min(len(args), 1)])
		if err != nil {
			return errors.New(strings.TrimSuffix(err.Error(), modeHelp))
		}
		return o.inbox(ctx, m, &cli.Filter{}, false)
	}
	return fmt.Errorf("usage: %s {send|inbox|reply} [args]  (--version)", name)
}

// warnName warns if the published tool's rule gives this folder another name than Signalbox.
func (o *commands) warnName() {
	me := o.Who()
	if given := environ.GivenAlias(o.Env, o.As, ""); given.Value != "" {
		return
	}
	if name := who.Noted(o.Env, o.Locate().Value); name != "" && name != me.Value {
		o.Warn("you are %s here, and signalbox and the agents of this work tree are %s: SIGNALBOX_AS gives both one name", me.Value, name)
	}
}

// text returns a body from the arguments, as the published shell function does, or from
// stdin, as the published program does. For stdin, every line end becomes \n, trailing ones
// are removed, invalid UTF-8 is replaced, and an empty body is allowed.
func (o *commands) text(command string, args []string) (string, error) {
	if given := strings.Join(args, " "); given != "" && given != "-" {
		return given, nil
	}
	if cli.IsTerminal(o.In) {
		return "", fmt.Errorf("%s: the body comes on stdin: echo hi | agent-message-cmd %s", strings.Fields(command)[0], command)
	}
	text, err := io.ReadAll(io.LimitReader(o.In, cli.MaxInput))
	if err != nil {
		return "", fmt.Errorf("read stdin: %w", err)
	}
	body := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(text))
	return strings.TrimRight(strings.ToValidUTF8(body, "\ufffd"), "\n"), nil
}
