package dispatch

import "sync"

// Limits of what waits or runs at once, so that a client that sends faster than
// we work is slowed down and not stored.
const (
	MaxQueued      = 256
	maxQueuedBytes = 64 << 20
)

// queue hands jobs from the goroutine that reads the connection to the one that
// works on them, in order. A job's params count until done is called for them,
// which is when the job has run.
type queue struct {
	mu     sync.Mutex
	moved  sync.Cond // something below changed
	jobs   []job     // guarded by mu
	bytes  int       // of jobs and of jobs taken but not done; guarded by mu
	closed bool      // guarded by mu
}

func newQueue() *queue {
	q := &queue{}
	q.moved.L = &q.mu
	return q
}

// push adds a job, waiting for room. A single job always fits an idle queue.
func (q *queue) push(j job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	size := len(j.params)
	for !q.closed && (len(q.jobs) >= MaxQueued || q.bytes > 0 && q.bytes+size > maxQueuedBytes) {
		q.moved.Wait()
	}
	if q.closed {
		return
	}
	q.jobs = append(q.jobs, j)
	q.bytes += size
	q.moved.Broadcast()
}

// pop takes the oldest job, waiting for one. It is false once the queue is closed.
func (q *queue) pop() (job, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.jobs) == 0 && !q.closed {
		q.moved.Wait()
	}
	if q.closed {
		return job{}, false
	}
	j := q.jobs[0]
	q.jobs[0] = job{} // so that its params are not kept alive
	q.jobs = q.jobs[1:]
	q.moved.Broadcast()
	return j, true
}

// done frees the room of a job's params.
func (q *queue) done(j job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.bytes -= len(j.params)
	q.moved.Broadcast()
}

// close drops what waits and lets push and pop return.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.jobs = true, nil
	q.moved.Broadcast()
}
