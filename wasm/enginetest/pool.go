package enginetest

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
	"time"

	"github.com/signalbox-dev/signalbox/wasm/engine"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/guest/ops"
)

// codeOf returns the code of a *engine.Error, or "".
func codeOf(err error) abi.Code {
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return e.Code
	}
	return ""
}

// testGoroutines lets eight goroutines use a pool of three instances at once.
func (suite *Suite) testGoroutines(t *testing.T) {
	const callers, rounds = 8, 200
	m := suite.open(t, engine.Options{Instances: 3})
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

// testTrap makes a call that runs out of memory: it is an error, and the next call gets
// a new instance.
func (suite *Suite) testTrap(t *testing.T) {
	ctx := context.Background()
	m := suite.open(t, engine.Options{Instances: 1, MaxMemory: 16 << 20})
	_, err := m.Call(ctx, abi.SAMPCompact, nil, make([]byte, 30<<20))
	if codeOf(err) != abi.Trap || !strings.Contains(err.Error(), "out of memory") || errors.Unwrap(err) == nil {
		t.Fatalf("30 MB in an instance of 16 MB give %v", err)
	}
	if s := m.Stats(); s.Idle != 0 || s.Discarded != 1 {
		t.Errorf("after the trap the pool is %+v", s)
	}
	if _, err := m.Call(ctx, abi.SAMPAlias, nil, []byte("alice")); err != nil {
		t.Errorf("the next call: %v", err)
	}
	if s := m.Stats(); s.Idle != 1 || s.Created != 2 {
		t.Errorf("after the next call the pool is %+v", s)
	}
}

// testTimeout makes a call that takes longer than allowed: it is an error, and the next
// call gets a new instance.
func (suite *Suite) testTimeout(t *testing.T) {
	ctx := context.Background()
	m := suite.open(t, engine.Options{Instances: 1, Timeout: 500 * time.Millisecond})
	line := `{"ts":1,"from":"a","to":"b","thread":"t","body":"` + strings.Repeat("x", 1000) + "\"}\n"
	_, err := m.Call(ctx, abi.SAMPCompact, nil, []byte(strings.Repeat(line, 50_000)))
	if codeOf(err) != abi.Timeout || !errors.Is(err, engine.ErrTimeout) {
		t.Fatalf("50 MB in half a second give %v", err)
	}
	if s := m.Stats(); s.Idle != 0 || s.Discarded != 1 {
		t.Errorf("after the timeout the pool is %+v", s)
	}
	for range 3 {
		if _, err := m.Call(ctx, abi.SAMPAlias, nil, []byte("alice")); err != nil {
			t.Errorf("the next call: %v", err)
		}
	}
	if s := m.Stats(); s.Idle != 1 || s.Created != 2 {
		t.Errorf("after the next calls the pool is %+v", s)
	}
}

// testTrapInsideOp is testTrap with an input that fits into the memory, but an op that needs more.
func (suite *Suite) testTrapInsideOp(t *testing.T) {
	ctx := context.Background()
	m := suite.open(t, engine.Options{Instances: 1, MaxMemory: 24 << 20})
	line := `{"ts":1,"from":"a","to":"b","thread":"t","body":"` + strings.Repeat("x", 1000) + "\"}\n"
	_, err := m.Call(ctx, abi.SAMPCompact, nil, []byte(strings.Repeat(line, 10_000)))
	if codeOf(err) != abi.Trap {
		t.Fatalf("got %v", err)
	}
	if _, err := m.Call(ctx, abi.SAMPAlias, nil, []byte("alice")); err != nil {
		t.Errorf("the next call: %v", err)
	}
}

// testLargeInstanceIsReplaced checks that memory is released after a large call.
func (suite *Suite) testLargeInstanceIsReplaced(t *testing.T) {
	ctx := context.Background()
	m := suite.open(t, engine.Options{Instances: 1, KeepMemory: 32 << 20})
	if _, err := m.Call(ctx, abi.SAMPID, nil, make([]byte, 40<<20)); codeOf(err) != abi.Malformed {
		t.Fatal(err)
	}
	if s := m.Stats(); s.Idle != 0 || s.Memory != 0 || s.Discarded != 1 {
		t.Errorf("the pool is %+v", s)
	}
}

func (suite *Suite) testInputLimit(t *testing.T) {
	ctx := context.Background()
	m := suite.open(t, engine.Options{Instances: 1, MaxInput: 10})
	for _, c := range []struct{ a, b int }{{11, 0}, {0, 11}, {6, 5}} {
		if _, err := m.Call(ctx, abi.SAMPParse, make([]byte, c.a), make([]byte, c.b)); codeOf(err) != abi.TooLarge {
			t.Errorf("%d and %d bytes: %v", c.a, c.b, err)
		}
	}
	if _, err := m.Call(ctx, abi.SAMPAlias, nil, []byte("0123456789")); err != nil {
		t.Error(err)
	}
}

// testWaiting keeps every instance in use: a caller waits until its context ends, until
// an instance is free, or until Close.
func (suite *Suite) testWaiting(t *testing.T) {
	ctx := context.Background()
	m := suite.open(t, engine.Options{Instances: 1})
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

// testBadModules checks that bad modules are refused with a reason.
func (suite *Suite) testBadModules(t *testing.T) {
	empty := []byte("\x00asm\x01\x00\x00\x00")
	foreign := append(bytes.Clone(empty), "\x01\x04\x01\x60\x00\x00\x02\x09\x01\x03env\x01f\x00\x00"...)
	for name, c := range map[string]struct {
		module  []byte
		options engine.Options
		code    abi.Code
		want    string
	}{
		"nothing":         {nil, engine.Options{}, abi.BadModule, "do not compile"},
		"no module":       {[]byte("#!/bin/sh\n"), engine.Options{}, abi.BadModule, "do not compile"},
		"cut short":       {suite.Module[:len(suite.Module)/2], engine.Options{}, abi.BadModule, "do not compile"},
		"without exports": {empty, engine.Options{}, abi.BadModule, "no function _initialize"},
		"foreign import":  {foreign, engine.Options{}, abi.BadModule, "imports env.f"},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := suite.Open(context.Background(), c.module, c.options)
			if m != nil || codeOf(err) != c.code || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want code %s and %q", err, c.code, c.want)
			}
		})
	}
}

// testTooLittleMemory opens with less memory than the module needs to start. The size
// decides where that fails, but it is always an error.
func (suite *Suite) testTooLittleMemory(t *testing.T) {
	for _, size := range []int64{64 << 10, 1 << 20, 1536 << 10, 2 << 20, 2560 << 10, 3 << 20} {
		_, err := suite.Open(context.Background(), suite.Module, engine.Options{MaxMemory: size, CacheDir: suite.CacheDir})
		if code := codeOf(err); code != abi.BadModule && code != abi.Trap {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// testInitTwice checks that a second _initialize is a trap.
func (suite *Suite) testInitTwice(t *testing.T) {
	ctx := context.Background()
	in, release, err := suite.open(t, engine.Options{Instances: 1}).Take(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if err := in.Init(ctx); err == nil {
		t.Error("_initialize ran twice")
	}
}

// testCacheDir refuses a directory of compiled code that others could write to.
func (suite *Suite) testCacheDir(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "private")
	m, err := suite.Open(context.Background(), suite.Module, engine.Options{CacheDir: dir})
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
			if _, err := suite.Open(context.Background(), suite.Module, engine.Options{CacheDir: dir}); err == nil || !strings.Contains(err.Error(), "compilation cache") {
				t.Errorf("got %v", err)
			}
		})
	}
}
