package amp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// InitConfig describes an identity to make.
type InitConfig struct {
	Root string // the root of the mailboxes. It is made if it is missing.
	Name string // the name of the agent and of its folder, in any case. It becomes lower case.
	// Address is a full address. If it is empty, it is the name at the domain of most mailboxes
	// in the root, or at default.aimaestro.local if there are none.
	Address string
	Now     time.Time

	disk disk.Disk // replaced by tests
}

// defaultDomain is the domain that existing clients use without a provider.
const defaultDomain = "default.aimaestro.local"

// Init makes an identity: agents/<name> in the root with an Ed25519 key pair and a config.json,
// as existing clients have them. It makes all of it or nothing, and overwrites nothing. It
// returns [fs.ErrExist] if the folder holds an identity, or if another mailbox has the name or
// address.
func Init(ctx context.Context, cfg InitConfig) (*Mailbox, error) {
	name := strings.ToLower(cfg.Name)
	if _, ok := amp.ParseAddress(name + "@" + defaultDomain); !ok || strings.HasPrefix(name, "-") || strings.HasPrefix(name, "_") {
		return nil, fmt.Errorf("mailbox: init: %q is no name of an agent: 1 to 63 letters, digits, \"-\" and \"_\", the first a letter or digit", cfg.Name)
	}
	if amp.Device(name) {
		return nil, fmt.Errorf("mailbox: init: %q is the name of a device", cfg.Name)
	}
	dir := agentsName + "/" + name
	if b, err := openOn(cfg.disk, cfg.Root, dir); err == nil {
		// Finish or undo an identity that a killed process began.
		_ = b.Recover(ctx)
		_ = b.Close()
	}
	addr, err := newAddress(ctx, &cfg, name)
	if err != nil {
		return nil, fmt.Errorf("mailbox: init: %w", err)
	}
	if err := cfg.disk.MkdirAll(cfg.Root, disk.PrivateDir); err != nil {
		return nil, fmt.Errorf("mailbox: init: %w", err)
	}
	b, err := makeMailbox(&cfg, dir)
	if err != nil {
		return nil, fmt.Errorf("mailbox: init: %s: %w", dir, err)
	}
	defer b.Close()
	s, err := b.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer s.end()
	key, err := s.init(&cfg, name, addr)
	if err != nil {
		return nil, fmt.Errorf("mailbox: init: %s: %w", dir, err)
	}
	return &Mailbox{Dir: b.dir, Path: filepath.Join(b.path, filepath.FromSlash(b.dir)), Name: name, Addresses: []amp.Address{addr}, Key: key, Signs: true}, nil
}

func newAddress(ctx context.Context, cfg *InitConfig, name string) (addr amp.Address, err error) {
	snap, err := Scan(ctx, cfg.Root)
	if err != nil {
		return addr, err
	}
	text := cfg.Address
	if text == "" {
		text = name + "@" + usualDomain(snap)
	}
	addr, ok := amp.ParseAddress(strings.ToLower(text))
	if !ok {
		return addr, fmt.Errorf("%q is not a full address such as %s@%s", text, name, defaultDomain)
	}
	for _, m := range snap.Mailboxes {
		if slices.ContainsFunc(m.Addresses, addr.Same) {
			return addr, fmt.Errorf("the mailbox in %s has the address %s: %w", m.Dir, addr, fs.ErrExist)
		}
		if strings.EqualFold(m.Name, name) && m.Dir != agentsName+"/"+name {
			return addr, fmt.Errorf("the mailbox in %s has the name %s: %w", m.Dir, name, fs.ErrExist)
		}
	}
	return addr, nil
}

func usualDomain(snap *Snapshot) string {
	count := map[string]int{}
	best := defaultDomain
	for _, m := range snap.Mailboxes {
		if len(m.Addresses) == 0 {
			continue
		}
		domain := strings.ToLower(m.Addresses[0].Domain)
		count[domain]++
		if n := count[best]; count[domain] > n || count[domain] == n && domain < best {
			best = domain
		}
	}
	return best
}

// makeMailbox opens the folder of a mailbox and makes what is missing in it. Clients make the
// folders before there is an identity.
func makeMailbox(cfg *InitConfig, dir string) (*Box, error) {
	root, err := cfg.disk.OpenRoot(cfg.Root)
	if err != nil {
		return nil, disk.Cause(err)
	}
	defer root.Close()
	w := &disk.Whole{Root: root, Private: true}
	for _, folder := range []string{keysName, inInbox, inSent, registrationsName} {
		at, err := w.Folder(path.Join(dir, folder))
		if err != nil {
			return nil, err
		}
		at.Close()
	}
	return openOn(cfg.disk, cfg.Root, dir)
}

// initIntent is written before an identity is made, so that an unfinished one can be undone.
type initIntent struct {
	// Files maps each file's name to its content.
	Files map[string]string `json:"files"`
}

// initFiles returns the files of an identity in the order of writing. config.json completes it.
func initFiles() []string { return []string{privateName, publicName, configName} }

func (s *writeSession) init(cfg *InitConfig, name string, addr amp.Address) (amp.Key, error) {
	if s.unsettled != nil {
		return amp.Key{}, s.unsettled
	}
	for _, file := range initFiles() {
		if taken, err := s.exists(file); err != nil || taken {
			return amp.Key{}, errors.Join(err, fmt.Errorf("%s is there and is not overwritten: %w", s.key(file), fs.ErrExist))
		}
	}
	private, key, err := newPair()
	if err != nil {
		return amp.Key{}, err
	}
	in := initIntent{map[string]string{
		privateName: string(private), publicName: string(key.PEM()), configName: string(configText(cfg, name, addr, key)),
	}}
	return key, s.writeIdentity(&in)
}

func (s *writeSession) writeIdentity(in *initIntent) error {
	data, err := json.Marshal(in)
	if err != nil {
		return err
	}
	if err := s.Add(workFolder+"/"+initIntentName, data); err != nil {
		return err
	}
	for _, file := range initFiles() {
		if err = s.Add(file, []byte(in.Files[file])); err != nil {
			break
		}
	}
	done, unsettled := s.settleInit(in)
	if done {
		s.Left = s.Left || unsettled != nil
		return nil
	}
	return errors.Join(err, unsettled)
}

func (s *writeSession) recoverInit() error {
	data, _, err := s.work.ReadRegular(initIntentName, maxConfig)
	if err != nil {
		return err
	}
	var in initIntent
	if json.Unmarshal(data, &in) != nil {
		return errNotOurs
	}
	_, err = s.settleInit(&in)
	return err
}

// settleInit finishes an identity whose config.json is written, and otherwise removes what was
// written. done reports which.
func (s *writeSession) settleInit(in *initIntent) (done bool, err error) {
	has := func(file string) bool {
		data, _, err := s.home.ReadRegular(file, maxConfig)
		return err == nil && bytes.Equal(data, []byte(in.Files[file]))
	}
	if done = has(configName); done {
		// The process that wrote it may have been killed before files and folders were synced.
		w := disk.Whole{Root: s.root}
		if err := w.SyncPath(s.key(configName)); err != nil {
			return true, err
		}
	}
	for _, file := range initFiles() {
		if done || in.Files[file] == "" || !has(file) {
			continue
		}
		// The content is what we wrote, and no link led to the file.
		if err := s.home.Remove(file); err != nil {
			return false, disk.Cause(err)
		}
	}
	return done, s.removeWork(initIntentName)
}
