package turns

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/query"
	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// talk is a conversation whose messages have these times, the newest first. It claims to be
// long.
type talk struct {
	number int
	times  []int64
	size   int64
	read   func(ctx context.Context)
}

func (c *talk) Head() panel.Head {
	return panel.Head{At: panel.AtMillis(c.times[0]), Name: fmt.Sprintf("talk%03d", c.number)}
}

func (c *talk) Ref() panel.Ref { return panel.Ref{Protocol: mail.Session, ID: c.Head().Name} }

func (c *talk) Line(cursor string) panel.Ref   { return panel.Ref{Protocol: mail.Session, ID: cursor} }
func (c *talk) Group() string                  { return "" }
func (c *talk) Title() string                  { return "a talk" }
func (c *talk) Size() int64                    { return c.size }
func (c *talk) Names() []string                { return []string{c.Head().Name} }
func (c *talk) Places() []string               { return nil }
func (c *talk) Clients() []string              { return nil }
func (c *talk) Folder() string                 { return "" }
func (c *talk) Speaker(*atsf.Message) []string { return []string{"Claude"} }
func (c *talk) Read(ctx context.Context, _, _ int64, _ []needle.Needle, found func(*atsfstore.Hit) bool) (next, read int64, err error) {
	c.read(ctx)
	for i, at := range c.times {
		m := atsf.Message{Content: []atsf.Block{{Type: atsf.TypeText, Text: "the zebra"}}}
		m.Time.Millis, m.Time.OK = at, true
		found(&atsfstore.Hit{Offset: int64(100 - i), Cursor: fmt.Sprint(c.number, ":", i), Message: m})
	}
	return -1, c.size, ctx.Err()
}

// talks returns conversations that overlap in time.
func talks(count int, size int64, read func(context.Context)) (list []Conversation) {
	for n := range count {
		newest := int64(1_000_000 - n*100)
		list = append(list, &talk{n, []int64{newest, newest - 90, newest - 250}, size, read})
	}
	return list
}

// TestFollow holds that what is certain while a search runs is how the page begins, that it
// comes before everything is read, and that no limit of work ends the search.
func TestFollow(t *testing.T) {
	for _, size := range []int64{1 << 20, 5 << 20, 100 << 20} {
		var reads, first atomic.Int64
		q := query.Parse("zebra", query.Calendar{})
		h := &Search{Conversations: talks(200, size, func(context.Context) { reads.Add(1) }), Query: &q, Limit: 1000, Budget: 1, Gone: never}
		var certain []panel.SearchPlace
		out, err := h.Panel("x").Follow(t.Context(), nil, func(m panel.Matches) {
			var now []panel.SearchPlace
			for _, hit := range m.Hits {
				if hit.Time >= m.Until {
					now = append(now, hit.Place)
				}
			}
			if len(now) < len(certain) || !slices.Equal(now[:len(certain)], certain) {
				t.Fatalf("%v, and then %v", certain, now)
			}
			certain = now
			first.CompareAndSwap(0, reads.Load())
		})
		if err != nil || out.Bounded || out.More || len(out.Hits) != 600 || first.Load() >= 10 || len(certain) < 400 {
			t.Fatalf("%d MB: %d hits, %d certain, first after %d reads: %v", size>>20, len(out.Hits), len(certain), first.Load(), err)
		}
		for i, place := range certain {
			if out.Hits[i].Place != place {
				t.Fatalf("hit %d is %+v and was %+v", i, out.Hits[i].Place, place)
			}
		}
	}
}

// TestFollowEnds holds that a search that is cancelled reads nothing more, and leaves no
// goroutine behind.
func TestFollowEnds(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, size := range []int64{1 << 10, 100 << 20} {
		ctx, cancel := context.WithCancel(t.Context())
		var reads atomic.Int64
		q := query.Parse("zebra", query.Calendar{})
		h := &Search{Conversations: talks(2000, size, func(ctx context.Context) {
			if reads.Add(1) == 20 {
				cancel()
			}
			if reads.Load() > 20 {
				<-ctx.Done()
			}
		}), Query: &q, Limit: 10_000, Gone: never}
		if _, err := h.Panel("x").Follow(ctx, nil, func(panel.Matches) {}); !errors.Is(err, context.Canceled) || reads.Load() > 100 {
			t.Errorf("%d reads: %v", reads.Load(), err)
		}
	}
}

func never(error) bool { return false }
