package cli

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/spf13/cobra"
)

// PageRows is how many rows a list shows on a terminal by default. A pipe gets all rows.
const PageRows = 50

// Filter holds the flags that narrow a list.
type Filter struct {
	// Always is the default limit of a list that is limited even in a pipe.
	Always int

	limit   int
	limited bool
	// values are the values of the flags, by name.
	values map[string]*string
	// Query is what the flags ask for, set by Read. Text is the same in the words of a search.
	Query query.Query
	Text  string
}

func filterFlags() map[string]string {
	return map[string]string{
		"from":   "only from a `name` that contains this",
		"thread": "only of a `thread` whose name, title or id contains this",
		"since":  "not before a `day`, such as 2026-04-25, or how long ago, such as 3d or 2h",
		"until":  "not after a `day`, or how long ago",
	}
}

// Register adds the flag --limit and the named filter flags.
func (f *Filter) Register(cmd *cobra.Command, names ...string) {
	f.Narrow(cmd, names...)
	if f.Always > 0 {
		cmd.Flags().IntVar(&f.limit, "limit", f.Always, "at most `n`, 0 for all")
		return
	}
	cmd.Flags().IntVar(&f.limit, "limit", 0, fmt.Sprintf("at most `n`, 0 for all (default: %d on a terminal, else all)", PageRows))
}

// Narrow adds the named filter flags.
func (f *Filter) Narrow(cmd *cobra.Command, names ...string) {
	f.values = make(map[string]*string)
	for _, name := range names {
		f.values[name] = cmd.Flags().String(name, "", filterFlags()[name])
	}
}

// Read reads the flags of a command. On a screen it sets the default limit.
func (f *Filter) Read(o *Options, cmd *cobra.Command) error {
	f.limited = cmd.Flags().Changed("limit")
	switch {
	case f.limit < 0:
		return Usage(fmt.Errorf("--limit is %d, and must not be negative", f.limit))
	case !f.limited && f.Always == 0 && o.OnScreen():
		f.limit = PageRows
	}
	var terms []string
	for _, kind := range []struct{ flag, term string }{{"from", "from:"}, {"thread", "thread:"}, {"since", "-before:"}, {"until", "-after:"}} {
		value := f.values[kind.flag]
		if value == nil || *value == "" {
			continue
		}
		list, err := termsOf(kind.term, *value)
		if err != nil {
			return Usage(fmt.Errorf("--%s is %q, and %w", kind.flag, *value, err))
		}
		q := query.Parse(strings.Join(list, " "), show.Calendar(o.Now()))
		if len(q.Problems) > 0 {
			reason := strings.TrimPrefix(q.Problems[0].Message, strings.TrimPrefix(kind.term, "-")+" ")
			return Usage(fmt.Errorf("--%s is %q: %s", kind.flag, *value, reason))
		}
		f.Query.Terms = append(f.Query.Terms, q.Terms...)
		terms = append(terms, list...)
	}
	f.Text = strings.Join(terms, " ")
	return nil
}

// termsOf returns a value as search terms. A value in quotes must match the whole name;
// otherwise each word matches a part of it.
func termsOf(term, value string) (list []string, err error) {
	if inner, whole := strings.CutPrefix(value, `"`); whole && strings.HasSuffix(inner, `"`) && strings.Count(value, `"`) == 2 {
		return []string{term + value}, nil
	}
	if strings.Contains(value, `"`) {
		return nil, errors.New(`may only be in quotes as a whole, for the whole name`)
	}
	for word := range strings.FieldsSeq(value) {
		list = append(list, term+word)
	}
	if len(list) == 0 {
		return nil, errors.New("must not be blank")
	}
	return list, nil
}

// Narrows reports whether the flags filter anything, apart from --limit.
func (f *Filter) Narrows() bool { return len(f.Query.Terms) > 0 }

// Given reports whether --limit was given.
func (f *Filter) Given() bool { return f.limited }

// Limit returns how many rows to show at most, or 0 for all.
func (f *Filter) Limit() int { return f.limit }

// Most returns how many of the given rows to show.
func (f *Filter) Most(rows int) int {
	if f.limit == 0 {
		return rows
	}
	return min(f.limit, rows)
}

// More writes at the end of a list on a screen that there are more rows, and how to see them.
func (f *Filter) More(o *Options, w *bufio.Writer, shown, total int, what string) {
	if shown < total && o.OnScreen() {
		text := fmt.Sprintf("%d of %s: --limit N shows more, --limit 0 all", shown, Plural(total, what))
		w.WriteString(o.Paint().In(Dim, text) + "\n")
	}
}
