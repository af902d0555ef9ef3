package amp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	ampsource "github.com/signalbox-dev/signalbox/lsp/amp/source"
)

// TestSavedNames (AMP ATT-10): each file of a message has a name of its own, which is
// no longer than a name may be.
func TestSavedNames(t *testing.T) {
	long := strings.Repeat("x", 255)
	for name, c := range map[string]struct{ names, want []string }{
		"others":            {[]string{"a.txt", "b.txt"}, []string{"a.txt", "b.txt"}},
		"three of one":      {[]string{"a.txt", "a.txt", "a.txt"}, []string{"a.txt", "a-2.txt", "a-3.txt"}},
		"in another case":   {[]string{"a.txt", "A.TXT"}, []string{"a.txt", "A-2.TXT"}},
		"one that is there": {[]string{"a.txt", "a.txt", "a-2.txt"}, []string{"a.txt", "a-3.txt", "a-2.txt"}},
		"no extension":      {[]string{"README", "README"}, []string{"README", "README-2"}},
		"two extensions":    {[]string{"a.tar.gz", "a.tar.gz"}, []string{"a.tar.gz", "a.tar-2.gz"}},
		"not safe":          {[]string{"", ""}, []string{"", ""}},
		"long":              {[]string{long, long}, []string{long, long[:253] + "-2"}},
		"long, extension":   {[]string{long[:251] + ".txt", long[:251] + ".txt"}, []string{long[:251] + ".txt", long[:249] + "-2.txt"}},
		"all extension":     {[]string{"a." + long[:253], "a." + long[:253]}, []string{"a." + long[:253], "a." + long[:251] + "-2"}},
	} {
		t.Run(name, func(t *testing.T) {
			files := make([]ampsource.Attached, len(c.names))
			for i := range files {
				files[i].Name = c.names[i]
			}
			if diff := cmp.Diff(c.want, savedNames(files)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
