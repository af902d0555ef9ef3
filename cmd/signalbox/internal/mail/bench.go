package mail

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/spf13/cobra"
)

// benchCommand returns the hidden command that writes the store for `make bench`.
func (o *commands) benchCommand() *cobra.Command {
	var logs, records int
	cmd := &cobra.Command{
		Use:    "bench-store DIR",
		Short:  "Write a large store to measure with",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: cli.Action(func(_ *cobra.Command, args []string) error {
			if logs < 1 || records < 1 {
				return cli.Usage(fmt.Errorf("--logs and --records must be at least 1"))
			}
			return benchStore(args[0], logs, records, o.given())
		}),
	}
	cmd.Flags().IntVar(&logs, "logs", 10, "number of logs")
	cmd.Flags().IntVar(&records, "records", 1_000_000, "number of records in all of them")
	return cmd
}

// benchWords are the words of bodies, so that bodies are neither equal nor random.
const benchWords = "the build is red again after merge of parser branch please look at test flake in store_test.go line forty two before release candidate three can go out thanks café naïve done"

// benchStore writes records of about 300 bytes in about one thread per fifty,
// a tenth of them to "me". The same arguments give the same bytes.
func benchStore(dir string, logs, records int, p samp.Profile) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	words := strings.Fields(benchWords)
	for l := range logs {
		rng := rand.New(rand.NewPCG(uint64(l), 1))
		from := fmt.Sprintf("agent%02d", l)
		f, err := os.OpenFile(filepath.Join(dir, samp.LogName(from)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		w := bufio.NewWriterSize(f, 1<<20)
		var buf []byte
		for i := l; i < records; i += logs {
			to := "me"
			if rng.IntN(10) != 0 {
				to = fmt.Sprintf("agent%02d", rng.IntN(logs))
			}
			body := make([]string, 24+rng.IntN(10))
			for b := range body {
				body[b] = words[rng.IntN(len(words))]
			}
			topic := rng.IntN(max(records/50/logs, 1))
			thread := fmt.Sprintf("2026-04-%02d-%s-topic-%d", 1+topic%28, from, topic)
			r := samp.Record{TS: 1_775_000_000 + int64(i)*3, From: from, To: to, Thread: thread, Body: strings.Join(body, " ")}
			r.ID = samp.ID(&r, p)
			buf = r.Append(buf[:0])
			if _, err := w.Write(buf); err != nil {
				return err
			}
		}
		if err := w.Flush(); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}
