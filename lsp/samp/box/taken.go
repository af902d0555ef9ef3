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
	// takenFor is for how long it is remembered who took a message, in milliseconds.
	takenFor = 15 * 60 * 1000
	// maxTaken is how many messages are remembered, the newest.
	maxTaken = 200
	// maxTakenFile is the length in bytes of the longest file that is read.
	maxTakenFile = 1 << 20
	// maxName is to what length in bytes the names in it are cut.
	maxName = 300
	// takenLimit is how long the file's lock is waited for.
	takenLimit = time.Second
)

// Taken is a message that one of several sessions read which go by one name. The others do
// not find it new any more, and are told of it.
type Taken struct {
	Mail   string `json:"mail"`
	Me     string `json:"me"`
	By     string `json:"by"` // the session, in words
	From   string `json:"from"`
	Thread string `json:"thread"`
	Key    string `json:"id"`
	At     int64  `json:"at"` // in Unix milliseconds
}

// taken is the file of what was taken. What cannot be read or written is forgotten: the
// messages stand in the logs.
func (b *Box) taken(take func([]Taken)) *statefile.File {
	return statefile.At(statefile.Config{
		Path: filepath.Join(b.Env.StateDir(), "taken.json"), What: "mail that was taken:", Limit: maxTakenFile, Cache: true,
		Take: func(data []byte) error {
			var list []Taken
			if json.Unmarshal(data, &list) != nil {
				list = nil
			}
			now := b.Now().UnixMilli()
			take(slices.DeleteFunc(list, func(t Taken) bool { return max(now-t.At, t.At-now) > takenFor }))
			return nil
		},
	})
}

// NoteTaken notes what a session took that goes by a name. It asks nobody who that is: the
// client's answer may wait for what is written now.
func (b *Box) NoteTaken(me, by string, messages []Taken) {
	ctx, cancel := context.WithTimeout(context.Background(), takenLimit)
	defer cancel()
	var list []Taken
	now, mail := b.Now().UnixMilli(), b.Place().Value
	_ = b.taken(func(l []Taken) { list = l }).Change(ctx, func(replace func([]byte) error) error {
		for _, t := range messages {
			t.Mail, t.Me, t.By, t.At = mail, me, by, now
			t.From, t.Thread, t.Key = excerpt.Head(t.From, maxName), excerpt.Head(t.Thread, maxName), excerpt.Head(t.Key, maxName)
			list = append(list, t)
		}
		data, err := json.Marshal(list[max(0, len(list)-maxTaken):])
		if err != nil {
			return err
		}
		return replace(append(data, '\n'))
	})
}

// NoteRead notes what an agent's session read by a command. by is the session, in words, ""
// for one that hooks told nothing of: it cannot be told from the server of its tools, and is
// not noted.
func (b *Box) NoteRead(ctx context.Context, me, by string, r *Reading, shown ...[]Unread) {
	if by == "" || !b.Who().Agent {
		return
	}
	var list []Taken
	for _, part := range shown {
		for m, err := range r.Messages(ctx, part[max(0, len(part)-maxTaken):]) {
			if err != nil {
				break // what cannot be read was not shown
			}
			list = append(list, Taken{From: strings.Clone(m.From), Thread: strings.Clone(m.Thread), Key: strings.Clone(m.Key)})
		}
	}
	b.NoteTaken(me, by, list)
}

// TakenByOthers returns what other sessions of the same name took in the last minutes.
func (b *Box) TakenByOthers(by string) (list []Taken) {
	if _, err := b.Reads(); err != nil {
		return nil
	}
	_ = b.taken(func(l []Taken) { list = l }).Look()
	mail, me := b.Place().Value, b.Who()
	return slices.DeleteFunc(list, func(t Taken) bool { return t.Mail != mail || t.Me != me.Value || t.By == by })
}
