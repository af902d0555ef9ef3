package threads

import (
	"context"
	"errors"
	"os"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// Core is the protocol core as [Dir.Check] and [Dir.Repair] call it. A Dir calls
// core/atsf itself, unless [Dir.Use] names another one, such as a WebAssembly
// module. What breaks a rule as a whole gives a *[atsf.Fault]; any other error
// ends the check or repair.
type Core interface {
	checks
	// Repair gives thread.json as [atsf.Repair] makes it for a messages.jsonl, and
	// what was wrong.
	Repair(ctx context.Context, thread, messages []byte) ([]byte, []atsf.Mismatch, error)
}

// checks is what checking calls.
type checks interface {
	// Thread reads a thread.json. odd is set where dir is not the thread's id.
	Thread(ctx context.Context, data []byte, dir string) (t atsf.Thread, odd *atsf.Fault, err error)
	// Message reads one line of a messages.jsonl. Of its content are set what is
	// known of the blocks and the assets they name.
	Message(ctx context.Context, line []byte) (atsf.Message, error)
	// Config checks a config.json, and names what looks like a secret.
	Config(ctx context.Context, data []byte) (found atsf.Findings, secrets []atsf.Fault, err error)
	// AssetName reads an assetRef.
	AssetName(ctx context.Context, ref string) (atsf.AssetName, error)
	// Tally begins to count the lines of a messages.jsonl.
	Tally() Tally
}

// Tally is a count of lines.
type Tally interface {
	// Add counts a line without its end, and the message that it was read as, or
	// nil for what is none. It keeps neither.
	Add(line []byte, m *atsf.Message)
	// Compare holds thread.json against the count.
	Compare(ctx context.Context, t *atsf.Thread) ([]atsf.Mismatch, error)
}

// Use has c compute what Check and Repair find out; nil stands for core/atsf
// itself. It comes before the first of them.
func (d *Dir) Use(c Core) { d.core = c }

// calls is the core that checks.
func (d *Dir) calls() checks {
	if d.core == nil {
		return own{}
	}
	return d.core
}

// own calls core/atsf.
type own struct{}

func (own) Thread(_ context.Context, data []byte, dir string) (t atsf.Thread, odd *atsf.Fault, err error) {
	if t, err = atsf.ParseThread(data); err == nil {
		odd, _ = errors.AsType[*atsf.Fault](t.CheckDir(dir))
	}
	return t, odd, err
}

func (own) Message(_ context.Context, line []byte) (atsf.Message, error) {
	return atsf.ParseMessage(line)
}

func (own) Config(_ context.Context, data []byte) (atsf.Findings, []atsf.Fault, error) {
	c, err := atsf.ParseConfig(data)
	return c.Findings, atsf.Secrets(data), err
}

func (own) AssetName(_ context.Context, ref string) (atsf.AssetName, error) {
	return atsf.ParseAssetName(ref)
}

func (own) Tally() Tally { return new(ownTally) }

type ownTally struct{ atsf.Tally }

func (t *ownTally) Add(_ []byte, m *atsf.Message) {
	if m == nil {
		t.Bad++
		return
	}
	t.Tally.Add(m)
}

func (t *ownTally) Compare(_ context.Context, thread *atsf.Thread) ([]atsf.Mismatch, error) {
	return atsf.Compare(thread, t.Tally), nil
}

// repairBy is Repair by another core, which takes the finished lines as a whole.
func (d *Dir) repairBy(ctx context.Context, w *writing) (changed []atsf.Mismatch, err error) {
	messages, err := finished(ctx, w.root)
	if err != nil {
		return nil, err
	}
	err = w.change(func(raw []byte) (out []byte, err error) {
		out, changed, err = d.core.Repair(ctx, raw, messages)
		return out, err
	})
	return changed, err
}

// finished reads a messages.jsonl up to the end of its last whole line.
func finished(ctx context.Context, thread *os.Root) ([]byte, error) {
	log, info, err := openFile(thread, atsf.MessagesName)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer log.Close()
	end, err := endOf(ctx, log, info.Size())
	if err != nil {
		return nil, err
	}
	data := make([]byte, end)
	return data, readFull(log, data, 0)
}
