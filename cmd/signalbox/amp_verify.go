package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/spf13/cobra"
)

func (a *mails) verifyCommand() *cobra.Command {
	var keys, now string
	cmd := &cobra.Command{
		Use:   "verify --keys DIR FILE…",
		Short: "Hold messages against the public keys of their senders",
		Long: `Verify messages, one in each FILE, and print a line for each, "FILE: verified (step)"
or "FILE: <reason>". Exit code 1 if any is not verified; "-" is stdin.

The key of a sender is DIR/<name>.public.pem, by what stands before the "@" of the
address. The step says in which form the message was signed: as stored, without the
empty attachments, or without the trust wrapper that some clients add.

A message from another domain than the receiver's is verified as any other. One is
not that is unsigned, was changed, has expired, has no key here or is signed with
another key, and not the later one of two that have the same signature and other
ids: it was delivered again. Nothing that a file says of its own verification
counts.`,
		Example: `  signalbox amp verify --keys keys messages/inbox/*/*.json
  signalbox amp verify --keys keys --now 2026-11-22T00:00:00Z message.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || slices.Contains(args, "") {
				return usage(errors.New("usage: amp verify --keys DIR FILE…"))
			}
			return nil
		},
		RunE: action(func(cmd *cobra.Command, args []string) error {
			if err := emptyFlags(cmd, "keys", "now"); err != nil {
				return err
			}
			if keys == "" {
				return usage(errors.New("--keys is missing: the directory of the senders' public keys, as <name>.public.pem"))
			}
			at := a.now()
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
	cmd.Flags().StringVar(&now, "now", "", "judge what has expired at this `time` (RFC 3339 or Unix seconds; default: now)")
	_ = cmd.MarkFlagDirname("keys")
	return cmd
}

func (a *mails) verify(ctx context.Context, dir string, names []string, now time.Time) error {
	root, err := os.OpenRoot(a.absolute(dir))
	if err != nil {
		return fmt.Errorf("amp: --keys %q: %w", dir, fileCause(err))
	}
	defer root.Close()
	ring := keyRing{root: root, dir: dir, now: now.UnixMilli(), known: make(map[string]sender)}
	var files []*judged
	err = a.eachFile(ctx, names, func(f *ampFile) error {
		files = append(files, ring.judge(f))
		return nil
	})
	if err != nil {
		return err
	}
	ring.replays(files)
	w, paint := a.writer(), a.paint()
	failed := false
	for _, j := range files {
		failed = failed || !j.verified()
		if a.json {
			j.object(w)
			continue
		}
		w.WriteString(threadName(j.name) + ": " + j.line(paint) + "\n")
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, j := range files {
		if rules := j.unsignedFaults(); rules != "" && !a.json {
			a.warn("%s: the signature fits, but the message breaks %s (see \"signalbox amp check\")", j.name, rules)
		}
	}
	if failed {
		return silent(exitFailed)
	}
	return nil
}

// keyRing is a directory of public keys, each looked up once.
type keyRing struct {
	root  *os.Root
	dir   string
	now   int64
	known map[string]sender
}

// sender is whose key was looked up. err is why it cannot be used; there is neither
// of them for a sender who has none.
type sender struct {
	key amp.Key
	err error
}

// find gives the key of an address, which core/amp has accepted: the name in it
// cannot lead a path elsewhere. Addresses do not count case, files may.
func (r *keyRing) find(from amp.Address) sender {
	if s, ok := r.known[from.Agent]; ok {
		return s
	}
	var s sender
	for _, name := range []string{from.Agent, strings.ToLower(from.Agent)} {
		data, err := r.read(name + ".public.pem")
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if s.err = err; err == nil {
			s.key, s.err = amp.ParseKey(data)
		}
		if bad, ok := errors.AsType[*amp.Fault](s.err); ok {
			s.err = errors.New(bad.Reason)
		}
		break
	}
	r.known[from.Agent] = s
	return s
}

// maxKeyFile is longer than any key that is read.
const maxKeyFile = 64 << 10

func (r *keyRing) read(name string) ([]byte, error) {
	// Looked at first, since opening a pipe waits for its writer.
	info, err := r.root.Stat(name)
	if err != nil {
		return nil, fileCause(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	f, err := r.root.Open(name)
	if err != nil {
		return nil, fileCause(err)
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxKeyFile))
}

// judged is a file with what was found out about it. trust has no state where there
// is no message.
type judged struct {
	*ampFile
	trust amp.Trust
	known amp.Known
}

func (r *keyRing) judge(f *ampFile) *judged {
	j := &judged{ampFile: f, known: amp.Known{Now: r.now}}
	if f.err != nil {
		return j
	}
	if from, ok := amp.ParseAddress(f.msg.From); ok {
		s := r.find(from)
		if s.err != nil && f.msg.Signature != "" {
			j.trust = amp.Trust{State: amp.TrustKeyUnknown, Reason: fmt.Sprintf("the key %s.public.pem cannot be used: %v", from.Agent, s.err)}
			return j
		}
		if s.key.Algorithm() != "" {
			j.known.Keys = []amp.Key{s.key}
		}
	} else {
		// There is nobody to look up. With some key Judge says what is wrong.
		j.known.Keys = []amp.Key{{}}
	}
	j.trust = amp.Judge(&f.msg, j.known)
	return j
}

// replays judges those again whose signature an earlier message had. Only messages
// that it fits count: else anybody could make a message look like a replay.
func (r *keyRing) replays(files []*judged) {
	var signed []*judged
	for _, j := range files {
		if j.trust.Step != amp.NotVerified {
			signed = append(signed, j)
		}
	}
	slices.SortStableFunc(signed, func(a, b *judged) int {
		return cmp.Or(cmp.Compare(came(&a.msg), came(&b.msg)), cmp.Compare(doubt(&a.msg), doubt(&b.msg)))
	})
	earlier := make(map[string]string)
	for _, j := range signed {
		id := j.msg.SignatureID()
		if _, seen := earlier[id]; !seen {
			earlier[id] = j.msg.ID
		}
	}
	for _, j := range signed {
		if earlier[j.msg.SignatureID()] != j.msg.ID {
			j.known.Earlier = earlier
			j.trust = amp.Judge(&j.msg, j.known)
		}
	}
}

// came is when a message came, or was written if nobody says.
func came(msg *amp.Message) int64 {
	for _, t := range []amp.Time{msg.Local.Received, msg.Time} {
		if t.OK {
			return t.Millis
		}
	}
	return math.MaxInt64
}

// doubt is by how many seconds a message's id disagrees with its time: its sender
// made both at once, and neither is signed.
func doubt(msg *amp.Message) int64 {
	id, ok := amp.ParseID(msg.ID)
	if !ok || !msg.Time.OK {
		return math.MaxInt64
	}
	return max(id.Seconds-msg.Time.Millis/1000, msg.Time.Millis/1000-id.Seconds)
}

// verified tells that the sender's key signed the message, and that it is neither
// stale nor delivered again. There is no receiver here whose domain could count.
func (j *judged) verified() bool {
	return j.trust.State == amp.TrustVerified || j.trust.State == amp.TrustExternal
}

// why is the reason that a message is not verified.
func (j *judged) why() string {
	if bad, ok := errors.AsType[*amp.Fault](j.err); ok {
		return bad.Reason + " (" + bad.Rule + ")"
	}
	if j.err != nil {
		return j.err.Error()
	}
	return j.trust.Reason
}

// state is the trust in a word.
func (j *judged) state() string {
	if j.err != nil {
		return "not readable"
	}
	return string(j.trust.State)
}

func (j *judged) line(paint paint) string {
	if j.verified() {
		return "verified (" + j.trust.Step.String() + ")"
	}
	return paint.in(red, j.state()+":") + " " + line(j.why())
}

// unsignedFaults names the rules that a message breaks whose signature fits.
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
	out := object{w: w}
	out.text("file", j.name).bool("verified", j.verified()).text("state", j.state()).text("reason", j.why())
	step := ""
	if j.trust.Step != amp.NotVerified {
		step = j.trust.Step.String()
	}
	out.text("step", step).text("key", j.trust.Key).text("id", j.msg.ID).text("from", j.msg.From).text("to", j.msg.To)
	out.list("flags", j.trust.Flags)
	out.name("faults")
	writeAmpFaults(w, j.msg.Faults, j.data)
	out.end()
}
