package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/engine"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// keyRing is a directory of public keys, each looked up once.
type keyRing struct {
	core  engine.Core
	dir   string // absolute
	now   int64
	known map[string]sender
}

// sender is whose key was looked up. err is why it cannot be used; there is neither
// of them for a sender who has none.
type sender struct {
	key engine.Key
	err error
}

// find gives the key of an address, which core/amp has accepted: the name in it
// cannot lead a path elsewhere. Addresses do not count case, files may.
func (r *keyRing) find(ctx context.Context, agent string) (sender, error) {
	if s, ok := r.known[agent]; ok {
		return s, nil
	}
	var s sender
	for _, name := range []string{agent, strings.ToLower(agent)} {
		data, err := r.read(name + ".public.pem")
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if s.err = err; err == nil {
			key, err := r.core.Key(ctx, data)
			bad, is := errors.AsType[*amp.Fault](err)
			switch {
			case is:
				s.err = errors.New(bad.Reason)
			case err != nil:
				return s, err
			}
			s.key = key
		}
		break
	}
	r.known[agent] = s
	return s, nil
}

// maxKeyFile is longer than any key that is read.
const maxKeyFile = 64 << 10

// read follows links, out of the directory, too: its user named it, and what is in
// it is theirs.
func (r *keyRing) read(name string) ([]byte, error) {
	path := filepath.Join(r.dir, name)
	// Looked at first, since opening a pipe waits for its writer.
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, there := os.Lstat(path); there == nil {
			return nil, errors.New("it is a link that leads nowhere")
		}
	}
	if err != nil {
		return nil, fileCause(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	f, err := disk.OpenNamed(path)
	if err != nil {
		return nil, fileCause(err)
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxKeyFile))
}

func (r *keyRing) judge(ctx context.Context, f *ampFile) (*judged, error) {
	j := &judged{ampFile: f, known: engine.Known{Now: r.now}}
	if f.err != nil {
		return j, nil
	}
	agent, ok, err := r.core.Agent(ctx, f.msg.From)
	if err != nil {
		return nil, err
	}
	// Without one there is nobody to look up.
	j.known.Nobody = !ok
	if ok {
		s, err := r.find(ctx, agent)
		if err != nil {
			return nil, err
		}
		if s.err != nil && f.msg.Signature != "" {
			j.trust = amp.Trust{State: amp.TrustKeyUnknown, Reason: fmt.Sprintf("the key %s.public.pem cannot be used: %v", agent, s.err)}
			return j, nil
		}
		j.known.Key = s.key
	}
	j.trust, err = r.core.Judge(ctx, &f.msg, j.known)
	return j, err
}

// replays judges those again whose signature an earlier message had. Only messages
// that it fits count: else anybody could make a message look like a replay.
func (r *keyRing) replays(ctx context.Context, files []*judged) error {
	var signed []*judged
	for _, j := range files {
		if j.trust.Step != amp.NotVerified {
			signed = append(signed, j)
		}
	}
	slices.SortStableFunc(signed, func(a, b *judged) int { return arrival(&a.msg.Message).Compare(arrival(&b.msg.Message)) })
	earlier := make(map[string]amp.Earlier)
	for _, j := range signed {
		id := j.msg.SignatureID
		if _, seen := earlier[id]; !seen {
			earlier[id] = amp.Earlier{ID: j.msg.ID, IdempotencyKey: j.msg.IdempotencyKey}
		}
	}
	for _, j := range signed {
		if oneID(earlier[j.msg.SignatureID].ID) != oneID(j.msg.ID) {
			j.known.Earlier = earlier
			var err error
			if j.trust, err = r.core.Judge(ctx, &j.msg, j.known); err != nil {
				return err
			}
		}
	}
	return nil
}

func arrival(msg *amp.Message) amp.Arrival {
	return amp.Arrival{Received: msg.Local.Received.Millis, Written: msg.Time.Millis, ID: msg.ID}
}
