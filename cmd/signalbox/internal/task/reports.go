package task

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/spf13/cobra"
)

// reportCommand returns the command "task result". It is "task send task_result" in
// the place where an executor looks for it.
func (j *Commands) reportCommand() *cobra.Command {
	s := &sending{Commands: j}
	cmd := s.resultCommand()
	cmd.Use, cmd.Aliases = "result", nil
	cmd.Example = strings.ReplaceAll(cmd.Example, "task send result", "task result")
	cmd.Short = "Report the result of a subtask, as \"task send task_result\" does"
	s.register(cmd)
	return cmd
}

func (s *sending) resultCommand() *cobra.Command {
	var subtask, status, commit string
	var files, met, notes, blockers, log []string
	var added, removed int64
	cmd := s.typeCommand(agn.TypeResult, "The executor reports the result of a subtask", func(cmd *cobra.Command) (outgoing, error) {
		given := members(cmd, []member{
			{"subtask", "subtask_id", as(&subtask)},
			{"status", "completion_status", as(&status)},
			{"step", "work_log", func() (any, error) { return workLog(agn.FormatTime(s.Now().UnixMilli()), log) }},
			{"commit", "commit_hash", as(&commit)},
			{"blocker", "blockers", as(&blockers)},
		})
		return outgoing{
			from:  agn.Executor,
			needs: map[string]string{"subtask_id": "subtask", "completion_status": "status"},
			flags: func(d *draft, v *taskView) error {
				if err := given(d, v); err != nil {
					return err
				}
				if slices.ContainsFunc([]string{"files", "added", "removed"}, cmd.Flags().Changed) {
					if err := d.set("diff_summary", diffSummary(files, added, removed)); err != nil {
						return err
					}
				}
				if !cmd.Flags().Changed("met") && !cmd.Flags().Changed("note") {
					return nil
				}
				list, err := answers(met)
				if err != nil {
					return cli.Usage(fmt.Errorf("--met: %w", err))
				}
				if len(met) == 0 {
					list = v.unverified(subtask)
				}
				return d.set("self_assessment", assessment(list, notes))
			},
			rest: func(d *draft, v *taskView) error {
				if one := v.dispatch(""); one != nil && len(one.Subtasks) == 1 {
					d.fill("subtask_id", one.Subtasks[0].ID)
				}
				d.fill("diff_summary", diffSummary(nil, 0, 0))
				// A criterion that nobody verified is unknown (rule T8).
				d.fill("self_assessment", assessment(v.unverified(subtask), nil))
				d.fill("work_log", []string{})
				return nil
			},
		}, nil
	})
	cmd.Long = cmd.Short + `.

Without --met every criterion is unknown, which leaves it to the reviewer: what was
not verified must not be said to be met.`
	cmd.Example = `  signalbox task send result --task T-2026-044 --subtask T-2026-044-S1 \
    --status complete --files src/auth.ts --added 3 --removed 1 \
    --met yes,unknown --note "tests pass" --commit a3f8d21`
	f := cmd.Flags()
	f.StringVar(&subtask, "subtask", "", "`id` of the subtask (default: the dispatch's, where it has one)")
	f.StringVar(&status, "status", "", "complete, partial or failed")
	f.StringSliceVar(&files, "files", nil, "`files` that changed, with commas between; may be repeated")
	f.Int64Var(&added, "added", 0, "`lines` added")
	f.Int64Var(&removed, "removed", 0, "`lines` removed")
	f.StringSliceVar(&met, "met", nil, "whether each criterion is met: `yes,no,unknown` (default: unknown)")
	f.StringArrayVar(&notes, "note", nil, "`note` on the criteria; may be repeated")
	f.StringArrayVar(&blockers, "blocker", nil, "`reason` why it is partial or failed; may be repeated")
	f.StringArrayVar(&log, "step", nil, "`ACTION FILE DETAIL` of a step that was taken; may be repeated")
	f.StringVar(&commit, "commit", "", "`hash` of the commit")
	return cmd
}

func diffSummary(files []string, added, removed int64) any {
	return map[string]any{"files_changed": append([]string{}, files...), "lines_added": added, "lines_removed": removed}
}

func assessment(met []*bool, notes []string) any {
	return map[string]any{"criteria_met": met, "notes": append([]string{}, notes...)}
}

// unverified returns the answer "unknown" for each criterion of a subtask's dispatch.
func (v *taskView) unverified(subtask string) []*bool {
	d := v.dispatch(subtask)
	if d == nil {
		return []*bool{}
	}
	return make([]*bool, len(d.Criteria))
}

// workLog parses steps of the form "ACTION FILE DETAIL". They get the time of the
// report.
func workLog(at string, texts []string) (any, error) {
	list := []map[string]string{}
	for _, text := range texts {
		action, rest, ok := strings.Cut(strings.TrimSpace(text), " ")
		if !ok {
			return nil, fmt.Errorf("%q is not ACTION FILE DETAIL", text)
		}
		file, detail, _ := strings.Cut(strings.TrimSpace(rest), " ")
		list = append(list, map[string]string{"timestamp": at, "action": action, "file": file, "detail": strings.TrimSpace(detail)})
	}
	return list, nil
}

func (s *sending) verdictCommand() *cobra.Command {
	var decision, notes string
	var passed, evidence, issues, fixes []string
	var confidence float64
	cmd := s.typeCommand(agn.TypeVerdict, "The reviewer decides on a result", func(cmd *cobra.Command) (outgoing, error) {
		given := members(cmd, []member{
			{"decision", "decision", as(&decision)},
			{"issue", "issues", func() (any, error) { return readIssues(issues) }},
			{"fixed", "direct_fixes", func() (any, error) { return readFixes(fixes) }},
			{"architecture", "architecture_notes", as(&notes)},
			{"confidence", "confidence", as(&confidence)},
		})
		return outgoing{
			from:  agn.Reviewer,
			needs: map[string]string{"decision": "decision", "criteria_results": "passed", "confidence": "confidence"},
			flags: func(d *draft, v *taskView) error {
				if err := given(d, v); err != nil || len(passed) == 0 && len(evidence) == 0 {
					return err
				}
				list, err := criteriaResults(v, passed, evidence)
				if err != nil {
					return cli.Usage(err)
				}
				return d.set("criteria_results", list)
			},
			rest: func(*draft, *taskView) error { return nil },
		}, nil
	})
	cmd.Example = `  signalbox task send verdict --task T-2026-044 --decision rejected \
    --confidence 0.9 --passed no,unknown --evidence "renewed after its end" \
    --issue "critical src/auth.ts:12 never refreshed => keep the reference"`
	f := cmd.Flags()
	f.StringVar(&decision, "decision", "", "approved, approved_with_fix or rejected")
	f.StringSliceVar(&passed, "passed", nil, "whether each criterion of the dispatch is met: `yes,no,unknown`")
	f.StringArrayVar(&evidence, "evidence", nil, "`evidence` for each of them, in order; may be repeated")
	f.StringArrayVar(&issues, "issue", nil, "`SEVERITY FILE:LINE DESCRIPTION`, and \"=> FIX\" behind it; may be repeated")
	f.StringArrayVar(&fixes, "fixed", nil, "`CHANGE FILE:LINES` that the reviewer repaired, such as typo README.md:1; may be repeated")
	f.StringVar(&notes, "architecture", "", "`notes` beyond this task")
	f.Float64Var(&confidence, "confidence", 0, "`number` from 0 to 1")
	return cmd
}

// criteriaResults pairs the answers with the criteria of the newest dispatch.
func criteriaResults(v *taskView, passed, evidence []string) (any, error) {
	d := v.dispatch("")
	if d == nil {
		return nil, fmt.Errorf("%s has no dispatch whose criteria --passed could answer: give criteria_results in --file", v.id)
	}
	list, err := answers(passed)
	if err != nil {
		return nil, fmt.Errorf("--passed: %w", err)
	}
	if len(list) != len(d.Criteria) || len(evidence) > len(list) {
		return nil, fmt.Errorf("--passed has %s and --evidence %d, and the dispatch has %d criteria (V2)", cli.Plural(len(list), "answer"), len(evidence), len(d.Criteria))
	}
	results := []map[string]any{}
	for i, text := range d.Criteria {
		said := ""
		if i < len(evidence) {
			said = evidence[i]
		}
		results = append(results, map[string]any{"criterion": text, "passed": list[i], "evidence": said})
	}
	return results, nil
}

func readIssues(texts []string) (any, error) {
	list := []map[string]any{}
	for _, text := range texts {
		severity, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
		place, description, ok := strings.Cut(strings.TrimSpace(rest), " ")
		if !ok {
			return nil, fmt.Errorf("%q is not SEVERITY FILE:LINE DESCRIPTION (V3)", text)
		}
		file, row := splitNumber(place)
		description, fix, _ := strings.Cut(description, "=>")
		list = append(list, map[string]any{
			"severity": severity, "file": file, "line": row,
			"description": strings.TrimSpace(description), "suggested_fix": strings.TrimSpace(fix),
		})
	}
	return list, nil
}

func readFixes(texts []string) (any, error) {
	list := []map[string]any{}
	for _, text := range texts {
		change, place, _ := strings.Cut(strings.TrimSpace(text), " ")
		file, lines := splitNumber(strings.TrimSpace(place))
		if file == "" || file == place {
			return nil, fmt.Errorf("%q is not CHANGE FILE:LINES (V4)", text)
		}
		list = append(list, map[string]any{"change_type": change, "file": file, "diff_lines": lines})
	}
	if len(list) == 0 {
		return nil, errors.New("it is empty")
	}
	return list, nil
}

// splitNumber splits "file:12" into the file and the number. The number 0 means the
// whole file.
func splitNumber(s string) (file string, n int64) {
	if i := strings.LastIndexByte(s, ':'); i > 0 {
		if n, err := strconv.ParseInt(s[i+1:], 10, 32); err == nil && n >= 0 {
			return s[:i], n
		}
	}
	return s, 0
}
