// Package userconfig keeps what a person said once for all agents on a machine, in one
// JSON file of theirs.
//
// Start with [At]. Of this project the package imports core/samp, lsp/disk/statefile
// and lsp/disk.
package userconfig

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/statefile"
)

// Config is what a person said. What is not said is empty.
type Config struct {
	// Person is the alias that the person reads and writes mail as.
	Person string `json:"person,omitempty"`
	// Deliver says what a hook tells an agent of new mail: [Announce] or [Full].
	Deliver Delivery `json:"deliver,omitempty"`
	// Answers says whether hooks wait for the person's answer to what an agent asks for.
	Answers Answers `json:"answers,omitempty"`
}

// Answers is [AnswersOn], [AnswersOff], or for how many seconds a hook may hide the dialog of
// an agent's program while it waits for the person's answer. Nothing said means that hooks wait
// where they hide none.
type Answers string

// The answers that are no number.
const (
	AnswersOn  Answers = "on"
	AnswersOff Answers = "off"
)

const (
	// MaxWait is how long a hook waits that hides no dialog.
	MaxWait = 24 * time.Hour
	// MaxHiding is how long the person may say that one waits that does, and hiding how long it
	// waits where they said only that it shall.
	MaxHiding = time.Hour
	hiding    = 30 * time.Second
)

// Wait returns how long a hook waits for an answer, 0 if it does not. hides is set for one that
// hides the program's own dialog meanwhile.
func (a Answers) Wait(hides bool) time.Duration {
	seconds, err := strconv.Atoi(string(a))
	switch {
	case a == AnswersOff || a == "" && hides:
		return 0
	case !hides:
		return MaxWait
	case err == nil:
		return time.Duration(seconds) * time.Second
	}
	return hiding
}

// Seconds reports whether the person said for how long a dialog may be hidden.
func (a Answers) Seconds() bool {
	_, err := strconv.Atoi(string(a))
	return err == nil
}

// Check says what is wrong with a setting.
func (a Answers) Check() error {
	if a == "" || a == AnswersOn || a == AnswersOff {
		return nil
	}
	if n, err := strconv.Atoi(string(a)); err != nil || n < 1 || n > int(MaxHiding/time.Second) {
		return fmt.Errorf("answers is %.100q, and must be %q, %q or seconds up to %d", a, AnswersOn, AnswersOff, MaxHiding/time.Second)
	}
	return nil
}

// Delivery is what a hook tells an agent of new mail.
type Delivery string

// The deliveries. Nothing said means Announce.
const (
	// Announce tells sender, thread and first words.
	Announce Delivery = "announce"
	// Full tells the whole text, in a frame.
	Full Delivery = "full"
)

// maxFile is the length in bytes of the longest file.
const maxFile = 1 << 20

// File is the configuration of one person.
type File struct {
	file *statefile.File
	now  Config
	all  map[string]json.RawMessage
}

// At returns the configuration in a folder. Nothing is read yet.
func At(configDir string) *File {
	f := &File{}
	f.file = statefile.At(statefile.Config{
		Path: filepath.Join(configDir, "config.json"), What: "configuration:", Limit: maxFile, Take: f.take,
	})
	return f
}

// Path is where the file lies.
func (f *File) Path() string { return f.file.Path() }

// Read returns what the person said. A missing file says nothing. The error names what
// is wrong with the file, or with what it says.
func (f *File) Read() (Config, error) {
	err := f.file.Look()
	return f.now, err
}

func (f *File) take(data []byte) error {
	f.now, f.all = Config{}, nil
	if data == nil {
		return nil
	}
	var c Config
	if err := json.Unmarshal(data, &c); err != nil {
		return fmt.Errorf("is no configuration: %w", err)
	}
	if err := c.check(); err != nil {
		return err
	}
	f.now = c
	return json.Unmarshal(data, &f.all)
}

func (c *Config) check() error {
	if c.Person != "" {
		if err := samp.CheckAlias(c.Person); err != nil {
			return fmt.Errorf("person: %w", err)
		}
	}
	switch c.Deliver {
	case "", Announce, Full:
		return c.Answers.Check()
	}
	return fmt.Errorf("deliver is %q, and must be %q or %q", c.Deliver, Announce, Full)
}

// Change writes what change makes of the configuration. Members of other versions are
// kept. A file that cannot be understood is not written.
func (f *File) Change(ctx context.Context, change func(*Config)) error {
	return f.file.Change(ctx, func(replace func([]byte) error) error {
		c := f.now
		change(&c)
		if err := c.check(); err != nil {
			return err
		}
		if c == f.now {
			return nil
		}
		data, err := f.merged(c)
		if err != nil {
			return err
		}
		return replace(data)
	})
}

func (f *File) merged(c Config) ([]byte, error) {
	ours, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	all := make(map[string]json.RawMessage, len(f.all))
	for name, value := range f.all {
		switch name {
		case "person", "deliver", "answers":
		default:
			all[name] = value
		}
	}
	if err := json.Unmarshal(ours, &all); err != nil {
		return nil, err
	}
	data, err := json.MarshalIndent(all, "", "  ")
	return append(data, '\n'), err
}
