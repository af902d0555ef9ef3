package atsf

import (
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Version is a file's specVersion, MAJOR.MINOR (Spec Versioning, rule V1). The zero
// Version means that it is missing or malformed.
type Version struct{ Major, Minor int }

// String returns the version as files spell it.
func (v Version) String() string { return strconv.Itoa(v.Major) + "." + strconv.Itoa(v.Minor) }

// major is the major version that this package reads: any 1.x (rules V2 and Z1).
const major = 1

// ParseVersion reads a specVersion. It returns a *[canon.Fault] of rule V2 for a major version
// higher than 1, even if the rest is malformed, and of V1 for anything else that is not "1."
// and a number.
func ParseVersion(s string) (Version, error) {
	v, fault := readVersion(s)
	if fault != nil {
		return Version{}, fault
	}
	return v, nil
}

func readVersion(s string) (Version, *canon.Fault) {
	head, tail, dotted := strings.Cut(s, ".")
	first, ok := digits(head)
	if ok && first > major {
		return Version{}, laterMajor(quote(s))
	}
	second, okMinor := digits(tail)
	if !ok || !dotted || !okMinor || first != major {
		return Version{}, &canon.Fault{Rule: "V1", Field: "specVersion", Reason: "specVersion " + quote(s) + " is not of the form 1.x"}
	}
	return Version{first, second}, nil
}

func laterMajor(version string) *canon.Fault {
	return &canon.Fault{Rule: "V2", Field: "specVersion", Reason: "specVersion " + version + " is of a later major version, and only 1.x can be read"}
}

// digits reads a decimal number without sign or leading zero. A number too large for an
// int becomes 999999999, which is still a later version.
func digits(s string) (int, bool) {
	if s == "" || len(s) > 1 && s[0] == '0' {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
	}
	if len(s) > 9 {
		return 999_999_999, true
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// versionOf reads the member specVersion. It lists a malformed version, and sets refused for a
// version that must be refused. If a file has two versions, one of them is enough.
func versionOf(m *canon.Member, refused **canon.Fault) Version {
	switch m.Kind {
	case canon.String:
		v, bad := readVersion(m.Text())
		if bad != nil && bad.Rule == "V2" {
			bad.Offset = m.Offset
			*refused = bad
		} else if bad != nil {
			m.FaultOf("V1", bad.Reason)
		}
		return v
	case canon.Number:
		// A number is malformed, but may still be a later major version.
		if x, err := strconv.ParseFloat(string(m.Raw), 64); err == nil && x < major+1 {
			m.FaultOf("V1", "specVersion is a number, not a string")
			break
		}
		*refused = laterMajor(clip(string(m.Raw)))
		(*refused).Offset = m.Offset
	default:
		m.FaultOf("V1", "specVersion is "+m.Kind.Phrase()+", not a string")
	}
	return Version{}
}
