package cli

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/spf13/cobra"
)

const (
	// maxOffers is the largest number of words that a shell is offered.
	maxOffers = 100
	// maxAbout is the longest description of a word, in characters.
	maxAbout = 60
	// offerTime is how long completion may take, since the shell waits for it.
	offerTime = time.Second
)

// Offers collects completions of a word on a command line.
type Offers struct {
	// Prefix is the beginning of the word, as the user typed it.
	Prefix string
	given  []string
	list   []cobra.Completion
	known  map[string]bool
}

// offered returns the pattern of words that may be offered. Names come from others, and to
// a shell other characters, or a leading hyphen, may be more than a name.
var offered = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\pL\pN_.@/+][\pL\pN_.@/+:,-]*$`) })

// Add offers a word with a description, which a shell shows beside it. A word without the
// prefix, or one that was already given, is left out.
func (f *Offers) Add(word, about string) {
	if f.Full() || !strings.HasPrefix(word, f.Prefix) || len(word) > MaxName || f.known[word] ||
		slices.Contains(f.given, word) || render.Text(word) != word || !offered().MatchString(word) {
		return
	}
	f.known[word] = true
	if about, _ = render.Line(about, maxAbout); about != "" {
		word = cobra.CompletionWithDesc(word, about)
	}
	f.list = append(f.list, word)
}

// Full reports whether there are enough words.
func (f *Offers) Full() bool { return len(f.list) >= maxOffers }

// Completing returns a function that completes the first most arguments of a command, or all if
// most is negative. find adds words, likeliest first. It writes nothing and ignores errors.
func Completing(most int, find func(ctx context.Context, f *Offers)) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		f := &Offers{Prefix: prefix, given: args, known: make(map[string]bool)}
		if most < 0 || len(args) < most {
			ctx, cancel := context.WithTimeout(cmd.Context(), offerTime)
			defer cancel()
			find(ctx, f)
		}
		return f.list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

// CompleteFlag sets the function that completes the values of a flag.
func CompleteFlag(cmd *cobra.Command, flag string, find func(ctx context.Context, f *Offers)) {
	complete := Completing(-1, find)
	_ = cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, _ []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return complete(cmd, nil, prefix)
	})
}

// OfferAliases offers the names of agents and worktrees, with what they are doing, and the
// aliases in the message directory.
func (o *Options) OfferAliases(ctx context.Context, f *Offers) {
	others, _ := o.Box().Others(ctx)
	for _, p := range others {
		if p.Reach != "" {
			f.Add(p.Alias, p.About)
		}
	}
	d, err := o.Box().Open()
	if err != nil {
		return
	}
	defer d.Close()
	names, _ := d.Aliases()
	for _, name := range names {
		f.Add(name, "")
	}
}

// CompleteFolders completes folders.
func CompleteFolders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// Complete sets the words that complete a flag.
func Complete(cmd *cobra.Command, flag string, words ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}
