package panel_test

import (
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// TestTakesPart says who may see a thread whole.
func TestTakesPart(t *testing.T) {
	coder := panel.Reader{"coder"}
	for name, c := range map[string]struct {
		thread []panel.Route
		want   bool
	}{
		"nothing":                        {nil, false},
		"of others":                      {[]panel.Route{{"al", "dev"}, {"dev", "al"}}, false},
		"began it":                       {[]panel.Route{{"coder", "dev"}, {"dev", "al"}}, true},
		"was written to first":           {[]panel.Route{{"dev", "coder"}}, true},
		"was written to later":           {[]panel.Route{{"al", "dev"}, {"dev", "coder"}}, true},
		"wrote into it":                  {[]panel.Route{{"al", "dev"}, {"coder", "dev"}}, false},
		"wrote into it, to itself":       {[]panel.Route{{"al", "dev"}, {"coder", "coder"}}, false},
		"another wrote into it, to it":   {[]panel.Route{{"al", "dev"}, {"mallory", "coder"}}, false},
		"two wrote into it, to it":       {[]panel.Route{{"al", "dev"}, {"mallory", "eve"}, {"eve", "coder"}}, false},
		"through one who was written to": {[]panel.Route{{"al", "dev"}, {"dev", "planner"}, {"planner", "coder"}}, true},
		"in an address":                  {[]panel.Route{{"al@x.example", "coder@x.example"}}, true},
		"in an address of another case":  {[]panel.Route{{"Al@x.example", "dev@x.example"}, {"al@X.example", "CODER@x.example"}}, true},
		"another of a similar name":      {[]panel.Route{{"al", "coder2"}, {"Coder", "al"}}, false},
	} {
		if got := coder.TakesPart(c.thread); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
		if !panel.Reader(nil).TakesPart(c.thread) {
			t.Errorf("%s: the person does not see it", name)
		}
	}
	for m, want := range map[panel.Route]bool{
		{"al", "dev"}: false, {"al", "coder"}: true, {"coder", "dev"}: true, {"al", "all"}: true, {"al", "coder@x"}: true, {"al@x", "Coder@x"}: true, {"al", "Coder"}: false, {"al", "coder2@x"}: false, {"al", ""}: false,
	} {
		if upper := (panel.Reader{"Coder"}); strings.Contains(m.To, "@") && upper.Sees(m) != want {
			t.Errorf("%v: want %v of Coder, too", m, want)
		}
		if coder.Sees(m) != want || !panel.Reader(nil).Sees(m) {
			t.Errorf("%v: want %v", m, want)
		}
	}
}
