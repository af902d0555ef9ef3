package main

import (
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// figures are what some runs took.
type figures struct {
	median, best time.Duration
	peak         int64
}

// figuresOf leaves out the first run, which warms.
func figuresOf(list []sample) (f figures) {
	if len(list) < 2 {
		return f
	}
	var times []time.Duration
	for _, s := range list[1:] {
		times = append(times, s.took)
		f.peak = max(f.peak, s.peak)
	}
	slices.Sort(times)
	f.median, f.best = times[len(times)/2], times[0]
	return f
}

// slow is what runs only fewTimes.
const (
	slow     = 2 * time.Second
	fewTimes = 3
)

// take runs ours and all others in turns: once to warm what can be warm, then as often as
// it is told.
func (r *row) take(runs int) (ours figures, others []figures, err error) {
	all := []measure{r.ours}
	for _, p := range r.beside {
		all = append(all, p.run)
	}
	got := make([][]sample, len(all))
	for i := range runs + 1 {
		for k, m := range all {
			if m == nil || i > fewTimes && got[k][0].took > slow {
				continue
			}
			s, err := m()
			if err != nil {
				return ours, nil, fmt.Errorf("%s: %w", r.what, err)
			}
			got[k] = append(got[k], s)
		}
	}
	for _, list := range got {
		others = append(others, figuresOf(list))
	}
	return others[0], others[1:], nil
}

const head = `| whole process | times as long | took | beside it | peak memory | target | |
|---|---|---|---|---|---|---|
`

// lines are the row as Markdown: one for ours, with the first of the others, and one for
// each further one.
func (r *row) lines(ours figures, others []figures) string {
	var b strings.Builder
	for i := range max(1, len(others)) {
		var v verdict
		what, took, memory := "", "", ""
		if i == 0 {
			what, took, memory = r.what, milliseconds(ours), fmt.Sprintf("%d MB", ours.peak/1e6)
			if r.within > 0 {
				v.add(fmt.Sprintf("%d ms", r.within.Milliseconds()), float64(ours.median)/float64(r.within), float64(ours.best)/float64(r.within))
			}
			if r.memory > 0 {
				over := float64(ours.peak) / 1e6 / float64(r.memory)
				v.add(fmt.Sprintf("%d MB", r.memory), over, over)
			}
		}
		times, beside := "", ""
		if i < len(others) {
			p, o := r.beside[i], others[i]
			if p.run == nil {
				times = p.name + " is not here"
			} else {
				median, best := float64(ours.median)/float64(o.median), float64(ours.best)/float64(o.best)
				times, beside = fmt.Sprintf("%s (%s) %s", ratio(median), ratio(best), p.name), milliseconds(o)
				if p.times > 0 {
					v.add(ratio(p.times)+" times "+p.name, median/p.times, best/p.times)
				}
			}
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join([]string{what, times, took, beside, memory, strings.Join(v.targets, ", "), v.said()}, " | "))
	}
	return b.String()
}

// verdict is whether targets hold.
type verdict struct {
	targets     []string
	worst, best float64 // of what is measured, in parts of its target
}

func (v *verdict) add(target string, median, best float64) {
	v.targets = append(v.targets, target)
	v.worst, v.best = max(v.worst, median), max(v.best, best)
}

func (v *verdict) said() string {
	switch {
	case len(v.targets) == 0:
		return ""
	case v.worst <= 1:
		return "holds"
	case v.best <= 1:
		return "holds at its best"
	default:
		return "**does not**"
	}
}

func milliseconds(f figures) string {
	return fmt.Sprintf("%s (%s) ms", short(f.median.Seconds()*1e3), short(f.best.Seconds()*1e3))
}

func short(ms float64) string {
	if ms < 10 {
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}

// ratio has two digits that say something.
func ratio(x float64) string {
	if x >= 10 || x == math.Trunc(x) {
		return fmt.Sprintf("%.0f", x)
	}
	if x >= 1 {
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// count is a number with a comma before each three digits.
func count(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func bytesOf(n int) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%d KB", n>>10)
}

// megabytes is how much a set holds.
func megabytes(dir string) string {
	var sum int64
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.HasSuffix(d.Name(), ".jsonl") {
			if info, err := d.Info(); err == nil {
				sum += info.Size()
			}
		}
		return nil
	})
	return fmt.Sprintf("%d MB", sum/1e6)
}
