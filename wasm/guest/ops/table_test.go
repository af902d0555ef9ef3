package ops

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// good is a call that has a result, of which want is a part if partial is set.
type good struct {
	name    string
	op      abi.Op
	a, b    string
	want    string
	partial bool
}

func results(t *testing.T, calls []good) {
	t.Helper()
	for _, c := range calls {
		t.Run(c.name, func(t *testing.T) {
			result, ok := Call(nil, c.op, []byte(c.a), []byte(c.b))
			if got := string(result); !ok || got != c.want && !(c.partial && strings.Contains(got, c.want)) {
				t.Errorf("got %v\n%s\nwant\n%s", ok, got, c.want)
			}
		})
	}
}

// failing is a call that fails, with the code and rule of its error.
type failing struct {
	name string
	op   abi.Op
	a, b string
	code abi.Code
	rule string
}

// secret is part of every key, and no error may quote it.
const secret = "AAAA"

func failures(t *testing.T, calls []failing) {
	t.Helper()
	for _, c := range calls {
		t.Run(c.name, func(t *testing.T) {
			result, ok := Call(nil, c.op, []byte(c.a), []byte(c.b))
			var e struct {
				Code          abi.Code
				Rule, Message string
			}
			if err := json.Unmarshal(result, &e); err != nil || ok || e.Code != c.code || e.Rule != c.rule || e.Message == "" || strings.Contains(e.Message, secret) {
				t.Errorf("got %v %.600s, want code %s and rule %q", ok, result, c.code, c.rule)
			}
		})
	}
}
