// Command bench writes the table of BENCHMARKS.md: whole processes of signalbox beside what
// people would use instead, in one run. "make bench-table" calls it.
//
//	go run ./.ci/bench -bin bin/signalbox -cache .cache -into BENCHMARKS.md
//
// What is read is generated once, below the cache, and takes 4.5 GB: sets.go. What is
// measured, with its targets, is in rows.go and servers.go. Ours and the others run in turns,
// after one run that is not counted, and their files are in the page cache. A program that is
// not installed leaves its part out; one that fails ends the run.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

func main() {
	bin := flag.String("bin", "bin/signalbox", "the program that is measured")
	cache := flag.String("cache", ".cache", "the folder of what is generated")
	into := flag.String("into", "", "the file that gets the table; without it the table is only printed")
	runs := flag.Int("runs", 9, "how often each process runs")
	scale := flag.Float64("scale", 1, "the part of the usual sizes, to try the command")
	only := flag.String("only", "", "one part alone: "+strings.Join(names(), ", "))
	store := flag.Bool("store", false, "write the message directory of a million messages, and print its name")
	flag.Parse()
	err := func() error {
		folder, err := filepath.Abs(filepath.Join(*cache, "bench-1"))
		if err != nil {
			return err
		}
		s := sets{folder, *scale}
		if !*store {
			return run(os.Stdout, *bin, s, *into, *only, *runs)
		}
		dir, err := s.mail(1_000_000, 10)
		if err == nil {
			_, err = fmt.Fprintln(os.Stdout, dir)
		}
		return err
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// parts are the rows in their order.
var parts = []struct {
	name string
	rows func(*bench) ([]row, error)
}{
	{"sessions", (*bench).inSessions},
	{"mail", (*bench).inMail},
	{"lists", (*bench).lists},
	{"inbox", (*bench).inboxes},
	{"editor", (*bench).editors},
	{"mcp", (*bench).tools},
	{"answers", (*bench).answers},
}

func names() (list []string) {
	for _, p := range parts {
		list = append(list, p.name)
	}
	return list
}

// run prints the lines as they come, and writes the file at the end.
func run(out io.Writer, bin string, s sets, into, only string, runs int) error {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return err
	}
	// Beside the sets, so that logs can be hard links.
	scratch := filepath.Join(s.folder, "scratch")
	if err := errors.Join(os.RemoveAll(scratch), os.MkdirAll(scratch, 0o700)); err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	// A project of its own, or the one that the cache lies in would be searched too.
	if out, err := exec.Command("git", "init", "-q", scratch).CombinedOutput(); err != nil {
		return fmt.Errorf("git init: %w: %s", err, out)
	}
	installed := filepath.Join(scratch, filepath.Base(bin))
	if err := install(bin, installed); err != nil {
		return err
	}
	b := &bench{bin: installed, sets: s, scratch: scratch}
	table := machine(bin, runs) + "\n\n" + head
	fmt.Fprint(out, table)
	for _, p := range parts {
		if only != "" && p.name != only {
			continue
		}
		rows, err := p.rows(b)
		if err != nil {
			return err
		}
		for _, r := range rows {
			ours, others, err := r.take(runs)
			if err != nil {
				return err
			}
			lines := r.lines(ours, others)
			fmt.Fprint(out, lines)
			table += lines
		}
	}
	if into == "" {
		return nil
	}
	return between(into, table)
}

const begin, end = "<!-- made by make bench-table -->\n", "<!-- end -->\n"

// between replaces what stands between the markers of a file.
func between(file, text string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(data), begin)
	_, after, also := strings.Cut(rest, end)
	if !ok || !also {
		return fmt.Errorf("%s has no markers for the table", file)
	}
	return os.WriteFile(file, []byte(before+begin+text+end+after), 0o644)
}

// machine says on what was measured, and what is not here.
func machine(bin string, runs int) string {
	facts := []string{
		fmt.Sprintf("%d cores", runtime.NumCPU()), first("/proc/cpuinfo", "model name"), runtime.GOOS + "/" + runtime.GOARCH,
		version(bin, "version"), version("rg", "--version"), version("jq", "--version"), version("python3", "--version"),
	}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		facts = append(facts, "load at the start "+strings.Fields(string(load))[0])
	}
	var told, missing []string
	for _, f := range facts {
		if f != "" {
			told = append(told, f)
		}
	}
	for _, name := range []string{"rg", "jq", "python3", "agent-message-cmd"} {
		if _, err := exec.LookPath(name); err != nil {
			missing = append(missing, name)
		}
	}
	return fmt.Sprintf("%s. %d runs of each, %d of what takes longer than %s. Not installed, so left out: %s.", strings.Join(told, ", "), runs, fewTimes, slow, cmp.Or(strings.Join(missing, ", "), "nothing"))
}

// first is the value of the first line of a file that begins with a name.
func first(file, name string) string {
	data, _ := os.ReadFile(file)
	for line := range strings.Lines(string(data)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// version is the first line of what a program says of itself.
func version(args ...string) string {
	out, err := exec.Command(args[0], args[1:]...).Output()
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(line)
}
