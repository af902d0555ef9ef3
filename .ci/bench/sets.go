package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// The words that are searched for. Nowhere is in no message, once in one of the oldest
// session, and common in nearly all.
const (
	nowhere = "quibblewort"
	once    = "marmaladeship"
	common  = "parser"
)

// words are the words of bodies, so that bodies are neither equal nor random.
var words = strings.Fields("the build is red again after merge of parser branch please look at test flake in store_test.go line forty two before release candidate three can go out thanks café naïve done")

// sets makes what is read, once: the folder's name says what is in it, and its parent has
// a number, which a change of what is written here raises.
type sets struct {
	folder string
	scale  float64
}

// sized is a number of records or sessions at the scale of this run.
func (s sets) sized(n int) int { return max(int(float64(n)*s.scale), 20) }

// once writes a set if it is not there whole, and reads it, so that the page cache has it.
func (s sets) once(name string, write func(dir string) error) (string, error) {
	dir := filepath.Join(s.folder, name)
	if _, err := os.Stat(dir); err != nil {
		part := dir + ".part"
		if err := os.RemoveAll(part); err != nil {
			return "", err
		}
		if err := os.MkdirAll(part, 0o700); err != nil {
			return "", err
		}
		if err := write(part); err != nil {
			return "", err
		}
		if err := os.Rename(part, dir); err != nil {
			return "", err
		}
	}
	return dir, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(io.Discard, f)
		return err
	})
}

// mail is a message directory: 10 logs with records of about 300 bytes, in about one thread
// for each fifty, one of every so many to "me".
func (s sets) mail(records, every int) (string, error) {
	records = s.sized(records)
	return s.once(fmt.Sprintf("mail-%d-%d", records, every), func(dir string) error {
		for l := range logs {
			if err := writeFile(filepath.Join(dir, samp.LogName(agent(l))), func(w *bufio.Writer) { writeLog(w, l, records, every) }); err != nil {
				return err
			}
		}
		return nil
	})
}

const logs = 10

func agent(n int) string { return fmt.Sprintf("agent%02d", n) }

func writeLog(w *bufio.Writer, l, records, every int) {
	rng := rand.New(rand.NewPCG(uint64(l), 1))
	var buf []byte
	for i := l; i < records; i += logs {
		to := "me"
		if rng.IntN(every) != 0 {
			to = agent(rng.IntN(logs))
		}
		body := make([]string, 24+rng.IntN(10))
		for b := range body {
			body[b] = words[rng.IntN(len(words))]
		}
		topic := rng.IntN(max(records/50/logs, 1))
		thread := fmt.Sprintf("2026-04-%02d-%s-topic-%d", 1+topic%28, agent(l), topic)
		r := samp.Record{TS: 1_775_000_000 + int64(i)*3, From: agent(l), To: to, Thread: thread, Body: strings.Join(body, " ")}
		r.ID = samp.ID(&r, samp.V1)
		buf = r.Append(buf[:0])
		_, _ = w.Write(buf)
	}
}

// sessions is a home with transcripts of Claude Code, all of one repository, which lies in
// the home's folder "work". If ids repeat, the ids of messages and calls do, and all times
// are within one minute: what belongs together is then all over the files.
func (s sets) sessions(count, size int, repeat bool) (string, error) {
	count = s.sized(count)
	name := fmt.Sprintf("sessions-%dx%d", count, size)
	if repeat {
		name += "-repeated"
	}
	return s.once(name, func(dir string) error {
		// What the transcripts name is where the set will be, not where it is written.
		work := filepath.Join(strings.TrimSuffix(dir, ".part"), "work")
		if out, err := exec.Command("git", "init", "-q", filepath.Join(dir, "work")).CombinedOutput(); err != nil {
			return fmt.Errorf("git init: %w: %s", err, out)
		}
		project := filepath.Join(dir, ".claude", "projects", slug(work))
		if err := os.MkdirAll(project, 0o700); err != nil {
			return err
		}
		for i := range count {
			t := &talk{rng: rand.New(rand.NewPCG(uint64(i), 2)), n: i, work: work, repeat: repeat}
			file := filepath.Join(project, t.session()+".jsonl")
			if err := writeFile(file, func(w *bufio.Writer) { t.write(w, size) }); err != nil {
				return err
			}
			then := t.time(0).Add(time.Hour)
			if err := os.Chtimes(file, then, then); err != nil {
				return err
			}
		}
		return nil
	})
}

// slug returns Claude Code's folder name for a project: its path with a minus for every character
// but ASCII letters and digits.
func slug(path string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, path)
}

// talk writes one transcript.
type talk struct {
	rng    *rand.Rand
	n      int // of the session
	line   int
	parent string
	work   string
	repeat bool
}

func (t *talk) session() string { return fmt.Sprintf("%08x-0000-4000-8000-000000000000", t.n) }

func (t *talk) time(line int) time.Time {
	start := time.Date(2026, 10, 1, 8, 0, 0, 0, time.UTC)
	if t.repeat {
		return start.Add(time.Duration(line%60) * time.Second)
	}
	return start.Add(time.Duration(t.n)*time.Minute + time.Duration(line)*time.Second)
}

// id is an id of a message or a call.
func (t *talk) id(kind string) string {
	if t.repeat {
		return fmt.Sprintf("%s_01%022d", kind, t.line%20)
	}
	return fmt.Sprintf("%s_01%08x%014d", kind, t.n, t.line)
}

// text is prose or code of about so many bytes, as it stands in JSON.
func (t *talk) text(size int) string {
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(words[t.rng.IntN(len(words))])
		switch t.rng.IntN(12) {
		case 0:
			b.WriteString(`.\n\t`)
		case 1:
			b.WriteString(` \"quoted\" `)
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// write asks, calls a tool and answers until the file has its size.
func (t *talk) write(w *bufio.Writer, size int) {
	for wrote := 0; wrote < size; {
		ask := t.text(120)
		if t.n == 0 && t.line == 8 {
			ask += once
		}
		call, message := t.id("toolu"), t.id("msg")
		for _, r := range []struct{ kind, message string }{
			{"user", fmt.Sprintf(`{"role":"user","content":"%s"}`, ask)},
			{"assistant", fmt.Sprintf(`{"id":%q,"role":"assistant","model":"claude-opus-5-5","content":[{"type":"text","text":"%s"}],"stop_reason":null}`, message, t.text(400))},
			{"assistant", fmt.Sprintf(`{"id":%q,"role":"assistant","model":"claude-opus-5-5","content":[{"type":"tool_use","id":%q,"name":"Bash","input":{"command":"go test ./%s","description":"%s"}}],"stop_reason":"tool_use"}`, message, call, words[t.rng.IntN(len(words))], t.text(40))},
			{"user", fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"%s","is_error":false}]}`, call, t.text(1500+t.rng.IntN(3000)))},
		} {
			uuid := fmt.Sprintf("%08x-%04x-4000-8000-%012x", t.n, t.line>>16, t.line)
			n, _ := fmt.Fprintf(w, `{"parentUuid":%q,"isSidechain":false,"userType":"external","cwd":%q,"sessionId":%q,"version":"2.1.330","gitBranch":"main","type":%q,"message":%s,"uuid":%q,"timestamp":%q}`+"\n",
				t.parent, t.work, t.session(), r.kind, r.message, uuid, t.time(t.line).Format("2006-01-02T15:04:05.000Z"))
			wrote += n
			t.parent = uuid
			t.line++
		}
	}
}

// writeFile writes a file through a buffer, which keeps the first error.
func writeFile(path string, write func(*bufio.Writer)) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<18)
	write(w)
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// copied is a message directory of its own for what reads and marks: the logs are the same
// files, but for the first, which grows.
func copied(from, to string) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	list, err := filepath.Glob(filepath.Join(from, "*.jsonl"))
	if err != nil {
		return err
	}
	for i, file := range list {
		target := filepath.Join(to, filepath.Base(file))
		if i > 0 {
			err = os.Link(file, target)
		} else {
			err = copyFile(file, target)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// copyFile holds little in memory, since what this program has counts in the peaks of what
// it starts.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return errors.Join(writeFile(to, func(w *bufio.Writer) { _, err = io.Copy(w, in) }), err)
}

// install copies a program, as an installation does. The page cache holds what the linker wrote in
// small pieces, which makes a program start half a millisecond later.
func install(from, to string) error {
	return errors.Join(copyFile(from, to), os.Chmod(to, 0o700))
}

// emptyProgram builds a Go program that does nothing.
func (s sets) emptyProgram() (string, error) {
	dir, err := s.once("empty", func(dir string) error {
		source := filepath.Join(dir, "main.go")
		if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
			return err
		}
		built := filepath.Join(dir, "built")
		out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", built, source).CombinedOutput()
		if err != nil {
			return fmt.Errorf("go build: %w: %s", err, bytes.TrimSpace(out))
		}
		return install(built, filepath.Join(dir, "empty"))
	})
	return filepath.Join(dir, "empty"), err
}
