package hook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/excerpt"
	"github.com/signalbox-dev/signalbox/core/secrets"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
)

// maxInput is the greatest length of recorded arguments in bytes.
const maxInput = 4096

// maxArgument are the lengths in bytes to which each text in the arguments is cut: the
// second one is used if the arguments exceed maxInput with the first.
var maxArgument = []int{1000, 100}

// tool returns the tool call of an event, without its times.
func (w *wire) tool() activity.Tool {
	t := activity.Tool{Name: cmp.Or(w.ToolB, w.Tool)}
	var args map[string]any
	d := json.NewDecoder(bytes.NewReader(w.Input))
	d.UseNumber()
	if d.Decode(&args) != nil {
		return t
	}
	for _, most := range maxArgument {
		if t.Input = cli.Marshal(shortened("", args, most)); len(t.Input) <= maxInput {
			break
		}
		t.Input = ""
	}
	var response struct {
		Error any `json:"error"`
	}
	t.Failed = json.Unmarshal(w.Response, &response) == nil && response.Error != nil
	return t
}

// shortened returns an argument with each text in it cut to a length, and with keys and
// tokens masked. Some are recognised by the name of the argument.
func shortened(name string, v any, most int) any {
	switch v := v.(type) {
	case string:
		// A text may be megabytes long. A key that is split here is cut off below.
		masked := secrets.Named(name, excerpt.Head(v, 2*maxInput))
		if len(masked) > most || len(v) > 2*maxInput {
			return excerpt.Head(masked, most) + "…"
		}
		return masked
	case []any:
		for i := range v {
			v[i] = shortened(name, v[i], most)
		}
	case map[string]any:
		for key := range v {
			v[key] = shortened(key, v[key], most)
		}
	}
	return v
}

// underWay returns the calls of a session after an event, and whether they have changed. A
// call that has ended is kept until the next one begins: it would otherwise vanish before
// the client has recorded it.
func underWay(list []activity.Tool, e *event, now int64) (next []activity.Tool, changed bool) {
	if e.kind == asking || e.kind == usedTool && len(list) == 0 {
		return list, false
	}
	named := func(t activity.Tool) bool { return t.Ended == 0 && t.Name == e.tool().Name }
	same := func(t activity.Tool) bool { return named(t) && t.Input == e.tool().Input }
	switch e.kind {
	case usingTool:
		next = slices.DeleteFunc(slices.Clone(list), func(t activity.Tool) bool { return t.Ended > 0 })
		if i := slices.IndexFunc(next, same); i >= 0 && within(now, next[i].Since, sameStart) {
			return list, false // a second hook reports the same call
		}
		began := e.tool()
		began.Since = now
		return append(next, began), true
	case usedTool:
		i := slices.IndexFunc(list, same)
		if i < 0 {
			i = slices.IndexFunc(list, named) // the client may have filled in arguments
		}
		if i < 0 {
			return list, false
		}
		next = slices.Clone(list)
		next[i].Ended, next[i].Failed = now, e.tool().Failed
		return next, true
	}
	return nil, len(list) > 0
}
