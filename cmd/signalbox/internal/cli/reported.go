package cli

import (
	"context"
	"encoding/json"
	"path/filepath"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/disk/statefile"
)

const (
	// maxReported is how many marks are remembered. With more the list starts over:
	// reporting something twice does no harm.
	maxReported = 1000
	// reportedTime is how long a command waits while another one saves marks.
	reportedTime = 200 * time.Millisecond
)

// reported is the file in the state folder with the problems that were reported. It may be deleted.
type reported struct {
	file  *statefile.File
	marks map[string]int64
}

// News returns the marks that were not reported before, and remembers them. A mark is
// the offset of the last fault found in a file, by the name of fault and file. If marks
// cannot be saved they are news each time.
func (o *Options) News(marks map[string]int64) map[string]bool {
	r := &reported{}
	r.file = statefile.At(statefile.Config{
		Path: filepath.Join(o.Env.StateDir(), "reported.json"), What: "what was reported", Limit: 1 << 20, Take: r.take,
	})
	_ = r.file.Look()
	news := make(map[string]bool)
	for name, at := range marks {
		if before, known := r.marks[name]; !known || before < at {
			news[name] = true
		}
	}
	if len(news) > 0 {
		ctx, cancel := context.WithTimeout(context.Background(), reportedTime)
		defer cancel()
		_ = r.file.Change(ctx, func(replace func([]byte) error) error { return r.add(marks, replace) })
	}
	return news
}

// take reads the file's content. Invalid content counts as no marks.
func (r *reported) take(data []byte) error {
	r.marks = nil
	_ = json.Unmarshal(data, &r.marks)
	return nil
}

func (r *reported) add(marks map[string]int64, replace func([]byte) error) error {
	all := r.marks
	if all == nil || len(all)+len(marks) > maxReported {
		all = make(map[string]int64)
	}
	for name, at := range marks {
		all[name] = max(all[name], at)
	}
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return replace(data)
}
