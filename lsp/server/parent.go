package server

import "time"

// parentEvery is how often it is checked whether the client's process runs.
const parentEvery = 10 * time.Second

// watchParent closes the connection when the client's process is gone, as LSP requires: a crashed
// client does not always close the stream. A process that does not exist at the start is in another
// container or on another machine and is not watched.
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
