package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/disk/statefile"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// numbers are what rows are called on the command line. A row keeps its number as long as it is
// there, in whatever terminal, and the number of one that is gone is not given to another one
// soon: an answer reaches the row that was seen, or none.
type numbers struct {
	Last int            `json:"last"`
	Rows map[string]int `json:"rows"`
}

const (
	// lastNumber is the largest number. The next one is 1 again.
	lastNumber = 999
	// maxNumbers is the greatest length of the file in bytes.
	maxNumbers = 1 << 20
)

func (n *numbers) file(o *cli.Options) *statefile.File {
	return statefile.At(statefile.Config{
		Path: filepath.Join(o.Env.StateDir(), "numbers.json"), What: "numbers:", Limit: maxNumbers, Cache: true,
		Take: func(data []byte) error {
			*n = numbers{}
			if data == nil {
				return nil
			}
			return json.Unmarshal(data, n)
		},
		Lost: func() { *n = numbers{} },
	})
}

// give returns the numbers of rows, 0 if all numbers are taken. If all is set, rows lists every
// row, and the numbers of others are forgotten.
func (n *numbers) give(ctx context.Context, o *cli.Options, rows []string, all bool) ([]int, error) {
	list := make([]int, len(rows))
	err := n.file(o).Change(ctx, func(replace func([]byte) error) error {
		now := make(map[string]int)
		if !all && len(n.Rows)+len(rows) <= lastNumber/2 {
			maps.Copy(now, n.Rows)
		}
		used := make(map[int]bool)
		for _, number := range n.Rows {
			used[number] = true
		}
		for i, row := range rows {
			number, known := n.Rows[row]
			for tries := 0; !known && tries < lastNumber; tries++ {
				n.Last = n.Last%lastNumber + 1
				number, known = n.Last, !used[n.Last]
			}
			if known {
				list[i], now[row], used[number] = number, number, true
			}
		}
		if maps.Equal(now, n.Rows) {
			return nil
		}
		n.Rows = now
		data, err := json.Marshal(n)
		if err != nil {
			return err
		}
		return replace(data)
	})
	return list, err
}

// row returns the key of the row with a number.
func (n *numbers) row(o *cli.Options, number int) (row string, ok bool) {
	if n.file(o).Look() != nil {
		return "", false
	}
	rows := slices.Sorted(maps.Keys(n.Rows))
	i := slices.IndexFunc(rows, func(row string) bool { return n.Rows[row] == number })
	if i < 0 {
		return "", false
	}
	return rows[i], true
}

// requestRow returns the key of a request's row, with the hash of the content that was shown.
func requestRow(id, hash string) string { return "request " + id + " " + hash }

func needRow(it *panel.NeedItem) string {
	ref := func(kind string, r panel.Ref) string {
		return fmt.Sprintf("%s %s %s %s", kind, r.Protocol, r.Store, r.ID)
	}
	switch {
	case it.Request != nil:
		return requestRow(it.Request.ID, it.Request.Hash)
	case it.Question != nil:
		return ref("message", it.Question.Message)
	case it.Reply != nil:
		return ref("thread", it.Reply.Ref)
	case it.Thread != nil:
		return ref("thread", it.Thread.Ref)
	case it.Agent != nil:
		return "agent " + it.Agent.Key
	case it.Escalation != nil:
		return ref("escalation", it.Escalation.Ref)
	case it.Overdue != nil:
		return "overdue " + it.Overdue.TaskID + " " + it.Overdue.Label
	}
	return ""
}

func askRows(list []ask.Request) (rows []string) {
	for i := range list {
		rows = append(rows, requestRow(list[i].ID, list[i].Hash))
	}
	return rows
}
