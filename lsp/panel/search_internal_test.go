package panel

import "testing"

// TestMergeKeepsTime holds that what is older than the place which a bounded search
// has come to waits for it.
func TestMergeKeepsTime(t *testing.T) {
	at := places{}
	one := Matches{Hits: []Match{{Time: 90, Place: SearchPlace{Time: 90}}}, More: true, Bounded: true, Until: 50, Next: SearchPlace{Time: 50}}
	two := Matches{Hits: []Match{{Time: 60, Place: SearchPlace{Time: 60}}, {Time: 40, Place: SearchPlace{Time: 40}}}}
	shown, more := merge([]searched{{"one", one}, {"two", two}}, at, 10)
	if len(shown) != 2 || shown[1].Time != 60 || !more || at["one"].Time != 50 || at["two"].Time != 60 {
		t.Fatalf("%+v %v %+v", shown, more, at)
	}
	one = Matches{Hits: []Match{{Time: 45, Place: SearchPlace{Time: 45}}}}
	two.Hits = two.Hits[1:]
	shown, more = merge([]searched{{"one", one}, {"two", two}}, at, 10)
	if len(shown) != 2 || more || !at["one"].Over || !at["two"].Over {
		t.Fatalf("%+v %v %+v", shown, more, at)
	}
}
