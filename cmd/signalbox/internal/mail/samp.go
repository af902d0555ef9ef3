package mail

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/spf13/cobra"
)

func (o *commands) sampCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:         "samp",
		Annotations: cli.Uses("profile"),
		Example:     `  signalbox samp id < log-alice.jsonl`,
		Short:       "Compute ids and threads, for those who write SAMP themselves",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.Usage(fmt.Errorf("unknown command %q for %q", args[0], cmd.CommandPath()))
			}
			return cmd.Help()
		},
	}
	var from, date string
	id := &cobra.Command{
		Use:     "id",
		Example: `  signalbox samp id < log-alice.jsonl`,
		Short:   "Print the id of each record on stdin",
		Long: `Read JSONL on stdin and print one id a line, in order, over the fields that each
record has. A line that is no record gives "-", and its fault on stderr. The
form is --profile; auto means v1 here.`,
		Args: cobra.NoArgs,
		RunE: cli.Action(func(cmd *cobra.Command, _ []string) error { return o.ids() }),
	}
	thread := &cobra.Command{
		Use:     "thread --from A --date YYYY-MM-DD",
		Example: `  echo "The build is red" | signalbox samp thread --from alice --date 2026-04-25`,
		Short:   "Print the thread that a new message with the body on stdin begins",
		Args:    cobra.NoArgs,
		RunE:    cli.Action(func(cmd *cobra.Command, _ []string) error { return o.thread(from, date) }),
	}
	thread.Flags().StringVar(&from, "from", "", "the `name` of the sender, an alias")
	thread.Flags().StringVar(&date, "date", "", "the `day` it is sent, YYYY-MM-DD")
	_ = thread.MarkFlagRequired("from")
	_ = thread.MarkFlagRequired("date")
	cmd.AddCommand(id, thread)
	return cmd
}

// given returns the profile that was asked for. No directory is read here, so auto means v1.
func (o *commands) given() samp.Profile {
	p, _ := samp.ParseProfile(o.Profile)
	return p
}

func (o *commands) ids() error {
	in, w := bufio.NewReaderSize(o.In, 256<<10), o.Writer()
	bad := false
	for n := 1; ; n++ {
		raw, err := readLine(in)
		if errors.Is(err, io.EOF) && len(raw) == 0 {
			break
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return cmp.Or(w.Flush(), fmt.Errorf("read stdin: %w", err))
		}
		if len(bytes.TrimSpace(raw)) == 0 {
			continue
		}
		id, fault := samp.LineID(raw, o.given())
		if fault != nil {
			bad, id = true, "-"
			fmt.Fprintf(o.Stderr, "stdin:%d: %s\n", n, cli.Line(fault.Error()))
		}
		w.WriteString(id + "\n")
	}
	if err := w.Flush(); err != nil || !bad {
		return err
	}
	return cli.Silent(cli.ExitFailed)
}

// readLine reads a line of any length with its line end. If a long line cannot be a
// record, it returns the beginning and skips the rest.
func readLine(in *bufio.Reader) (raw []byte, err error) {
	var s samp.Screen
	for possible := true; ; {
		part, err := in.ReadSlice('\n')
		if possible {
			raw = append(raw, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return raw, err
		}
		possible = possible && s.Add(part)
	}
}

func (o *commands) thread(from, date string) error {
	if err := samp.CheckAlias(from); err != nil {
		return cli.Usage(fmt.Errorf("--from: %w", err))
	}
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		return cli.Usage(fmt.Errorf("--date is %q, and must be a day as YYYY-MM-DD", date))
	}
	body, err := o.ReadAll()
	if err != nil {
		return err
	}
	if body != strings.ToValidUTF8(body, "") {
		return &canon.Fault{Rule: "R2", Field: "body", Reason: "the body is not valid UTF-8"}
	}
	thread, stored := samp.DeriveThread(body, from, date, o.given())
	if o.given() == samp.V1Compact {
		stored = canon.NFC(stored)
	}
	w := o.Writer()
	return cmp.Or(cli.Print(w, printed.Begun{Thread: thread, Body: stored}), w.Flush())
}
