package link

import (
	"encoding/base64"
	"errors"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// FuzzCursors holds that a cursor of a client's own making is refused as malformed or
// read, and never more than that.
func FuzzCursors(f *testing.F) {
	for _, s := range []string{
		"", "nonsense", "e30", "bnVsbA", "W10",
		base64.RawURLEncoding.EncodeToString([]byte(`{"t":1777000000000,"n":"../../x","s":"\u202e"}`)),
		base64.RawURLEncoding.EncodeToString([]byte(`{"a":{"After":"x"},"b":null}`)),
		base64.RawURLEncoding.EncodeToString([]byte(`{"Format":99999999999999999999}`)),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		_, err := panel.ParseOpaque[referenceCursor](s)
		var kind *panel.Error
		if err != nil && (!errors.As(err, &kind) || kind.Kind != panel.Malformed) {
			t.Fatalf("%q: %v", s, err)
		}
	})
}
