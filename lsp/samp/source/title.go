package source

import (
	"cmp"
	"slices"

	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
)

// titles returns the titles of threads, by their names. A thread's name is made for programs.
// Its title is the beginning of its first message.
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

// matching returns the threads that match accepts, newest first, with their titles: at most
// limit threads by name, and any of the newest threads by name and title. more is set if there
// are other threads that match by name.
func matching(live *index.Live, match func(names ...string) bool, limit int) (list []index.Thread, titled map[string]string, more bool) {
	list, more = live.ThreadsNamed(func(name string) bool { return match(name) }, limit)
	newest, _ := live.List(index.Listing{Limit: batchSize})
	titled = titlesOf(live, append(slices.Clone(list), newest...))
	for i := range newest {
		t := &newest[i]
		if !match(t.Name) && match(t.Name, titled[t.Name]) {
			list = append(list, *t)
		}
	}
	slices.SortStableFunc(list, func(a, b index.Thread) int { return cmp.Compare(b.Last, a.Last) })
	return list, titled, more
}

// titlesRead is the largest number of threads whose titles are read to find a text. Reading
// 10,000 titles from the logs takes about a quarter of a second.
const titlesRead = 10_000

// finder finds threads with a text in their name, their title or a participant's name,
// ignoring case. The empty text is in every thread.
type finder struct {
	text needle.Needle
	left int // titles to read
}

func newFinder(text string) *finder { return &finder{needle.New(text), titlesRead} }

// in returns a function that reports whether the i-th thread of the list has the text.
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
	titled := titlesOf(live, others)
	return func(i int) bool { return has[i] || f.holds(titled[list[i].Name]) }
}

func (f *finder) holds(s string) bool { return f.text.In(s) }
