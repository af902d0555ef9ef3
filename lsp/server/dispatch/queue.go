package dispatch

import "sync"

// Limits of the waiting calls and their params. They slow down a client that sends
// faster than we work, instead of using more and more memory.
const (
	MaxQueued      = 256
	maxQueuedBytes = 64 << 20
)

// queue passes jobs in order from the reading goroutine to the worker. A job's
// params count against the limit until done is called after the job has run.
type queue struct {
	mu      sync.Mutex
	changed sync.Cond // signals a change of a field below
	jobs    []job     // guarded by mu
	bytes   int       // size of the params of waiting and running jobs; guarded by mu
	closed  bool      // guarded by mu
}

func newQueue() *queue {
	q := &queue{}
	q.changed.L = &q.mu
	return q
}

// push adds a job and waits for room if needed. A single job always fits an idle queue.
func (q *queue) push(j job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	size := len(j.params)
	for !q.closed && (len(q.jobs) >= MaxQueued || q.bytes > 0 && q.bytes+size > maxQueuedBytes) {
		q.changed.Wait()
	}
	if q.closed {
		return
	}
	q.jobs = append(q.jobs, j)
	q.bytes += size
	q.changed.Broadcast()
}

// pop waits for a job and returns the oldest. ok is false once the queue is closed.
func (q *queue) pop() (j job, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.jobs) == 0 && !q.closed {
		q.changed.Wait()
	}
	if q.closed {
		return job{}, false
	}
	j = q.jobs[0]
	q.jobs[0] = job{} // so that its params are not kept alive
	q.jobs = q.jobs[1:]
	q.changed.Broadcast()
	return j, true
}

// done frees the room of a job's params.
func (q *queue) done(j job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.bytes -= len(j.params)
	q.changed.Broadcast()
}

// close drops the waiting jobs and lets push and pop return.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.jobs = true, nil
	q.changed.Broadcast()
}
