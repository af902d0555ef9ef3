package amp

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// keyRing is a directory of public keys, each looked up once.
type keyRing struct {
	dir   string // absolute
	now   int64
	known map[string]sender
}

// sender holds the key of a sender, or why it cannot be used. A sender without a key
// has neither.
type sender struct {
	keys []amp.Key
	err  error
}

// find returns the key for the name in an address. core/amp has accepted the name, so
// it cannot lead to another directory. Case does not matter in addresses; it may in
// file names.
func (r *keyRing) find(agent string) sender {
	if s, ok := r.known[agent]; ok {
		return s
	}
	var s sender
	for _, name := range []string{agent, strings.ToLower(agent)} {
		data, err := r.read(name + ".public.pem")
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if s.err = err; err == nil {
			key, err := amp.ParseKey(data)
			if bad, is := errors.AsType[*canon.Fault](err); is {
				s.err = errors.New(bad.Reason)
			} else {
				s.keys = []amp.Key{key}
			}
		}
		break
	}
	r.known[agent] = s
	return s
}

// maxKeyFile is longer than any key that is read.
const maxKeyFile = 64 << 10

// read reads a key file. It follows links out of the directory, too, because the user
// named the directory.
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
		s := r.find(from.Agent)
		if s.err != nil && f.msg.Signature != "" {
			j.trust = amp.Trust{State: amp.TrustKeyUnknown, Reason: fmt.Sprintf("the key %s.public.pem cannot be used: %v", from.Agent, s.err)}
			return j
		}
		j.known.Keys = s.keys
	} else {
		// Without a valid sender there is no key to miss.
		j.known.Keys = []amp.Key{{}}
	}
	j.trust = amp.Judge(&f.msg, j.known)
	return j
}

// replays judges messages again whose signature an earlier message had. Only messages
// with a valid signature count; otherwise anybody could make a message look like a
// replay.
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
		if oneID(earlier[j.msg.SignatureID()].ID) != oneID(j.msg.ID) {
			j.known.Earlier = earlier
			j.trust = amp.Judge(&j.msg, j.known)
		}
	}
}

func arrival(msg *amp.Message) amp.Arrival {
	return amp.Arrival{Received: msg.Local.Received.Millis, Written: msg.Time.Millis, ID: msg.ID}
}
