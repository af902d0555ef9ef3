package source

import (
	"context"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/lsp/atsf/turns"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	sessionstore "github.com/signalbox-dev/signalbox/lsp/session"
)

// reuseFor is how long the sessions of the whole machine are reused, while someone is typing a
// search text.
const reuseFor = 5 * time.Second

// Everywhere returns the sessions of all repositories that contain a text. It does not run
// git.
func (v *view) Everywhere(ctx context.Context, text string) (list []panel.ThreadItem, groups []panel.Group, err error) {
	if !v.open {
		return nil, nil, nil
	}
	if v.elsewhere, err = v.source.everything(ctx); err != nil {
		return nil, nil, err
	}
	word, places := needle.New(text), make(map[string]string)
	for i := range v.elsewhere.Checkouts {
		f := &v.elsewhere.Checkouts[i]
		places[f.ID] = f.Path + "\n" + f.Branch
		groups = append(groups, turns.Worktree(f))
	}
	for _, it := range v.elsewhere.Items {
		c := v.Of(it)
		if !c.Nested() && (word.Empty() || slices.ContainsFunc(append(c.Texts(), places[it.Checkout]), word.In)) {
			list = append(list, c.Item())
		}
	}
	return list, groups, nil
}

// everything returns the sessions of all repositories, or the result of a moment ago.
func (s *source) everything(ctx context.Context) (*sessionstore.Snapshot, error) {
	s.asking.Lock()
	defer s.asking.Unlock()
	now := s.host.Options.Now()
	s.mu.Lock()
	found, asked, env := s.elsewhere, s.asked, s.env
	s.mu.Unlock()
	if found != nil && now.Sub(asked).Abs() < reuseFor {
		return found, nil
	}
	found, err := sessionstore.Scan(ctx, sessionstore.Config{Env: env, All: true, Logger: s.host.Options.Log})
	if err != nil {
		return nil, failures.Failure(err, "sessions")
	}
	open := s.Live() != nil // before taking the lock, since Live takes its own
	s.mu.Lock()
	defer s.mu.Unlock()
	if open {
		s.elsewhere, s.asked = found, now
	}
	return found, nil
}
