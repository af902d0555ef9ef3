package server

import "time"

// parentEvery is how often the client's process is looked for.
const parentEvery = 10 * time.Second

// watchParent closes the connection when the client's process is gone, as LSP
// asks: a crashed client does not always close the stream. A process that is
// not there from the start lives elsewhere (another container or machine) and
// is not watched.
func (s *session) watchParent(pid *int) {
	if pid == nil || *pid <= 0 || !s.Alive(*pid) {
		return
	}
	s.owned.Go(func() {
		for {
			select {
			case <-s.ctx.Done():
				return
			case <-time.After(parentEvery):
			}
			if !s.Alive(*pid) {
				s.Log.Warn("the client's process is gone", "pid", *pid)
				s.hangUp()
				return
			}
		}
	})
}
