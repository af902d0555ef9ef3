package atsf_test

import (
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// TestVersion reads versions that are accepted, refused or malformed.
func TestVersion(t *testing.T) {
	for _, c := range []struct {
		text, want, rule string
	}{
		{"1.0", "1.0", ""},
		{"1.1", "1.1", ""},
		{"1.2", "1.2", ""},
		{"1.10", "1.10", ""},
		{"1.99999999999", "1.999999999", ""},
		{"2.0", "", "V2"},
		{"2", "", "V2"},
		{"10.0", "", "V2"},
		{"2.x", "", "V2"},
		{"99999999999999999999.0", "", "V2"},
		{"", "", "V1"},
		{"1", "", "V1"},
		{"1.", "", "V1"},
		{"1.1.0", "", "V1"},
		{"v1.1", "", "V1"},
		{"01.1", "", "V1"},
		{"1.01", "", "V1"},
		{"0.9", "", "V1"},
		{" 1.1", "", "V1"},
		{"1.-1", "", "V1"},
		{"-2.0", "", "V1"},
		{"१.1", "", "V1"},
	} {
		t.Run("V1 V2 Z1/"+c.text, func(t *testing.T) {
			v, err := atsf.ParseVersion(c.text)
			if c.rule == "" {
				if err != nil || v.String() != c.want {
					t.Errorf("%v, %v", v, err)
				}
				return
			}
			if f := fault(t, err); f.Rule != c.rule || !strings.Contains(f.Reason, "specVersion") || v != (atsf.Version{}) {
				t.Errorf("%+v, %v", f, v)
			}
		})
	}
}

// TestVersionOfFiles applies the rule to both files, where a version may also be of another
// kind or occur twice.
func TestVersionOfFiles(t *testing.T) {
	for _, c := range []struct {
		name, member, rule string
		refused            bool
	}{
		{"higher", `"specVersion":"2.0"`, "V2", true},
		{"number that is higher", `"specVersion":2`, "V2", true},
		{"number beyond any", `"specVersion":1e999`, "V2", true},
		{"higher before lower", `"specVersion":"2.0","specVersion":"1.1"`, "V2", true},
		{"lower before higher", `"specVersion":"1.1","specVersion":"2.0"`, "V2", true},
		{"number", `"specVersion":1.1`, "V1", false},
		{"list", `"specVersion":["1.1"]`, "V1", false},
		{"malformed", `"specVersion":"one"`, "V1", false},
	} {
		t.Run("V2/"+c.name, func(t *testing.T) {
			th, err := atsf.ParseThread([]byte("{" + c.member + "}"))
			cf, errConfig := atsf.ParseConfig([]byte("{" + c.member + "}"))
			if c.refused {
				if fault(t, err).Rule != c.rule || fault(t, errConfig).Rule != c.rule {
					t.Errorf("%v, %v", err, errConfig)
				}
				return
			}
			if err != nil || errConfig != nil || th.Faults[0].Rule != c.rule || cf.Faults[0].Rule != c.rule || th.Version != (atsf.Version{}) {
				t.Errorf("%v, %v, %+v, %+v", err, errConfig, th.Faults, cf.Faults)
			}
		})
		t.Run("V2 edit/"+c.name, func(t *testing.T) {
			if _, err := atsf.Edit([]byte("{"+c.member+"}"), atsf.SetTitle("x")); fault(t, err).Rule != c.rule {
				t.Errorf("%v", err)
			}
		})
	}
}
