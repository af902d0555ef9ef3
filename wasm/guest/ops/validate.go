package ops

import (
	"bytes"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// sampValidate checks a log (rule C3).
func sampValidate(c *call) error {
	var stem string
	var found findings
	if err := c.read(logFile(&stem), found.limited()); err != nil {
		return err
	}
	var number int
	var lines, malformed int64
	var forms [samp.FormWrong + 1]int64
	var line []byte // Inspect overwrites its line
	samp.Lines(c.b, func(offset int, raw []byte) {
		if number++; len(bytes.TrimSpace(raw)) == 0 {
			return
		}
		lines++
		line = append(line[:0], raw...)
		in := samp.Inspect(line, stem)
		if in.Malformed {
			malformed++
		} else {
			forms[in.Form]++
		}
		found.addAll("", number, offset, in.Findings)
	})
	c.Number("lines", lines)
	c.Number("malformed", malformed)
	c.Bool("torn", len(c.b) > 0 && c.b[len(c.b)-1] != '\n')
	c.Open("forms", '{')
	for form, n := range forms {
		c.Number(samp.Form(form).String(), n)
	}
	c.Close('}')
	c.findings(&found)
	return nil
}
