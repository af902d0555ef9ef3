// Package schemas makes the JSON schemas of what commands print with --json, in
// docs/json, from the Go types that are printed. Tests hold the program's output to
// them. The program itself imports no part of it: start with [Commands].
package schemas

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/setup"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// Commands returns what each command prints with --json, a value for each kind of line.
// A command without a row prints what a format defines.
func Commands() map[string][]any {
	message, problem := printed.Message{}, printed.Problem{}
	task := []any{printed.SentTask{}, printed.RefusedTask{}}
	letter := []any{printed.SentLetter{}, printed.Exported{}}
	return map[string][]any{
		"inbox": {message}, "log": {message}, "cat": {message}, "tail": {message}, "send": {message}, "reply": {message},
		"inbox mark":       {printed.Marked{}},
		"search":           {panel.SearchHit{}},
		"compact":          {printed.Compacted{}},
		"validate":         {problem, printed.Summary{}},
		"doctor":           {printed.Fact{}, printed.Fixed{}, problem, printed.Summary{}},
		"samp thread":      {printed.Begun{}},
		"agents":           {printed.Agent{}},
		"needs":            {panel.NeedItem{}},
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

// Name returns the name of the schema of a value: its type's, in small letters with
// hyphens.
func Name(v any) string {
	name := capital.ReplaceAllString(reflect.TypeOf(v).Name(), "$1-$2")
	return strings.ToLower(name)
}

var capital = regexp.MustCompile(`([a-z])([A-Z])`)

// Schema returns the schema of a value. Its members have no descriptions yet: see
// [Comments.Describe].
func Schema(v any) (*jsonschema.Schema, error) {
	raw := map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[json.RawMessage](): {}}
	return jsonschema.ForType(reflect.TypeOf(v), &jsonschema.ForOptions{TypeSchemas: raw})
}

// Validate holds one line that a command printed to its schemas. It must fit one of them.
func Validate(command string, line []byte) error {
	var value any
	if err := json.Unmarshal(line, &value); err != nil {
		return fmt.Errorf("%q: %w", line, err)
	}
	values, ok := Commands()[command]
	if !ok {
		return fmt.Errorf("%q prints JSON and has no schema: %s", command, line)
	}
	var faults []error
	for _, v := range values {
		s, err := Schema(v)
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
		faults = append(faults, fmt.Errorf("%s: %w", Name(v), err))
	}
	return fmt.Errorf("%q printed %s, which fits no schema: %w", command, line, errors.Join(faults...))
}

// Values returns each value that some command prints once, ordered by name.
func Values() (list []any) {
	seen := make(map[string]bool)
	for _, values := range Commands() {
		for _, v := range values {
			if !seen[Name(v)] {
				list = append(list, v)
			}
			seen[Name(v)] = true
		}
	}
	slices.SortFunc(list, func(a, b any) int { return strings.Compare(Name(a), Name(b)) })
	return list
}
