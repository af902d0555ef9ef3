package source

import (
	"cmp"
	"slices"

	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
)

// titles returns the titles of threads, by their names. A thread's name is made for
// programs: people call it by the words that its first message begins with.
func titles(live *index.Live, names ...string) map[string]string {
	list := make(map[string]string, len(names))
	for _, name := range names {
		list[name] = show.Title(name)
	}
	for _, m := range live.Openings(names...) {
		list[m.Thread] = titleOf(&m)
	}
	return list
}

// titlesOf returns the titles of listed threads, by their names.
func titlesOf(live *index.Live, threads []index.Thread) map[string]string {
	names := make([]string, len(threads))
	for i := range threads {
		names[i] = threads[i].Name
	}
	return titles(live, names...)
}

// titleOf returns the title of the thread that begins with a message.
func titleOf(opening *index.Message) string {
	if opening.Err != nil {
		return show.Title(opening.Thread)
	}
	return cmp.Or(show.Plain(opening.Body), show.Title(opening.Thread))
}

// called returns threads that go by a name, the freshest first, with their titles: at most
// limit whose name match accepts, and those of the newest that it accepts with their
// title. more is set if there are others of the name.
func called(live *index.Live, match func(names ...string) bool, limit int) (list []index.Thread, named map[string]string, more bool) {
	list, more = live.ThreadsNamed(func(name string) bool { return match(name) }, limit)
	newest, _ := live.List(index.Listing{Limit: lookedAtOnce})
	named = titlesOf(live, append(slices.Clone(list), newest...))
	for i := range newest {
		t := &newest[i]
		if !match(t.Name) && match(t.Name, named[t.Name]) {
			list = append(list, *t)
		}
	}
	slices.SortStableFunc(list, func(a, b index.Thread) int { return cmp.Compare(b.Last, a.Last) })
	return list, named, more
}

// titlesRead is the largest number of threads whose titles are read to find a text. Every
// title is in a log: 10,000 take about a quarter of a second.
const titlesRead = 10_000

// finder finds threads that have a text in their name, their title or a participant's
// name, in any case. The empty text is in every thread.
type finder struct {
	text needle.Needle
	left int // titles to read
}

func newFinder(text string) *finder { return &finder{needle.New(text), titlesRead} }

// in returns which of some threads have the text, by their places in the list.
func (f *finder) in(live *index.Live, list []index.Thread) func(i int) bool {
	if f.text.Empty() {
		return func(int) bool { return true }
	}
	has := make([]bool, len(list))
	var others []index.Thread
	for i := range list {
		t := &list[i]
		if has[i] = f.holds(t.Name) || slices.ContainsFunc(t.Participants, f.holds); !has[i] && len(others) < f.left {
			others = append(others, *t)
		}
	}
	f.left -= len(others)
	named := titlesOf(live, others)
	return func(i int) bool { return has[i] || f.holds(named[list[i].Name]) }
}

func (f *finder) holds(s string) bool { return f.text.In(s) }
