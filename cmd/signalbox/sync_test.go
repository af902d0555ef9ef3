//go:build syncthing

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/conflict"
)

// machine is a computer of its own as far as Syncthing and Signalbox can tell: a directory
// that is synced, a home with read state and keys, and an instance of Syncthing. It is made
// by [twoMachines].
type machine struct {
	t    *testing.T
	name string
	// agent is who has a mailbox of signed mail there.
	agent string
	// bin is the binary that is tested. dir is what Syncthing carries, home what it does not.
	bin, dir, home string
	// config is Syncthing's own folder; device, listen and gui are how it is known and reached.
	config, device, listen, gui string
	process                     *exec.Cmd
}

const (
	syncFolder = "signalbox-test"
	apiKey     = "signalbox-test-key"
	// syncTimeout is how long the two may take to bring something over. It is far above
	// what they need.
	syncTimeout = time.Minute
)

// The shared places, below a machine's dir.
const (
	atMail    = "mail"
	atProject = "project"
	atBoxes   = "boxes"
)

// twoMachines makes two machines that share a directory and are not running.
func twoMachines(t *testing.T) (a, b *machine) {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(top, "signalbox")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	a, b = &machine{t: t, name: "a", agent: "alice", bin: bin}, &machine{t: t, name: "b", agent: "bob", bin: bin}
	for _, m := range []*machine{a, b} {
		at := filepath.Join(top, m.name)
		m.dir, m.home, m.config = filepath.Join(at, "shared"), filepath.Join(at, "home"), filepath.Join(at, "syncthing")
		for _, d := range []string{".stfolder", atMail, atProject, atBoxes} {
			if err := os.MkdirAll(filepath.Join(m.dir, d), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.MkdirAll(m.home, 0o700); err != nil {
			t.Fatal(err)
		}
		m.listen, m.gui = freePort(t), freePort(t)
		out, err := exec.CommandContext(t.Context(), "syncthing", "generate", "--home", m.config, "--no-default-folder", "--skip-port-probing").CombinedOutput()
		if err != nil {
			t.Fatalf("syncthing generate: %v: %s", err, out)
		}
		out, err = exec.CommandContext(t.Context(), "syncthing", "--device-id", "--home", m.config).Output()
		if m.device = strings.TrimSpace(string(out)); err != nil || len(m.device) != 63 {
			t.Fatalf("the device's id: %q, %v", out, err)
		}
	}
	a.configure(b)
	b.configure(a)
	t.Cleanup(a.stop)
	t.Cleanup(b.stop)
	return a, b
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// configure writes Syncthing's configuration: nothing leaves the loopback device, no
// conflict copy is dropped, and scans are asked for by the test.
func (m *machine) configure(other *machine) {
	m.t.Helper()
	type device struct {
		ID      string `xml:"id,attr"`
		Name    string `xml:"name,attr,omitempty"`
		Address string `xml:"address,omitempty"`
	}
	type folder struct {
		ID        string   `xml:"id,attr"`
		Path      string   `xml:"path,attr"`
		Type      string   `xml:"type,attr"`
		Rescan    int      `xml:"rescanIntervalS,attr"`
		Watch     bool     `xml:"fsWatcherEnabled,attr"`
		Devices   []device `xml:"device"`
		Conflicts int      `xml:"maxConflicts"`
	}
	var c struct {
		XMLName xml.Name `xml:"configuration"`
		Version int      `xml:"version,attr"`
		Folder  folder   `xml:"folder"`
		Devices []device `xml:"device"`
		GUI     struct {
			Enabled bool   `xml:"enabled,attr"`
			Address string `xml:"address"`
			Key     string `xml:"apikey"`
		} `xml:"gui"`
		Options struct {
			Listen         string `xml:"listenAddress"`
			Global         bool   `xml:"globalAnnounceEnabled"`
			Local          bool   `xml:"localAnnounceEnabled"`
			Relays         bool   `xml:"relaysEnabled"`
			NAT            bool   `xml:"natEnabled"`
			Browser        bool   `xml:"startBrowser"`
			Usage          int    `xml:"urAccepted"`
			Upgrade        int    `xml:"autoUpgradeIntervalH"`
			Crash          bool   `xml:"crashReportingEnabled"`
			Reconnect      int    `xml:"reconnectionIntervalS"`
			AnnounceLAN    bool   `xml:"announceLANAddresses"`
			Stun           string `xml:"stunServer"`
			ReleasesURL    string `xml:"releasesURL"`
			CrashURL       string `xml:"crashReportingURL"`
			UsageURL       string `xml:"urURL"`
			TempIndexBlock int    `xml:"tempIndexMinBlocks"`
		} `xml:"options"`
	}
	both := []device{{ID: m.device, Name: m.name, Address: "tcp://" + m.listen}, {ID: other.device, Name: other.name, Address: "tcp://" + other.listen}}
	c.Version = 36
	c.Folder = folder{ID: syncFolder, Path: m.dir, Type: "sendreceive", Rescan: 0, Devices: []device{{ID: m.device}, {ID: other.device}}, Conflicts: -1}
	c.Devices = both
	c.GUI.Enabled, c.GUI.Address, c.GUI.Key = true, m.gui, apiKey
	o := &c.Options
	o.Listen, o.Usage, o.Reconnect, o.TempIndexBlock = "tcp://"+m.listen, -1, 1, 10
	// Nothing of these is asked for while the features are off; if it were, nobody
	// would hear it.
	o.Stun, o.ReleasesURL, o.CrashURL, o.UsageURL = "127.0.0.1:9", "http://127.0.0.1:9", "http://127.0.0.1:9", "http://127.0.0.1:9"
	data, err := xml.MarshalIndent(c, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(m.config, "config.xml"), data, 0o600)
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

// start starts Syncthing and waits until it answers.
func (m *machine) start() {
	m.t.Helper()
	log, err := os.OpenFile(m.config+".log", os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		m.t.Fatal(err)
	}
	defer log.Close()
	m.process = exec.Command("syncthing", "serve", "--home", m.config, "--no-browser", "--no-restart", "--no-upgrade", "--logfile=-")
	m.process.Env = append(os.Environ(), "HOME="+m.home, "STNODEFAULTFOLDER=1")
	m.process.Stdout, m.process.Stderr = log, log
	if err := m.process.Start(); err != nil {
		m.t.Fatal(err)
	}
	m.until("syncthing answers", func() error { return m.ask(http.MethodGet, "system/ping", nil) })
}

// stop ends Syncthing, by the process that was started, and waits for it.
func (m *machine) stop() {
	if m.process == nil {
		return
	}
	p := m.process
	m.process = nil
	ended := make(chan error, 1)
	go func() { ended <- p.Wait() }()
	if err := p.Process.Signal(os.Interrupt); err != nil {
		_ = p.Process.Kill()
	}
	select {
	case <-ended:
	case <-time.After(syncTimeout):
		m.t.Errorf("syncthing on %s did not end", m.name)
		_ = p.Process.Kill()
		<-ended
	}
}

// ask calls Syncthing's REST interface.
func (m *machine) ask(method, path string, answer any) error {
	// A context of its own, since it is asked in cleaning up too.
	ctx, cancel := context.WithTimeout(context.Background(), syncTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, "http://"+m.gui+"/rest/"+path, nil)
	if err != nil {
		return err
	}
	r.Header.Set("X-API-Key", apiKey)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %s", path, resp.Status, data)
	}
	if err == nil && answer != nil {
		err = json.Unmarshal(data, answer)
	}
	return err
}

// until waits until check is content.
func (m *machine) until(what string, check func() error) {
	m.t.Helper()
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	timeout := time.After(syncTimeout)
	for {
		err := check()
		if err == nil {
			return
		}
		select {
		case <-ticker.C:
		case <-timeout:
			log, _ := os.ReadFile(m.config + ".log")
			m.t.Fatalf("on %s, %s: %v\n%s", m.name, what, err, log[max(0, len(log)-4000):])
		}
	}
}

// together waits until both machines carry the same files, and nothing is on its way.
func together(a, b *machine) {
	a.t.Helper()
	a.until("the two agree", func() error {
		for _, m := range []*machine{a, b} {
			if err := m.ask(http.MethodPost, "db/scan?folder="+syncFolder, nil); err != nil {
				return err
			}
		}
		for _, m := range []*machine{a, b} {
			var s struct {
				State          string
				NeedTotalItems int
				NeedBytes      int
				Errors         int
				PullErrors     int
				InSyncFiles    int
				LocalFiles     int
				GlobalFiles    int
				ReceiveOnly    int
			}
			if err := m.ask(http.MethodGet, "db/status?folder="+syncFolder, &s); err != nil {
				return err
			}
			if s.State != "idle" || s.NeedTotalItems > 0 || s.LocalFiles != s.GlobalFiles {
				return fmt.Errorf("%s: %+v", m.name, s)
			}
		}
		x, y := a.carried(), b.carried()
		if !slices.Equal(x, y) {
			return fmt.Errorf("a has %q, b %q", only(x, y), only(y, x))
		}
		return nil
	})
}

// only gives what the first list has and the second has not.
func only(x, y []string) (list []string) {
	for _, s := range x {
		if !slices.Contains(y, s) {
			list = append(list, s)
		}
	}
	return list
}

// carried lists the files that Syncthing is to carry, with what is in them.
func (m *machine) carried() (list []string) {
	m.t.Helper()
	err := fs.WalkDir(os.DirFS(m.dir), ".", func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // it went while it was looked at
			}
			return err
		}
		switch name := e.Name(); {
		case e.IsDir() && (name == ".stfolder" || name == ".signalbox" || p == atProject+"/ssot/tasks" || name == "registrations"):
			return fs.SkipDir
		case e.IsDir(), name == ".stignore", strings.HasPrefix(name, ".seen-"), strings.HasPrefix(name, ".mtime-"),
			name == "private.pem", name == "errors.jsonl", strings.HasPrefix(name, ".syncthing."):
			return nil
		}
		data, err := os.ReadFile(filepath.Join(m.dir, p))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		list = append(list, fmt.Sprintf("%s %q", p, data))
		return err
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return list
}

// run runs Signalbox on the machine, in the shared project. It must end with 0.
func (m *machine) run(args ...string) string {
	m.t.Helper()
	cmd := exec.CommandContext(m.t.Context(), m.bin, args...)
	cmd.Dir = filepath.Join(m.dir, atProject)
	cmd.Env = append(os.Environ(), "HOME="+m.home, "USERPROFILE="+m.home, "XDG_STATE_HOME="+filepath.Join(m.home, "state"),
		"AGENT_MESSAGE_DIR="+filepath.Join(m.dir, atMail), "AMP_DIR="+filepath.Join(m.dir, atBoxes, "agents", m.agent), "NO_COLOR=1", "TZ=UTC")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		m.t.Fatalf("on %s, signalbox %q: %v\n%s%s", m.name, args, err, &stdout, &stderr)
	}
	return stdout.String()
}

// send sends mail and gives the text, which no other message has.
func (m *machine) send(from, to, text string) string {
	m.t.Helper()
	m.run("--as", from, "send", to, text)
	return text
}

// ids gives the ids of all mail on the machine, each once, and the times at which it
// is shown to more than one reader do not count.
func (m *machine) ids(readers ...string) []string {
	m.t.Helper()
	var list []string
	for _, me := range readers {
		var before []string
		for l := range strings.Lines(m.run("--as", me, "--json", "inbox", "all")) {
			var r struct{ ID, From, Body string }
			if err := json.Unmarshal([]byte(l), &r); err != nil {
				m.t.Fatal(err)
			}
			before = append(before, me+" "+r.ID+" "+r.From+" "+r.Body)
		}
		slices.Sort(before)
		if n := len(before); len(slices.Compact(slices.Clone(before))) != n {
			m.t.Errorf("on %s, %s is shown a message twice: %q", m.name, me, before)
		}
		list = append(list, before...)
	}
	return list
}

// copies lists the conflict copies on the machine.
func (m *machine) copies() (originals []string) {
	m.t.Helper()
	root, err := disk.OpenRoot(m.dir)
	if err != nil {
		m.t.Fatal(err)
	}
	defer root.Close()
	list, err := conflict.Find(m.t.Context(), root, ".")
	if err != nil {
		m.t.Fatal(err)
	}
	for _, c := range list {
		originals = append(originals, c.Original)
	}
	return originals
}

// file gives a file of the shared directory, "" if there is none.
func (m *machine) file(name string) string {
	data, err := os.ReadFile(filepath.Join(m.dir, filepath.FromSlash(name)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.t.Fatal(err)
	}
	return string(data)
}

// age gives the logs on the machine times of long ago, as a restored backup has them.
func (m *machine) age(when time.Time) {
	m.t.Helper()
	logs, err := filepath.Glob(filepath.Join(m.dir, atMail, "log-*.jsonl"))
	for _, l := range logs {
		err = errors.Join(err, os.Chtimes(l, when, when))
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

// nextSecond waits until mail has a later time than what was sent before: SAMP counts seconds.
func nextSecond(m *machine) {
	m.t.Helper()
	now := time.Now().Unix()
	m.until("the second is over", func() error {
		if time.Now().Unix() == now {
			return errors.New("not yet")
		}
		return nil
	})
}
