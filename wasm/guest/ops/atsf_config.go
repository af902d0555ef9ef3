package ops

import "github.com/signalbox-dev/signalbox/core/atsf"

func atsfConfig(dst, a, b []byte) ([]byte, error) {
	if err := read(a); err != nil {
		return nil, err
	}
	c, err := atsf.ParseConfig(b)
	if err != nil {
		return nil, malformed(err)
	}
	e := encoder{buf: dst}
	e.open('{')
	e.agentConfig(&c)
	e.faults("secrets", atsf.Secrets(b))
	e.faults("faults", c.Faults)
	e.faults("notes", c.Notes)
	e.close('}')
	return e.buf, nil
}
