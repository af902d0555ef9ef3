package dispatch

import (
	"encoding/json"
	"testing"
	"testing/synctest"
)

// TestQueueBounds: a client that sends faster than we work has to wait.
func TestQueueBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue()
		big := job{params: make(json.RawMessage, maxQueuedBytes)}
		q.push(big)
		pushed := make(chan string, 2)
		go func() {
			q.push(job{method: "second", params: json.RawMessage("x")})
			pushed <- "second"
		}()
		synctest.Wait()
		if len(pushed) != 0 {
			t.Fatal("a job fitted into a full queue")
		}
		j, _ := q.pop()
		synctest.Wait()
		if len(pushed) != 0 {
			t.Fatal("params that are being worked on were not counted")
		}
		q.done(j)
		synctest.Wait()
		if len(pushed) != 1 {
			t.Fatal("no room after the work was done")
		}
		for range MaxQueued - 1 {
			q.push(job{})
		}
		go func() {
			q.push(job{})
			pushed <- "over"
		}()
		synctest.Wait()
		if len(pushed) != 1 {
			t.Fatal("more jobs than the limit")
		}
		q.close()
		synctest.Wait()
		if _, ok := q.pop(); ok || len(pushed) != 2 {
			t.Error("close does not end push and pop")
		}
	})
}
