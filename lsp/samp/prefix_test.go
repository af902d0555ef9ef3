package samp

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/names"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// TestPrefixes compares the lengths with a comparison of every two ids. The records' ids
// are at their beginning, are elsewhere, are escaped, are missing, begin other ids, or aren't
// hexadecimal numbers.
func TestPrefixes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var ids []string
	var log strings.Builder
	for i := range 4000 {
		rest := fmt.Sprintf(`"ts": %d, "from": "alice", "to": "bob", "thread": "t", "body": ""}`+"\n", i)
		id := fmt.Sprintf("%016x", rng.Uint64())
		switch i % 7 {
		case 0:
			fmt.Fprintf(&log, `{"id":%q,%s`, id, rest)
		case 1:
			fmt.Fprintf(&log, `{"other": 1, "id":%q,%s`, id, rest)
		case 2:
			fmt.Fprintf(&log, `{"id": "\u%04x%s", %s`, id[0], id[1:], rest)
		case 3:
			r := samp.Record{TS: int64(i), From: "alice", To: "bob", Thread: "t"}
			id = samp.ID(&r, samp.V1)
			log.WriteString("{" + rest)
		case 4:
			id = ids[i-1][:1+rng.IntN(15)] + "é"
			fmt.Fprintf(&log, `{"id": "%s", %s`, id, rest)
		default:
			fmt.Fprintf(&log, `{"id": %q, %s`, id, rest)
		}
		ids = append(ids, id)
	}
	log.WriteString(`{"id": "` + ids[0][:15] + "\n") // a line that is no record
	d := storeOf(t, map[string]string{"log-alice.jsonl": log.String()})
	asked := append(ids[:50:50], ids[7])
	got, err := d.Prefixes(t.Context(), samp.V1, asked)
	if err != nil {
		t.Fatal(err)
	}
	for i, id := range asked {
		want := 0
		for _, other := range ids {
			if other != id {
				want = max(want, names.Common(id, other))
			}
		}
		if want = min(want+1, len(id)); got[i] != want {
			t.Errorf("%q: %d, want %d", id, got[i], want)
		}
	}
}
