package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/agent"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/setup"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

//go:generate go test -run ^TestSchemaFiles$ -update .

// repository is the root of the repository.
var repository = filepath.Join("..", "..")

// printedValues returns what each command prints with --json, a value for each kind of line.
// A command without a row prints what a format defines.
func printedValues() map[string][]any {
	message, problem := printed.Message{}, printed.Problem{}
	task := []any{printed.SentTask{}, printed.RefusedTask{}}
	letter := []any{printed.SentLetter{}, printed.Exported{}}
	return map[string][]any{
		"inbox": {message}, "log": {message}, "cat": {message}, "tail": {message}, "send": {message}, "reply": {message},
		"sent":             {printed.SentMessage{}},
		"inbox mark":       {printed.Marked{}},
		"search":           {panel.SearchHit{}},
		"compact":          {printed.Compacted{}},
		"validate":         {problem, printed.Summary{}},
		"doctor":           {printed.Fact{}, printed.Fixed{}, problem, printed.Summary{}},
		"samp thread":      {printed.Begun{}},
		"agents":           {printed.Agent{}},
		"agents log":       {printed.Answer{}},
		"needs":            {agent.NeedItem{}},
		"answer":           {printed.Request{}, printed.Answer{}},
		"setup":            {setup.Plan{}, setup.State{}, setup.Facts{}},
		"version":          {printed.Version{}},
		"threads list":     {printed.Thread{}, printed.Session{}},
		"threads show":     {printed.Entry{}, printed.SessionEntry{}},
		"threads search":   {panel.SearchHit{}},
		"threads new":      {printed.NewThread{}},
		"threads import":   {printed.Imported{}},
		"threads append":   {printed.Appended{}},
		"threads check":    {printed.ThreadProblem{}},
		"worktree list":    {printed.Worktree{}},
		"worktree add":     {printed.NewWorktree{}, printed.WorktreeThread{}, printed.RanHook{}},
		"task list":        {printed.Task{}},
		"task show":        {printed.TaskPage{}},
		"task escalations": {panel.EscalationPage{}},
		"task ack":         {printed.Ack{}},
		"task resume":      {printed.Resumed{}},
		"task send":        task,
		"task check":       {printed.CheckedTask{}},
		"task watch":       {printed.Escalated{}},
		"amp init":         {printed.NewMailbox{}},
		"amp inbox":        {printed.ListedLetter{}},
		"amp read":         {printed.ReadLetter{}},
		"amp send":         letter,
		"amp reply":        letter,
		"amp archive":      {printed.Archived{}},
		"amp delete":       {printed.Deleted{}},
		"amp keys":         {printed.Key{}},
		"amp keys add":     {printed.ChangedKey{}},
		"amp keys accept":  {printed.ChangedKey{}},
		"amp keys remove":  {printed.ChangedKey{}},
		"amp verify":       {printed.Verified{}},
		"amp check":        {printed.CheckedLetter{}},
	}
}

// schemaName returns the name of the schema of a value: its type's, in small letters with
// hyphens.
func schemaName(v any) string {
	name := capital.ReplaceAllString(reflect.TypeOf(v).Name(), "$1-$2")
	return strings.ToLower(name)
}

var capital = regexp.MustCompile(`([a-z])([A-Z])`)

// schemaOf returns the schema of a value. Its members have no descriptions
// yet.
func schemaOf(v any) (*jsonschema.Schema, error) {
	raw := map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[json.RawMessage](): {}}
	return jsonschema.ForType(reflect.TypeOf(v), &jsonschema.ForOptions{TypeSchemas: raw})
}

// fitsSchema holds one line that a command printed to its schemas. It must fit one of them.
func fitsSchema(command string, line []byte) error {
	var value any
	if err := json.Unmarshal(line, &value); err != nil {
		return fmt.Errorf("%q: %w", line, err)
	}
	values, ok := printedValues()[command]
	if !ok {
		return fmt.Errorf("%q prints JSON and has no schema: %s", command, line)
	}
	var faults []error
	for _, v := range values {
		s, err := schemaOf(v)
		if err != nil {
			return err
		}
		resolved, err := s.Resolve(nil)
		if err != nil {
			return err
		}
		if err = resolved.Validate(value); err == nil {
			return nil
		}
		faults = append(faults, fmt.Errorf("%s: %w", schemaName(v), err))
	}
	return fmt.Errorf("%q printed %s, which fits no schema: %w", command, line, errors.Join(faults...))
}

// allPrinted returns each value that some command prints once, ordered by name.
func allPrinted() (list []any) {
	seen := make(map[string]bool)
	for _, values := range printedValues() {
		for _, v := range values {
			if !seen[schemaName(v)] {
				list = append(list, v)
			}
			seen[schemaName(v)] = true
		}
	}
	slices.SortFunc(list, func(a, b any) int { return strings.Compare(schemaName(a), schemaName(b)) })
	return list
}

// The table of commands stands between these lines of docs/json.md.
const (
	tableBegin = "<!-- commands -->\n"
	tableEnd   = "<!-- end of commands -->"
)

// tableOf returns a page with the table of commands and their schemas in its place.
func tableOf(name string) (string, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	before, rest, ok := strings.Cut(strings.ReplaceAll(string(data), "\r\n", "\n"), tableBegin)
	_, after, closed := strings.Cut(rest, tableEnd)
	if !ok || !closed {
		return "", fmt.Errorf("%s has no %q and %q", name, tableBegin, tableEnd)
	}
	var b strings.Builder
	b.WriteString(before + tableBegin + "\n| command | each line is one of |\n|---|---|\n")
	commands := printedValues()
	for _, command := range slices.Sorted(maps.Keys(commands)) {
		var links []string
		for _, v := range commands[command] {
			links = append(links, fmt.Sprintf("[%s](json/%[1]s.schema.json)", schemaName(v)))
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", command, strings.Join(links, ", "))
	}
	return b.String() + "\n" + tableEnd + after, nil
}

// TestSchemaFiles holds that docs/json has the schema of each value that is printed, and no
// others, and that docs/json.md lists them. With -update it writes both.
func TestSchemaFiles(t *testing.T) {
	dir := filepath.Join(repository, "docs", "json")
	want := make(map[string]string)
	comments, err := readComments()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range allPrinted() {
		data, err := comments.file(v)
		if err != nil {
			t.Error(err)
		}
		want[schemaName(v)+".schema.json"] = string(data)
	}
	page := filepath.Join(repository, "docs", "json.md")
	table, err := tableOf(page)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o755), os.WriteFile(page, []byte(table), 0o644))
		for name, text := range want {
			err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	got := make(map[string]string)
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		text, _ := os.ReadFile(filepath.Join(dir, e.Name()))
		got[e.Name()] = strings.ReplaceAll(string(text), "\r\n", "\n")
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("it is not as \"make generate\" writes it (%v):\n%s", err, diff)
	}
	if text, err := os.ReadFile(page); err != nil || strings.ReplaceAll(string(text), "\r\n", "\n") != table {
		t.Errorf("the table of docs/json.md is not as \"make generate\" writes it (%v)", err)
	}
}

// TestDescriptions holds that a member without a description is an error.
func TestDescriptions(t *testing.T) {
	type bare struct {
		Odd int `json:"odd"`
	}
	comments, err := readComments()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := comments.file(bare{}); err == nil || !strings.Contains(err.Error(), "bare.odd has no description") {
		t.Errorf("got %v", err)
	}
}

// TestTimes holds that a time is a number of milliseconds wherever it is printed.
func TestTimes(t *testing.T) {
	for _, v := range allPrinted() {
		s, err := schemaOf(v)
		if err != nil {
			t.Fatal(err)
		}
		if at := s.Properties["time"]; at != nil && at.Type != "integer" {
			t.Errorf("the time of %s is a %s", schemaName(v), at.Type)
		}
	}
}
