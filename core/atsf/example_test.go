package atsf_test

import (
	"fmt"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// A title is changed and nothing else, whatever other tools keep in the file.
func ExampleEdit() {
	file := []byte(`{"specVersion": "1.2", "title": "old", "x_future": 1.50}`)
	out, err := atsf.Edit(file, atsf.SetTitle("new"))
	fmt.Println(string(out), err)
	// Output: {"specVersion": "1.2", "title": "new", "x_future": 1.50} <nil>
}

// The last line is still being written: reading ends before it.
func ExampleReadLog() {
	log := atsf.ReadLog([]byte(`{"id":"1","role":"user","timestamp":"2025-02-14T10:30:00Z","content":[{"type":"text","text":"Hello"}]}
not a message
{"id":"2","ro`), 0)
	for _, e := range log.Entries {
		if e.Fault != nil {
			fmt.Println(e.Number, e.Fault.Rule)
			continue
		}
		fmt.Println(e.Number, e.Message.Role, e.Message.Content[0].Text)
	}
	fmt.Println(log.Torn)
	// Output:
	// 1 user Hello
	// 2 M1
	// true
}
