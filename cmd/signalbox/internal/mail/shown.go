package mail

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/disk/statefile"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
)

// The last list shown on a terminal is saved, so that a number identifies one of its
// messages. Each terminal, directory and alias has its own list.

const (
	// maxNumber is the largest number of a message.
	maxNumber = 999
	// numbersValid is how long the numbers of a list stay valid: later the user may no
	// longer know which list they are from.
	numbersValid = time.Hour
	// maxShown is how many lists are saved.
	maxShown = 20
)

// shownMessage identifies a message of a list. Ids alone are not enough: anyone may write any id.
type shownMessage struct {
	ID   string `json:"id"`
	From string `json:"from"`
}

type shownList struct {
	Terminal int            `json:"terminal"`
	Dir      string         `json:"dir"`
	As       string         `json:"as"`
	Time     int64          `json:"time"`
	Messages []shownMessage `json:"messages"`
}

type shownFile struct {
	*statefile.File
	lists []shownList
}

func (o *commands) shownFile() *shownFile {
	f := &shownFile{}
	f.File = statefile.At(statefile.Config{
		Path: filepath.Join(o.Env.StateDir(), "shown.json"), What: "numbers of lists:", Limit: 4 << 20,
		Take: func(data []byte) error {
			f.lists = nil
			if len(data) > 0 && json.Unmarshal(data, &f.lists) != nil {
				f.lists = nil // a broken file is replaced by the next list
			}
			return nil
		},
	})
	return f
}

// remember saves the messages of a list that was shown.
func (o *commands) remember(ctx context.Context, dir, me string, messages []shownMessage) {
	if len(messages) == 0 {
		return
	}
	f := o.shownFile()
	err := f.Change(ctx, func(replace func([]byte) error) error {
		now := o.Now()
		lists := []shownList{{Terminal: cli.TerminalID(), Dir: dir, As: me, Time: now.UnixMilli(), Messages: messages}}
		for _, old := range f.lists {
			same := old.Terminal == lists[0].Terminal && old.Dir == dir && old.As == me
			if !same && len(lists) < maxShown && now.Sub(time.UnixMilli(old.Time)) < numbersValid {
				lists = append(lists, old)
			}
		}
		data, err := json.Marshal(lists)
		if err != nil {
			return err
		}
		return replace(data)
	})
	if err != nil {
		o.Warn("messages cannot be named by their number: %v", err)
	}
}

// numbered returns the message with a number in the last list shown on this terminal.
func (o *commands) numbered(d *box.Dir, me, number string) (shownMessage, error) {
	f := o.shownFile()
	if err := f.Look(); err != nil {
		return shownMessage{}, err
	}
	for _, list := range f.lists {
		if list.Terminal != cli.TerminalID() || list.Dir != d.ID() || list.As != me {
			continue
		}
		age := o.Now().Sub(time.UnixMilli(list.Time))
		if age >= numbersValid {
			return shownMessage{}, fmt.Errorf("%s names no message: the list was shown %s ago, and its numbers last an hour: show it again", number, cli.Age(age))
		}
		n, _ := strconv.Atoi(number)
		if n > len(list.Messages) {
			return shownMessage{}, fmt.Errorf("%s names no message: the list that was shown last has %s", number, cli.Plural(len(list.Messages), "message"))
		}
		if m := list.Messages[n-1]; m.ID != "" {
			return m, nil
		}
		return shownMessage{}, fmt.Errorf("%s is no mail of %s: \"signalbox search\" says what it is", number, d.Path())
	}
	return shownMessage{}, errNoList
}

var errNoList = errors.New(`a number names a message of the list that was shown last on this terminal to this alias, and none was shown: "signalbox inbox all" shows one`)

// isNumber reports whether an argument may be the number of a message.
func isNumber(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n > 0 && n <= maxNumber && s[0] != '0' && s[0] != '+'
}
