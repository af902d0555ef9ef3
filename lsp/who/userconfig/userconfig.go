// Package userconfig reads and writes a person's settings for all agents on a machine, which
// are in one JSON file.
//
// Start with [At]. The package imports core/samp and lsp/disk/statefile.
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

// Config holds a person's settings. A setting that is not set is empty.
type Config struct {
	// Person is the alias that the person reads and writes mail as.
	Person string `json:"person,omitempty"`
	// Deliver is what a hook shows an agent of new mail: [Announce] or [Full].
	Deliver Delivery `json:"deliver,omitempty"`
	// Answers decides whether hooks wait for the person's answer to the requests of agents.
	Answers Answers `json:"answers,omitempty"`
}

// Answers is [AnswersOn], [AnswersOff], or the number of seconds for which a hook may hide
// the dialog of an agent's program while it waits for the person's answer. If it is empty,
// only hooks that hide no dialog wait.
type Answers string

// The values that aren't numbers.
const (
	AnswersOn  Answers = "on"
	AnswersOff Answers = "off"
)

const (
	// MaxWait is how long a hook that hides no dialog waits.
	MaxWait = 24 * time.Hour
	// MaxHiding is the longest time that a person may set for a hook that hides a dialog, and
	// defaultHiding how long it waits if they set only [AnswersOn].
	MaxHiding     = time.Hour
	defaultHiding = 30 * time.Second
)

// Wait returns how long a hook waits for an answer, 0 if it does not. hides is set for a hook
// that hides the program's own dialog meanwhile.
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
	return defaultHiding
}

// HasSeconds reports whether the person set for how many seconds a dialog may be hidden.
func (a Answers) HasSeconds() bool {
	_, err := strconv.Atoi(string(a))
	return err == nil
}

// Check returns an error if the setting is invalid.
func (a Answers) Check() error {
	if a == "" || a == AnswersOn || a == AnswersOff {
		return nil
	}
	if n, err := strconv.Atoi(string(a)); err != nil || n < 1 || n > int(MaxHiding/time.Second) {
		return fmt.Errorf("answers is %.100q, and must be %q, %q or seconds up to %d", a, AnswersOn, AnswersOff, MaxHiding/time.Second)
	}
	return nil
}

// Delivery is what a hook shows an agent of new mail.
type Delivery string

// The deliveries. An empty one means Announce.
const (
	// Announce shows the sender, the thread and the first words.
	Announce Delivery = "announce"
	// Full shows the whole text, in a frame.
	Full Delivery = "full"
)

// maxFile is the length in bytes of the longest file that is read.
const maxFile = 1 << 20

// File is the configuration of one person.
type File struct {
	file *statefile.File
	now  Config
	all  map[string]json.RawMessage
}

// At returns the configuration in a folder. It reads nothing yet.
func At(configDir string) *File {
	f := &File{}
	f.file = statefile.At(statefile.Config{
		Path: filepath.Join(configDir, "config.json"), What: "configuration:", Limit: maxFile, Take: f.take,
	})
	return f
}

// Path returns the file's path.
func (f *File) Path() string { return f.file.Path() }

// Read returns the person's settings. If the file is missing, all are empty. The error says
// what is wrong with the file or a setting.
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

// Change writes the configuration as change leaves it. Members of other versions stay. A file
// that cannot be understood is not written.
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
