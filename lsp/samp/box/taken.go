package box

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/excerpt"
	"github.com/signalbox-dev/signalbox/lsp/disk/statefile"
)

const (
	// maxTakenAge is for how long taken messages are remembered, in milliseconds.
	maxTakenAge = 15 * 60 * 1000
	// maxTaken is how many taken messages are remembered: the newest ones.
	maxTaken = 200
	// maxTakenFile is the largest size in bytes of a file that is read.
	maxTakenFile = 1 << 20
	// maxTakenText is the length in bytes to which the texts in it are cut.
	maxTakenText = 300
	// takenTimeout is how long to wait for the file's lock.
	takenTimeout = time.Second
)

// Taken is a message that one of several sessions with one name has read. It is no longer new to
// the other sessions, which are notified of it instead.
type Taken struct {
	Mail   string `json:"mail"`
	Me     string `json:"me"`
	By     string `json:"by"` // describes the session
	From   string `json:"from"`
	Thread string `json:"thread"`
	Key    string `json:"id"`
	At     int64  `json:"at"` // in Unix milliseconds
}

// taken returns the file that lists taken messages. An unreadable list counts as empty: the
// messages are in the logs anyway.
func (b *Box) taken(take func([]Taken)) *statefile.File {
	return statefile.At(statefile.Config{
		Path: filepath.Join(b.Env.StateDir(), "taken.json"), What: "mail that was taken:", Limit: maxTakenFile, Cache: true,
		Take: func(data []byte) error {
			var list []Taken
			if json.Unmarshal(data, &list) != nil {
				list = nil
			}
			now := b.Now().UnixMilli()
			take(slices.DeleteFunc(list, func(t Taken) bool { return max(now-t.At, t.At-now) > maxTakenAge }))
			return nil
		},
	})
}

// NoteTaken remembers messages that a session with the name me has read. It makes no request to
// the client to identify the session: the client may be waiting for this call.
func (b *Box) NoteTaken(me, by string, messages []Taken) {
	ctx, cancel := context.WithTimeout(context.Background(), takenTimeout)
	defer cancel()
	var list []Taken
	now, mail := b.Now().UnixMilli(), b.Place().Value
	_ = b.taken(func(l []Taken) { list = l }).Change(ctx, func(replace func([]byte) error) error {
		for _, t := range messages {
			t.Mail, t.Me, t.By, t.At = mail, me, by, now
			t.From, t.Thread, t.Key = excerpt.Head(t.From, maxTakenText), excerpt.Head(t.Thread, maxTakenText), excerpt.Head(t.Key, maxTakenText)
			list = append(list, t)
		}
		data, err := json.Marshal(list[max(0, len(list)-maxTaken):])
		if err != nil {
			return err
		}
		return replace(append(data, '\n'))
	})
}

// NoteRead remembers messages that an agent's session has read by a command. by describes the
// session. It is "" if no hook has reported the session; then nothing is remembered, since the
// session cannot be distinguished from the server of its tools.
func (b *Box) NoteRead(ctx context.Context, me, by string, r *Reading, shown ...[]Unread) {
	if by == "" || !b.Who().Agent {
		return
	}
	var list []Taken
	for _, part := range shown {
		for m, err := range r.Messages(ctx, part[max(0, len(part)-maxTaken):]) {
			if err != nil {
				break // an unreadable message was not shown
			}
			list = append(list, Taken{From: strings.Clone(m.From), Thread: strings.Clone(m.Thread), Key: strings.Clone(m.Key)})
		}
	}
	b.NoteTaken(me, by, list)
}

// TakenByOthers returns the messages that other sessions with the same name have read in the last
// minutes.
func (b *Box) TakenByOthers(by string) (list []Taken) {
	if _, err := b.Reads(); err != nil {
		return nil
	}
	_ = b.taken(func(l []Taken) { list = l }).Look()
	mail, me := b.Place().Value, b.Who()
	return slices.DeleteFunc(list, func(t Taken) bool { return t.Mail != mail || t.Me != me.Value || t.By == by })
}
