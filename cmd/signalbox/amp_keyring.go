package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// keyRing is a directory of public keys, each looked up once.
type keyRing struct {
	dir   string // absolute
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
	f, err := os.Open(path)
	if err != nil {
		return nil, fileCause(err)
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxKeyFile))
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
	slices.SortStableFunc(signed, func(a, b *judged) int { return arrival(&a.msg).Compare(arrival(&b.msg)) })
	earlier := make(map[string]string)
	for _, j := range signed {
		id := j.msg.SignatureID()
		if _, seen := earlier[id]; !seen {
			earlier[id] = j.msg.ID
		}
	}
	for _, j := range signed {
		if oneID(earlier[j.msg.SignatureID()]) != oneID(j.msg.ID) {
			j.known.Earlier = earlier
			j.trust = amp.Judge(&j.msg, j.known)
		}
	}
}

func arrival(msg *amp.Message) amp.Arrival {
	return amp.Arrival{Received: msg.Local.Received.Millis, Written: msg.Time.Millis, ID: msg.ID}
}
