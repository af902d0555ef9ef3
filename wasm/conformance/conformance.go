// Package conformance lists the calls that compare a host of the WebAssembly module
// with the native core: every vector and fixture under testdata, and seeded random
// inputs. Start with [Load], then [Fixtures.Cases] and [Fixtures.Random]; [Answer]
// returns the native core's result, and [Compare] compares a module with it. Command
// transcript writes calls and results to a file, for hosts in other languages.
//
// The package imports wasm/abi, wasm/engine and the ops of wasm/guest, which it runs
// natively. It does not depend on a host.
package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/guest/ops"
)

// Case is one call: an op and its two arguments.
type Case struct {
	Op            abi.Op
	Params, Input string
}

// Answer runs a case natively. ok is false if the result is an error.
func Answer(c Case) (result []byte, ok bool) {
	return ops.Call(nil, c.Op, []byte(c.Params), []byte(c.Input))
}

// Format is a range of op numbers: one of the four formats, or the ops about all of
// them.
type Format struct {
	Name        string
	First, Last abi.Op
}

// Formats lists them in the order of their ops.
func Formats() []Format {
	return []Format{{"samp", 100, 199}, {"atsf", 200, 299}, {"agn", 300, 399}, {"amp", 400, 499}, {allFormats, 500, 599}}
}

// allFormats is the name of the ops about all formats. They get all files.
const allFormats = "mail"

// Ops lists a format's ops.
func (f Format) Ops() []abi.Op {
	return slices.DeleteFunc(abi.Numbers(), func(op abi.Op) bool { return op < f.First || op > f.Last })
}

// Fixtures are the files of testdata.
type Fixtures struct {
	files map[string]string
	names []string // of files, sorted
}

// Load reads the fixtures of all formats from the folder testdata.
func Load(testdata fs.FS) (*Fixtures, error) {
	f := &Fixtures{files: map[string]string{}}
	for _, format := range []string{"samp", "atsf", "agn", "amp", "canon"} {
		err := fs.WalkDir(testdata, format, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := fs.ReadFile(testdata, name)
			f.files[name] = string(data)
			f.names = append(f.names, name)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("conformance: reading testdata: %w", err)
		}
	}
	slices.Sort(f.names)
	return f, nil
}

// File returns the content of a fixture by its path in testdata, or "" if there is none.
func (f *Fixtures) File(name string) string { return f.files[name] }

// Under lists the paths of the files in a folder and its subfolders, in order.
func (f *Fixtures) Under(folder string) []string { return f.under(folder) }

// Cases lists the calls over every vector and fixture, always in the same order.
func (f *Fixtures) Cases() ([]Case, error) {
	cases := []Case{{Op: abi.Info}}
	for _, part := range []func() ([]Case, error){f.sampVectors, f.sampStores, f.canonVectors, f.everyCharacter, f.atsf, f.agn, f.amp, f.mail} {
		more, err := part()
		if err != nil {
			return nil, err
		}
		cases = append(cases, more...)
	}
	return append(cases, f.everyOp()...), nil
}

// everyOp passes every file of a format, and every line of a file of records, to
// every op of the format. Most ops refuse most of them.
func (f *Fixtures) everyOp() []Case {
	var cases []Case
	for _, format := range Formats() {
		for _, text := range append(f.texts(format), "") {
			cases = slices.AppendSeq(cases, format.reading(text))
		}
	}
	return cases
}

// reading yields the calls of every op of a format over a text.
func (f Format) reading(text string) iter.Seq[Case] {
	return func(yield func(Case) bool) {
		for _, op := range f.Ops() {
			for _, params := range paramsOf(op, len(text)) {
				if !yield(Case{op, params, text}) {
					return
				}
			}
		}
	}
}

// Of yields the calls over one of the user's own files: every op of its format and every op about
// all formats gets the text and, if lines is set, each line. format is the name of one of
// [Formats]. A file of no format goes only to the ops about all formats.
func Of(format, name, text string, lines bool) iter.Seq[Case] {
	return func(yield func(Case) bool) {
		if !yield(Case{Op: abi.MailDetect, Params: object("name", name), Input: text}) {
			return
		}
		one := func(text string) bool {
			for _, f := range Formats() {
				if f.Name != format && f.Name != allFormats {
					continue
				}
				for c := range f.reading(text) {
					if !yield(c) {
						return false
					}
				}
			}
			return true
		}
		if !one(text) || !lines {
			return
		}
		for line := range strings.Lines(text) {
			if !one(line) {
				return
			}
		}
	}
}

// texts returns the files of a format and the lines of its logs, each once. It leaves
// out files of vectors, which no op reads.
func (f *Fixtures) texts(format Format) []string {
	var texts []string
	if format.Name == allFormats {
		for _, other := range Formats() {
			if other != format {
				texts = append(texts, f.texts(other)...)
			}
		}
		return append(texts, shownTexts...)
	}
	for _, name := range f.under(format.Name) {
		text := f.files[name]
		switch {
		case format.Name == "samp" && path.Ext(name) != ".jsonl":
			continue
		case path.Ext(name) == ".jsonl":
			texts = slices.AppendSeq(texts, strings.Lines(text))
		}
		texts = append(texts, text)
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// under lists the files in a folder and its subfolders, in order.
func (f *Fixtures) under(folder string) []string {
	var names []string
	for _, name := range f.names {
		if strings.HasPrefix(name, folder+"/") {
			names = append(names, name)
		}
	}
	return names
}

// read decodes a file of vectors.
func (f *Fixtures) read(name string, into any) error {
	if err := json.Unmarshal([]byte(f.files[name]), into); err != nil {
		return fmt.Errorf("conformance: %s: %w", name, err)
	}
	return nil
}

// object returns the parameters of a call; keys and values alternate. A value that
// isn't a string or number is passed as JSON.
func object(members ...any) string {
	var b bytes.Buffer
	for i := 0; i+1 < len(members); i += 2 {
		b.WriteString(map[bool]string{true: "{", false: ","}[i == 0])
		b.WriteString(strconv.Quote(members[i].(string)) + ":")
		switch v := members[i+1].(type) {
		case string:
			b.WriteString(quote(v))
		case int:
			b.WriteString(strconv.Itoa(v))
		case json.RawMessage:
			b.Write(v)
		}
	}
	return b.String() + "}"
}

// quote returns a text as a JSON string.
func quote(s string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		panic(err) // a string can always be written
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// lengths returns the lengths of texts as JSON.
func lengths(texts []string) json.RawMessage {
	list := []string{}
	for _, s := range texts {
		list = append(list, strconv.Itoa(len(s)))
	}
	return json.RawMessage("[" + strings.Join(list, ",") + "]")
}
