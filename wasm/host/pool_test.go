package host_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/guest/ops"
	"github.com/signalbox-dev/signalbox/wasm/host"
)

// codeOf gives the code of a *host.Error, or "".
func codeOf(err error) abi.Code {
	if e, ok := errors.AsType[*host.Error](err); ok {
		return e.Code
	}
	return ""
}

// TestGoroutines lets eight goroutines use a pool of three instances at once.
func TestGoroutines(t *testing.T) {
	const callers, rounds = 8, 200
	m := open(t, host.Options{Instances: 3})
	var wg sync.WaitGroup
	for g := range callers {
		wg.Go(func() {
			for n := range rounds {
				params := []byte(`{"from":"a","to":"b","thread":"t","ts":` + strconv.Itoa(g*rounds+n) + `}`)
				body := []byte(strings.Repeat(strconv.Itoa(g), n*7))
				want, _ := ops.Call(nil, abi.SAMPBuild, params, body)
				got, err := m.Call(context.Background(), abi.SAMPBuild, params, body)
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("caller %d round %d: %.200q, %v, want %.200q", g, n, got, err, want)
					return
				}
			}
		})
	}
	wg.Wait()
	if s := m.Stats(); s.Created < 1 || s.Created > 3 || s.Idle != s.Created || s.Discarded != 0 {
		t.Errorf("the pool of 3 is %+v", s)
	}
}

// TestMemoryIsFlat makes 10,000 mixed calls, good and bad, small and large. The
// collector's timing may cost a step or two; a leak of 100 bytes a call is more.
func TestMemoryIsFlat(t *testing.T) {
	ctx := context.Background()
	m := open(t, host.Options{Instances: 1})
	logs, data := join(stores[0].logs(t))
	inbox := []byte(`{"me":"bob","mode":"all","logs":` + logs + `}`)
	big := []byte(strings.Repeat(data, 100))
	mixed := func(calls int) {
		for n := range calls {
			var err error
			switch n % 5 {
			case 0:
				_, err = m.Call(ctx, abi.SAMPInbox, inbox, []byte(data))
			case 1:
				_, err = m.Call(ctx, abi.SAMPID, nil, []byte(data[:strings.Index(data, "\n")]))
			case 2:
				_, err = m.Call(ctx, abi.SAMPAlias, nil, []byte("alice"))
			case 3:
				if _, err = m.Call(ctx, abi.SAMPParse, nil, []byte("{")); codeOf(err) == abi.Malformed {
					err = nil
				}
			case 4:
				if n%500 == 4 {
					_, err = m.Call(ctx, abi.SAMPValidate, []byte(`{"log":"log-x.jsonl"}`), big)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	mixed(2000)
	before := m.Stats()
	mixed(10_000)
	after := m.Stats()
	if after.Memory > before.Memory+1<<20 || after.Created != 1 {
		t.Errorf("the instance went from %+v to %+v", before, after)
	}
}

// TestTrap runs calls out of memory: an error, and a fresh instance after it.
func TestTrap(t *testing.T) {
	ctx := context.Background()
	m := open(t, host.Options{Instances: 1, MaxMemory: 16 << 20})
	_, err := m.Call(ctx, abi.SAMPCompact, nil, make([]byte, 30<<20))
	if codeOf(err) != abi.Trap || !strings.Contains(err.Error(), "out of memory") || errors.Unwrap(err) == nil {
		t.Fatalf("30 MB in an instance of 16 MB give %v", err)
	}
	if s := m.Stats(); s.Idle != 0 || s.Discarded != 1 {
		t.Errorf("after the trap the pool is %+v", s)
	}
	if _, err := m.SAMP().Alias(ctx, "alice"); err != nil {
		t.Errorf("the next call: %v", err)
	}
	if s := m.Stats(); s.Idle != 1 || s.Created != 2 {
		t.Errorf("after the next call the pool is %+v", s)
	}
}

// TestTrapInsideOp is TestTrap where the input fits and the work does not.
func TestTrapInsideOp(t *testing.T) {
	ctx := context.Background()
	m := open(t, host.Options{Instances: 1, MaxMemory: 24 << 20})
	line := `{"ts":1,"from":"a","to":"b","thread":"t","body":"` + strings.Repeat("x", 1000) + "\"}\n"
	_, err := m.Call(ctx, abi.SAMPCompact, nil, []byte(strings.Repeat(line, 10_000)))
	if codeOf(err) != abi.Trap {
		t.Fatalf("got %v", err)
	}
	if _, err := m.SAMP().Alias(ctx, "alice"); err != nil {
		t.Errorf("the next call: %v", err)
	}
}

// TestLargeInstanceIsReplaced sees that memory comes back after a large call.
func TestLargeInstanceIsReplaced(t *testing.T) {
	ctx := context.Background()
	m := open(t, host.Options{Instances: 1, KeepMemory: 32 << 20})
	if _, err := m.Call(ctx, abi.SAMPID, nil, make([]byte, 40<<20)); codeOf(err) != abi.Malformed {
		t.Fatal(err)
	}
	if s := m.Stats(); s.Idle != 0 || s.Memory != 0 || s.Discarded != 1 {
		t.Errorf("the pool is %+v", s)
	}
}

func TestInputLimit(t *testing.T) {
	ctx := context.Background()
	m := open(t, host.Options{Instances: 1, MaxInput: 10})
	for _, c := range []struct{ a, b int }{{11, 0}, {0, 11}, {6, 5}} {
		if _, err := m.Call(ctx, abi.SAMPParse, make([]byte, c.a), make([]byte, c.b)); codeOf(err) != abi.TooLarge {
			t.Errorf("%d and %d bytes: %v", c.a, c.b, err)
		}
	}
	if _, err := m.Call(ctx, abi.SAMPAlias, nil, []byte("0123456789")); err != nil {
		t.Error(err)
	}
}

// TestWaiting has every instance at work: a caller waits until its context
// ends, or until one is given back, or until Close.
func TestWaiting(t *testing.T) {
	ctx := context.Background()
	m := open(t, host.Options{Instances: 1})
	_, release, err := m.Take(ctx)
	if err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithCancel(ctx)
	canceled := make(chan error)
	go func() {
		_, err := m.Call(short, abi.Info, nil, nil)
		canceled <- err
	}()
	cancel()
	if err := <-canceled; !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who stopped waiting got %v", err)
	}

	waiting, closed := make(chan error), make(chan error)
	go func() {
		_, err := m.Call(ctx, abi.Info, nil, nil)
		waiting <- err
	}()
	go func() { closed <- m.Close() }()
	if err := <-waiting; codeOf(err) != abi.Closed {
		t.Errorf("a caller who waited for a closed module got %v", err)
	}
	select {
	case err := <-closed:
		t.Errorf("Close did not wait for the instance at work: %v", err)
	default:
	}
	release()
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if _, err := m.Call(ctx, abi.Info, nil, nil); codeOf(err) != abi.Closed {
		t.Errorf("a call after Close: %v", err)
	}
	if err := m.Close(); err != nil {
		t.Errorf("the second Close: %v", err)
	}
}

// TestBadModules are refused with a reason.
func TestBadModules(t *testing.T) {
	empty := []byte("\x00asm\x01\x00\x00\x00")
	foreign := append(bytes.Clone(empty), "\x01\x04\x01\x60\x00\x00\x02\x09\x01\x03env\x01f\x00\x00"...)
	for name, c := range map[string]struct {
		module  []byte
		options host.Options
		code    abi.Code
		want    string
	}{
		"nothing":           {nil, host.Options{}, abi.BadModule, "do not compile"},
		"no module":         {[]byte("#!/bin/sh\n"), host.Options{}, abi.BadModule, "do not compile"},
		"cut short":         {wasm.bytes[:len(wasm.bytes)/2], host.Options{}, abi.BadModule, "do not compile"},
		"without exports":   {empty, host.Options{}, abi.BadModule, "no function _initialize"},
		"foreign import":    {foreign, host.Options{}, abi.BadModule, "imports env.f"},
		"memory for nobody": {wasm.bytes, host.Options{MaxMemory: 64 << 10}, abi.BadModule, "do not compile"},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := host.Open(context.Background(), c.module, c.options)
			if m != nil || codeOf(err) != c.code || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want code %s and %q", err, c.code, c.want)
			}
		})
	}
}

// TestTooLittleMemory opens with less than the module's own data and start take.
// How far it comes depends on the size; it always says that it failed.
func TestTooLittleMemory(t *testing.T) {
	for size := int64(1 << 20); size <= 3<<20; size += 512 << 10 {
		_, err := host.Open(context.Background(), wasm.bytes, host.Options{MaxMemory: size, CacheDir: wasm.cache})
		if code := codeOf(err); code != abi.BadModule && code != abi.Trap {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// TestInitTwice shows that a second _initialize is seen as a trap.
func TestInitTwice(t *testing.T) {
	ctx := context.Background()
	in, release, err := open(t, host.Options{Instances: 1}).Take(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if err := in.Init(ctx); err == nil {
		t.Error("_initialize ran twice")
	}
}

// TestCacheDir holds compiled code where others could put theirs.
func TestCacheDir(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "private")
	m, err := host.Open(context.Background(), wasm.bytes, host.Options{CacheDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("the cache has mode %v", info.Mode())
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		t.Errorf("the cache is empty: %v", err)
	}

	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	bad := map[string]string{"a file": file}
	if runtime.GOOS != "windows" {
		link, wide := filepath.Join(t.TempDir(), "link"), t.TempDir()
		if err := os.Symlink(dir, link); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(wide, 0o755); err != nil {
			t.Fatal(err)
		}
		bad["a link"], bad["open to others"] = link, wide
	}
	for name, dir := range bad {
		t.Run(name, func(t *testing.T) {
			if _, err := host.Open(context.Background(), wasm.bytes, host.Options{CacheDir: dir}); err == nil || !strings.Contains(err.Error(), "compilation cache") {
				t.Errorf("got %v", err)
			}
		})
	}
}
