package atsf

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
)

// Limits of what a check remembers of one thread.
const (
	maxCheckedIDs  = 1 << 20
	maxCheckedRefs = 1 << 16
)

// threadCheck checks one thread.
type threadCheck struct {
	checker
	name  string
	tally atsf.Tally
	last  atsf.Time
	// ids maps the hash of an id to its first line, refs an asset's name to the first line that
	// names it.
	seed maphash.Seed
	ids  map[uint64]int64
	refs map[string]int64
	// skipped is set if messages could not be counted: some lines are too long to read, or the log
	// is missing.
	skipped bool
}

// newThreadCheck returns a check of the thread with this name in the checker's directory.
func newThreadCheck(c checker, name string) *threadCheck {
	return &threadCheck{checker: c, name: name, seed: maphash.MakeSeed(), ids: make(map[uint64]int64), refs: make(map[string]int64)}
}

func (c *threadCheck) run(ctx context.Context) error {
	t, err := c.thread()
	if refused(err) {
		// Its messages and assets may have another meaning.
		return nil
	}
	if err := c.messages(ctx, t); err != nil {
		return err
	}
	if t != nil && !c.skipped {
		for _, m := range atsf.Compare(t, c.tally) {
			c.add(atsf.ThreadName, 0, "T4", m.Reason, true)
		}
	}
	if err := c.assets(ctx); err != nil {
		return err
	}
	c.unexpected(atsf.ThreadName, atsf.MessagesName, atsf.AssetsName)
	return nil
}

// thread checks thread.json.
func (c *threadCheck) thread() (*atsf.Thread, error) {
	data, _, err := readSmall(c.root, atsf.ThreadName)
	if errors.Is(err, ErrNotFound) {
		c.add(atsf.ThreadName, 0, "L2", "is not there", true)
		return nil, err
	}
	var t atsf.Thread
	if err == nil {
		t, err = atsf.ParseThread(data)
	}
	if err != nil {
		c.fault(atsf.ThreadName, 0, err)
		return nil, err
	}
	c.findings(atsf.ThreadName, 0, &t.Findings)
	if odd := t.CheckDir(c.name); odd != nil {
		c.fault(atsf.ThreadName, 0, odd)
	}
	return &t, nil
}

// messages checks the log line by line. t is nil if thread.json cannot be read.
func (c *threadCheck) messages(ctx context.Context, t *atsf.Thread) error {
	log, info, err := openFile(c.root, atsf.MessagesName)
	none := errors.Is(err, ErrNotFound)
	if t != nil && t.Stats != (atsf.Stats{}) && (none || err == nil && info.Size() == 0) {
		lost := "is not there"
		if !none {
			lost = "is empty"
			log.Close()
		}
		c.skipped = true
		c.add(atsf.MessagesName, 0, "T4", fmt.Sprintf("%s, and %s counts %d messages: they are elsewhere, or lost", lost, atsf.ThreadName, t.Stats.Messages), true)
		return nil
	}
	if none {
		c.add(atsf.MessagesName, 0, "L1", "is not there: the thread has no messages", false)
		return nil
	}
	if err != nil {
		c.fault(atsf.MessagesName, 0, err)
		return nil
	}
	defer log.Close()
	end, err := jsonl.End(ctx, log, info.Size())
	lines := jsonl.Forward{R: log, End: end}
	for number := int64(1); err == nil; number++ {
		var l jsonl.Line
		if l, err = lines.Next(ctx); err == nil && !l.Blank() {
			c.line(&l, number)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	switch {
	case !errors.Is(err, jsonl.ErrEnd):
		c.add(atsf.MessagesName, 0, "M1", "cannot be read: "+disk.Cause(err).Error(), true)
	case end < info.Size():
		c.add(atsf.MessagesName, 0, "M5", fmt.Sprintf("the last line is not finished, its %d bytes are ignored: somebody is writing it, or was interrupted", info.Size()-end), false)
	}
	return nil
}

// line checks one line.
func (c *threadCheck) line(l *jsonl.Line, number int64) {
	if l.Long {
		c.skipped = true
		c.add(atsf.MessagesName, number, "M1", fmt.Sprintf("the line is %d bytes long, too long to be read", l.Size), true)
		return
	}
	m, err := atsf.ParseMessage(l.Raw)
	if err != nil {
		c.tally.Bad++
		c.fault(atsf.MessagesName, number, err)
		return
	}
	c.tally.Add(&m)
	c.findings(atsf.MessagesName, number, &m.Findings)
	if m.ID != "" {
		hash := maphash.String(c.seed, m.ID)
		if first, twice := c.ids[hash]; twice {
			c.add(atsf.MessagesName, number, "M2", fmt.Sprintf("the id %.80q was used on line %d already", m.ID, first), true)
		} else if len(c.ids) < maxCheckedIDs {
			c.ids[hash] = number
		}
	}
	if m.Time.OK {
		if c.last.OK && m.Time.Millis < c.last.Millis {
			c.add(atsf.MessagesName, number, "M1", "the message is older than the one before it", false)
		}
		c.last = m.Time
	}
	for i := range m.Content {
		if b := &m.Content[i]; b.Known && b.AssetRef != "" {
			c.ref(b.AssetRef, number)
		}
	}
}

// ref records an asset that a message names.
func (c *threadCheck) ref(name string, number int64) {
	if _, err := atsf.ParseAssetName(name); err != nil {
		c.fault(atsf.MessagesName, number, err)
		return
	}
	if _, known := c.refs[name]; !known && len(c.refs) < maxCheckedRefs {
		c.refs[strings.Clone(name)] = number
	}
}

// assets checks all files in assets, and that every asset that a message names exists.
func (c *threadCheck) assets(ctx context.Context) error {
	var entries []fs.DirEntry
	sub, err := c.root.OpenFolder(atsf.AssetsName)
	kind, other := errors.AsType[*disk.KindError](err)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case other:
		c.add(atsf.AssetsName, 0, "L1", "is "+disk.Kind(kind.Kind)+" and is not read", true)
	case err != nil:
		c.fault(atsf.AssetsName, 0, errors.Unwrap(err)) // it begins with the name
		return nil
	default:
		defer sub.Close()
		if entries, err = readDir(sub); err != nil {
			c.fault(atsf.AssetsName, 0, disk.Cause(err))
		}
		for _, e := range entries {
			if err := c.asset(ctx, sub, e); err != nil {
				return err
			}
		}
	}
	there := make(map[string]bool, len(entries))
	for _, e := range entries {
		there[e.Name()] = true
	}
	for _, name := range slices.Sorted(maps.Keys(c.refs)) {
		if !there[name] {
			c.add(atsf.MessagesName, c.refs[name], "L4", fmt.Sprintf("names the asset %q, which is not there", name), true)
		}
	}
	return nil
}

// asset checks one file in assets: its name, its digest, and whether it is used.
func (c *threadCheck) asset(ctx context.Context, assets *disk.Root, e fs.DirEntry) error {
	at := path.Join(atsf.AssetsName, e.Name())
	if hidden(e.Name()) {
		c.add(at, 0, "L4", "is what an interrupted write left, or another program's", false)
		return nil
	}
	n, err := atsf.ParseAssetName(e.Name())
	if err != nil {
		c.fault(at, 0, err)
		return nil
	}
	f, _, err := openFile(assets, e.Name())
	if err != nil {
		c.fault(at, 0, err)
		return nil
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, &cancelReader{ctx, f}); err != nil {
		if ctx.Err() == nil {
			c.fault(at, 0, disk.Cause(err))
		}
		return ctx.Err()
	}
	if digest := hex.EncodeToString(h.Sum(nil)); !strings.HasPrefix(digest, n.Hex) {
		c.add(at, 0, "L4", fmt.Sprintf("the content's digest is %s…, and the name says %s", digest[:len(n.Hex)], n.Hex), true)
	}
	if _, used := c.refs[e.Name()]; !used && len(c.refs) < maxCheckedRefs {
		c.add(at, 0, "L4", "is named by no message", false)
	}
	return nil
}
