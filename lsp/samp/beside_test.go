package samp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// otherTool reads and writes a directory by the rules of a published tool: of the specification's
// tool, which lists a watermark's messages by id, or of the tool of 2026-08, which lists them
// with their senders and never believes a time ahead of its clock.
type otherTool struct {
	t     *testing.T
	dir   string
	named bool
}

type otherRecord struct {
	ID     string `json:"id"`
	TS     int64  `json:"ts"`
	From   string `json:"from"`
	To     string `json:"to"`
	Thread string `json:"thread"`
	Body   string `json:"body"`
}

func (o *otherTool) name(r *otherRecord) string {
	if o.named {
		return r.From + ":" + r.ID
	}
	return r.ID
}

// inbox returns the bodies that the tool shows to me now.
func (o *otherTool) inbox(me string, now int64) (shown []string) {
	var mark struct {
		TS  int64    `json:"ts"`
		IDs []string `json:"ids"`
	}
	path := filepath.Join(o.dir, ".seen-"+me)
	if data, err := os.ReadFile(path); err == nil {
		if err := json.Unmarshal(data, &mark); err != nil {
			o.t.Fatal(err)
		}
	}
	if o.named {
		mark.TS = min(mark.TS, now)
	}
	var found []otherRecord
	logs, _ := filepath.Glob(filepath.Join(o.dir, "log-*.jsonl"))
	for _, log := range logs {
		data, err := os.ReadFile(log)
		if err != nil {
			o.t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			var r otherRecord
			if json.Unmarshal([]byte(line), &r) != nil || r.To != me || r.TS < mark.TS || r.TS == mark.TS && slices.Contains(mark.IDs, o.name(&r)) {
				continue
			}
			found = append(found, r)
		}
	}
	if len(found) == 0 {
		return nil
	}
	slices.SortStableFunc(found, func(a, b otherRecord) int { return cmp.Compare(a.TS, b.TS) })
	newest, ids := found[len(found)-1].TS, []string{}
	if newest == mark.TS {
		ids = mark.IDs
	}
	for i := range found {
		shown = append(shown, found[i].Body)
		if found[i].TS == newest {
			ids = append(ids, o.name(&found[i]))
		}
	}
	mark.TS, mark.IDs = newest, ids
	data, err := json.Marshal(mark)
	if err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		o.t.Fatal(err)
	}
	return shown
}

// TestBesidePublishedTools has Signalbox and a published tool read and write the same
// directory in turn, 900 operations with each: together they show every message once.
func TestBesidePublishedTools(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	for _, named := range []bool{false, true} {
		for _, form := range []samp.Profile{samp.V1, samp.V1Compact} {
			t.Run(fmt.Sprintf("named=%t/%s", named, form), func(t *testing.T) { beside(t, named, form) })
		}
	}
}

func beside(t *testing.T, named bool, form samp.Profile) {
	dir, stateDir := t.TempDir(), t.TempDir()
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	other := otherTool{t, dir, named}
	rng := rand.New(rand.NewPCG(uint64(form), 7))
	now := int64(1_777_000_000)
	times := map[string]int{}
	show := func(who string, step int, bodies []string) {
		for _, body := range bodies {
			if times[body]++; times[body] > 1 {
				t.Errorf("operation %d: %s shows %q again", step, who, body)
			}
		}
	}
	ours := func() (bodies []string) {
		state, err := OpenReadState(stateDir, d, "bob")
		if err != nil {
			t.Fatal(err)
		}
		read := d.ReadNew
		if rng.IntN(2) == 0 {
			read = d.ReadMany
		}
		r, err := read(t.Context(), "bob", form, time.Unix(now, 0), state)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		list := slices.Concat(r.Late, r.Fresh)
		bodies = unreadBodies(t, r, list)
		errs := r.Commit
		if rng.IntN(2) == 0 {
			// The rest is shown the next time.
			some := rng.IntN(len(list) + 1)
			list, bodies = list[:some], bodies[:some]
			errs = func() []error { return r.Take(list) }
		}
		if errs := errs(); errs != nil {
			t.Fatal(errs)
		}
		return bodies
	}
	sent := 0
	for step := range 900 {
		switch rng.IntN(6) {
		case 0, 1, 2:
			if rng.IntN(3) == 0 {
				now += rng.Int64N(3)
			}
			from, body := []string{"alice", "carol", "dave"}[rng.IntN(3)], fmt.Sprintf("message %d, déjà vu", sent)
			r, err := samp.Build(from, "bob", "t", body, now, form)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := d.Append(&r); err != nil {
				t.Fatal(err)
			}
			times[body] = 0
			sent++
		case 3, 4:
			show("the other tool", step, other.inbox("bob", now))
		case 5:
			show("Signalbox", step, ours())
		}
	}
	for range 40 { // some of them take only a part
		show("Signalbox", 900, ours())
	}
	for body, n := range times {
		if n == 0 {
			t.Errorf("nobody shows %q", body)
		}
	}
}
