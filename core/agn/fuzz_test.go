package agn_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// FuzzMessage holds that any bytes give a message or a fault, with offsets
// inside the text, and that a sound message can be written and read again.
func FuzzMessage(f *testing.F) {
	for _, folder := range []string{"amp-chain", "invalid", "spec-examples"} {
		for _, data := range fixtures(f, folder) {
			f.Add(data)
		}
	}
	f.Add([]byte(`{}`))
	f.Add([]byte(`{"payload":{},"type":"escalation","type":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		m, err := agn.ParseMessage(data)
		if !bytes.Equal(data, before) {
			t.Fatal("the input was changed")
		}
		if err != nil {
			if fault(t, err).Offset > len(data) {
				t.Fatal("a fault beyond the end")
			}
			return
		}
		if len(m.Faults) > agn.MaxFindings || len(m.Notes) > agn.MaxFindings || !bytes.Equal(m.Raw, data) {
			t.Fatal("too many findings, or other bytes")
		}
		for _, list := range [][]agn.Fault{m.Faults, m.Notes} {
			for _, f := range list {
				if f.Offset < 0 || f.Offset > len(data) || f.Rule == "" {
					t.Fatalf("%+v", f)
				}
			}
		}
		if len(m.Faults) > 0 {
			return
		}
		out, err := rebuild(&m)
		if err != nil {
			// What is only tolerated is not written: short ids, and years that no
			// id can hold.
			if rule := fault(t, err).Rule; rule != "C9" && rule != "E1" && rule != "E7" && rule != "E0" {
				t.Fatal(err)
			}
			return
		}
		back := parse(t, out)
		back.Payload.Raw, m.Payload.Raw = nil, nil
		if diff := cmp.Diff(m.Payload, back.Payload); diff != "" {
			t.Fatal(diff)
		}
	})
}
