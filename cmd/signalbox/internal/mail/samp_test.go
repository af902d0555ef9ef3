package mail

import (
	"bufio"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
)

// zeros never ends.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestReadLine reads lines of any length, and passes over what is no record
// without holding it (rules R3 and R4).
func TestReadLine(t *testing.T) {
	long := `{"body": "` + strings.Repeat("x", 1<<20) + `"}` + "\n"
	in := bufio.NewReaderSize(io.MultiReader(
		strings.NewReader("{}\n"+long), io.LimitReader(zeros{}, 256<<20), strings.NewReader("\n{}"),
	), 64<<10)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var lines []string
	for {
		raw, err := readLine(in)
		if len(raw) == 0 && errors.Is(err, io.EOF) {
			break
		}
		lines = append(lines, string(raw))
	}
	runtime.ReadMemStats(&after)
	if len(lines) != 4 || lines[0] != "{}\n" || lines[1] != long || lines[2][0] != 0 || lines[3] != "{}" {
		t.Errorf("%d lines", len(lines))
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 32<<20 {
		t.Errorf("took %d MB", took>>20)
	}
}
