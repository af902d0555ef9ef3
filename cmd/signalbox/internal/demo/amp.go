package demo

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// letter is a signed message of the demo, in sample/letters.json. It is signed when the demo
// is written, since each demo has new keys.
type letter struct {
	Ago     int // minutes before now
	From    string
	Answers int // index of the letter it answers, or -1 if it is for the reader
	Text    string
	Flags   []string
	Read    bool
	// Forged replaces the text after it was signed.
	Forged string
}

// writeBoxes makes mailboxes of the demo's agents, with signed mail in them, by running the
// ordinary commands.
func (d *demo) writeBoxes(ctx context.Context) error {
	// A key is remembered with its address for good. The domain is new in each demo, so that
	// its keys do not look like changed ones.
	domain := "demo-" + strings.ToLower(rand.Text()[:6]) + ".local"
	for _, name := range []string{reader, "planner", "reviewer", "vendor"} {
		tenant := "shop."
		if name == "vendor" {
			tenant = "globex."
		}
		if _, err := d.amp(ctx, 200, "init", "--name", name, "--address", name+"@"+tenant+domain); err != nil {
			return err
		}
	}
	plan, err := sample.ReadFile("sample/plan.md")
	if err != nil {
		return err
	}
	file := d.in("plan.md")
	if err := os.WriteFile(file, plan, 0o600); err != nil {
		return err
	}
	data, err := d.read("sample/letters.json")
	if err != nil {
		return err
	}
	var letters []letter
	if err := json.Unmarshal(data, &letters); err != nil {
		return err
	}
	return errors.Join(d.sendAll(ctx, letters), os.Remove(file))
}

func (d *demo) sendAll(ctx context.Context, list []letter) error {
	var keys []string // of the receivers' files
	for _, l := range list {
		args := []string{"send", reader}
		if l.Answers >= 0 {
			args = []string{"reply", keys[l.Answers]}
		}
		key, err := d.amp(ctx, l.Ago, append(args, append(l.Flags, "--as", l.From, "--message", l.Text)...)...)
		if err != nil {
			return err
		}
		keys = append(keys, key)
		if l.Read {
			_, err = d.amp(ctx, l.Ago-1, "read", key, "--as", reader)
		} else if l.Forged != "" {
			err = forge(filepath.Join(d.in(boxesFolder), filepath.FromSlash(key)), l.Text, l.Forged)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// amp runs a command about signed mail as if it were ago minutes earlier, and returns the
// key of the receiver's file if the command sent a message.
func (d *demo) amp(ctx context.Context, ago int, args ...string) (inbox string, err error) {
	var out bytes.Buffer
	p := d.at(d.now.Add(-time.Duration(ago) * time.Minute))
	p.Stdout, p.Stderr, p.Unseen = &out, io.Discard, false
	if err := d.run(ctx, p, append([]string{"amp", "--json", "--amp", d.in(boxesFolder)}, args...)...); err != nil {
		return "", err
	}
	var sent struct{ Inbox string }
	err = json.Unmarshal(out.Bytes(), &sent)
	return sent.Inbox, err
}

func forge(path, was, is string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, bytes.Replace(data, []byte(was), []byte(is), 1), 0o600)
}
