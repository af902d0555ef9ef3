package amp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	ampsource "github.com/signalbox-dev/signalbox/lsp/amp/source"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/spf13/cobra"
)

func (a *Commands) verifyCommand() *cobra.Command {
	var keys, now string
	cmd := &cobra.Command{
		Use:   "verify --keys DIR FILE…",
		Short: "Hold messages against the public keys of their senders",
		Long: `Verify messages, one in each FILE, and print a line for each, "FILE: verified (step)"
or "FILE: <reason>". Exit code 1 if any is not verified; "-" is stdin.

The key of a sender is DIR/<name>.public.pem, or the file that a link of this name
leads to, by the name before the "@" of the address. The step says in which form
the message was signed: as it is in the file, without the empty attachments, or
without the trust wrapper that some clients add.

A message from another domain than the receiver's is verified as any other. A
message is not verified if it is unsigned, was changed, has expired, has no key
here or is signed with another key. Of two messages with the same signature and
different ids the later one is not verified either: it was delivered again, or its
sender said the same again ("sent before"). What a file says about its own
verification does not count.`,
		Example: `  signalbox amp verify --keys keys messages/inbox/*/*.json
  signalbox amp verify --keys keys --now 2026-11-22T00:00:00Z message.json`,
		Args: cli.Args(1, -1),
		RunE: a.Working("verifying", func(cmd *cobra.Command, args []string) error {
			if keys == "" {
				return cli.Usage(errors.New("--keys is missing: the directory of the senders' public keys, as <name>.public.pem"))
			}
			at := a.Now()
			if now != "" {
				var err error
				if at, err = moment("now", now); err != nil {
					return err
				}
			}
			return a.verify(cmd.Context(), keys, args, at)
		}),
	}
	cmd.Flags().StringVar(&keys, "keys", "", "`directory` of the public keys, as <name>.public.pem")
	cmd.Flags().StringVar(&now, "now", "", "judge what has expired at this `time`: RFC 3339, a day (midnight in UTC), Unix seconds or milliseconds (default: now)")
	_ = cmd.MarkFlagDirname("keys")
	return cmd
}

func (a *Commands) verify(ctx context.Context, dir string, names []string, now time.Time) error {
	ring := keyRing{a.Absolute(dir), now.UnixMilli()}
	switch info, err := os.Stat(ring.dir); {
	case err != nil:
		return fmt.Errorf("amp: --keys %q: %w", dir, cli.FileCause(err))
	case !info.IsDir():
		return fmt.Errorf("amp: --keys %q: it is no directory", dir)
	}
	var files []*judged
	err := a.eachFile(ctx, names, func(f *messageFile) error {
		files = append(files, ring.judge(f))
		return nil
	})
	if err != nil {
		return err
	}
	ring.replays(files)
	w, paint := a.Writer(), a.Paint()
	failed := false
	for _, j := range files {
		failed = failed || !j.verified()
		if a.JSON {
			j.object(w)
			continue
		}
		w.WriteString(cli.FileName(j.name) + ": " + j.line(paint) + "\n")
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, j := range files {
		if rules := j.unsignedFaults(); rules != "" && !a.JSON {
			a.Warn("%s: the signature fits, but the message breaks %s (see \"signalbox amp check\")", j.name, rules)
		}
	}
	if failed {
		return cli.Silent(cli.ExitFailed)
	}
	return nil
}

// judged is a file with the trust in its message. trust is empty if there is no
// message.
type judged struct {
	*messageFile
	trust amp.Trust
	known amp.Known
}

// verified reports whether the sender's key signed the message, and the message is neither
// expired nor delivered twice. Domains do not matter, because there is no receiver here.
func (j *judged) verified() bool {
	return j.trust.State == amp.TrustVerified || j.trust.State == amp.TrustExternal
}

func (j *judged) trusted() *ampsource.Judged { return &ampsource.Judged{Trust: j.trust, Err: j.err} }

func (j *judged) line(paint cli.Paint) string {
	if j.verified() {
		return "verified (" + j.trust.Step.String() + ")"
	}
	return paint.In(cli.Red, j.trusted().Word()+":") + " " + cli.Line(j.trusted().Why())
}

func (j *judged) unsignedFaults() string {
	if !j.verified() {
		return ""
	}
	var rules []string
	for i := range j.msg.Faults {
		if rule := j.msg.Faults[i].Rule; !slices.Contains(rules, rule) {
			rules = append(rules, rule)
		}
	}
	return strings.Join(rules, ", ")
}

func (j *judged) object(w *bufio.Writer) {
	t := j.trusted()
	_ = cli.Print(w, printed.Verified{ // Flush returns the error
		File: j.name, Verified: j.verified(), State: t.Word(), Reason: t.Why(), Step: t.Form(), Key: t.Key,
		ID: j.msg.ID, From: j.msg.From, To: j.msg.To, Flags: t.Flags, Faults: cli.Faults(j.msg.Faults, j.data),
	})
}

type keyRing struct {
	dir string // absolute
	now int64
}

// find returns the key for the name in an address, none if there is no file, or an error if
// it cannot be used. core/amp has accepted the name, so it cannot lead to another directory.
// Case does not matter in addresses, but may in file names.
func (r *keyRing) find(agent string) ([]amp.Key, error) {
	data, err := r.read(agent + ".public.pem")
	if errors.Is(err, fs.ErrNotExist) {
		data, err = r.read(strings.ToLower(agent) + ".public.pem")
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	key, err := amp.ParseKey(data)
	if bad, is := errors.AsType[*canon.Fault](err); is {
		return nil, errors.New(bad.Reason)
	}
	return []amp.Key{key}, err
}

// maxKeyFile is how many bytes of a key file are read, more than any key has.
const maxKeyFile = 64 << 10

// read reads a key file. It follows links even out of the directory, because the user chose
// the directory.
func (r *keyRing) read(name string) ([]byte, error) {
	path := filepath.Join(r.dir, name)
	f, err := disk.OpenNamed(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, there := os.Lstat(path); there == nil {
			return nil, errors.New("it is a link that leads nowhere")
		}
	}
	if err != nil {
		return nil, cli.FileCause(err)
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxKeyFile))
}

func (r *keyRing) judge(f *messageFile) *judged {
	j := &judged{messageFile: f, known: amp.Known{Now: r.now}}
	if f.err != nil {
		return j
	}
	if from, ok := amp.ParseAddress(f.msg.From); ok {
		keys, err := r.find(from.Agent)
		if err != nil && f.msg.Signature != "" {
			j.trust = amp.Trust{State: amp.TrustKeyUnknown, Reason: fmt.Sprintf("the key %s.public.pem cannot be used: %v", from.Agent, err)}
			return j
		}
		j.known.Keys = keys
	} else {
		// Without a valid sender no key can be missing.
		j.known.Keys = []amp.Key{{}}
	}
	j.trust = amp.Judge(&f.msg, j.known)
	return j
}

// replays judges messages again that have the signature of an earlier one. Only valid
// signatures count; otherwise anyone could make a message look like a replay.
func (r *keyRing) replays(files []*judged) {
	var signed []*judged
	for _, j := range files {
		if j.trust.Step != amp.NotVerified {
			signed = append(signed, j)
		}
	}
	slices.SortStableFunc(signed, func(a, b *judged) int { return arrival(&a.msg).Compare(arrival(&b.msg)) })
	earlier := make(map[string]amp.Earlier)
	for _, j := range signed {
		id := j.msg.SignatureID()
		if _, seen := earlier[id]; !seen {
			earlier[id] = amp.Earlier{ID: j.msg.ID, IdempotencyKey: j.msg.IdempotencyKey}
		}
	}
	for _, j := range signed {
		if amp.NormalizeID(earlier[j.msg.SignatureID()].ID) != amp.NormalizeID(j.msg.ID) {
			j.known.Earlier = earlier
			j.trust = amp.Judge(&j.msg, j.known)
		}
	}
}

func arrival(msg *amp.Message) amp.Arrival {
	return amp.Arrival{Received: msg.Local.Received.Millis, Written: msg.Time.Millis, ID: msg.ID}
}
