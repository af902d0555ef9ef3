package task

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
	"github.com/spf13/cobra"
)

// member is a payload member that a flag sets.
type member struct {
	flag, name string
	value      func() (any, error)
}

// members returns a function that sets the members whose flags were given.
func members(cmd *cobra.Command, list []member) func(*draft, *taskView) error {
	return func(d *draft, _ *taskView) error {
		for _, m := range list {
			if !cmd.Flags().Changed(m.flag) {
				continue
			}
			value, err := m.value()
			if err != nil {
				return cli.Usage(fmt.Errorf("--%s: %w", m.flag, err))
			}
			if err := d.set(m.name, value); err != nil {
				return err
			}
		}
		return nil
	}
}

// as returns a function that returns the value of a flag.
func as[T any](v *T) func() (any, error) { return func() (any, error) { return *v, nil } }

func (s *sending) dispatchCommand() *cobra.Command {
	var repo, branch, risk string
	var subtasks, criteria, forbidden []string
	var constraints map[string]string
	cmd := s.typeCommand(agn.TypeDispatch, "The coordinator gives the executor a task", func(cmd *cobra.Command) (outgoing, error) {
		given := members(cmd, []member{
			{"message", "description", as(&s.text)},
			{"repo", "repo", func() (any, error) { return s.Absolute(repo), nil }},
			{"branch", "branch", as(&branch)},
			{"criterion", "acceptance_criteria", as(&criteria)},
			{"risk", "risk_level", as(&risk)},
			{"forbid", "forbidden_actions", as(&forbidden)},
			{"constraint", "tech_constraints", as(&constraints)},
		})
		return outgoing{
			from: agn.Coordinator,
			needs: map[string]string{
				"description": "message", "repo": "repo", "branch": "branch", "subtasks": "add-subtask",
				"acceptance_criteria": "criterion", "risk_level": "risk",
			},
			flags: func(d *draft, v *taskView) error {
				if len(subtasks) > 0 {
					list, err := readSubtasks(v.id, subtasks)
					if err == nil {
						err = d.set("subtasks", list)
					}
					if err != nil {
						return err
					}
				}
				return given(d, v)
			},
			rest: func(d *draft, _ *taskView) error {
				if top := s.repository(); top != "" {
					d.fill("repo", top)
				}
				return nil
			},
		}, nil
	})
	cmd.Example = `  signalbox task send dispatch --branch fix/login --risk low \
    -m "Fix the login" --add-subtask "40:Compare sessions by time" \
    --criterion "A session ends when it says"`
	f := cmd.Flags()
	cli.MessageFlag(f, &s.lines, "what is to be done")
	f.StringVar(&repo, "repo", "", "`folder` of the repository (default: the repository of the working directory)")
	f.StringVar(&branch, "branch", "", "`branch` to work on, neither main nor master")
	f.StringArrayVar(&subtasks, "add-subtask", nil, "`LINES:DESCRIPTION` of a step, with the lines that it is estimated to take; may be repeated")
	f.StringArrayVar(&criteria, "criterion", nil, "`criterion` of acceptance; may be repeated")
	f.StringVar(&risk, "risk", "", "low, medium or high")
	f.StringArrayVar(&forbidden, "forbid", nil, "`action` that is forbidden; may be repeated")
	f.StringToStringVar(&constraints, "constraint", nil, "`NAME=VALUE` of a technical constraint; may be repeated")
	return cmd
}

// readSubtasks parses subtasks and gives them ids of the task.
func readSubtasks(task string, texts []string) (any, error) {
	type subtask struct {
		ID          string `json:"subtask_id"`
		Description string `json:"description"`
		Lines       int64  `json:"estimated_lines"`
	}
	var list []subtask
	for i, text := range texts {
		number, description, ok := strings.Cut(text, ":")
		n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if !ok || err != nil || n < 0 {
			return nil, cli.Usage(fmt.Errorf("--add-subtask is %q, and must begin with the lines that it is estimated to take, as \"40:Compare sessions by time\" (D4)", text))
		}
		list = append(list, subtask{fmt.Sprintf("%s-S%d", task, i+1), strings.TrimSpace(description), n})
	}
	return list, nil
}

// repository returns the root of the working directory's repository.
func (j *Commands) repository() string {
	folders := ssot.Upwards(j.Env.Work)
	top := folders[len(folders)-1]
	if _, err := os.Lstat(filepath.Join(top, ".git")); err != nil {
		return ""
	}
	return top
}

// answers parses a list of yes, no and unknown.
func answers(texts []string) ([]*bool, error) {
	list := []*bool{}
	for _, text := range texts {
		yes, no := true, false
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "yes", "y", "true":
			list = append(list, &yes)
		case "no", "n", "false":
			list = append(list, &no)
		case "unknown", "?", "null":
			list = append(list, nil)
		default:
			return nil, fmt.Errorf("%q is none of yes, no, unknown", text)
		}
	}
	return list, nil
}

func (s *sending) requestCommand() *cobra.Command {
	var dispatch, result, scope, diff string
	var rejects int64
	var ci map[string]string
	cmd := s.typeCommand(agn.TypeRequest, "The coordinator asks the reviewer for a review", func(cmd *cobra.Command) (outgoing, error) {
		return outgoing{
			from:  agn.Coordinator,
			needs: map[string]string{"diff_url": "diff", "original_dispatch_ref": "dispatch", "task_result_ref": "result"},
			flags: members(cmd, []member{
				{"dispatch", "original_dispatch_ref", as(&dispatch)},
				{"result", "task_result_ref", as(&result)},
				{"scope", "review_scope", as(&scope)},
				{"diff", "diff_url", as(&diff)},
				{"reject-count", "reject_count", as(&rejects)},
				{"message", "coordinator_notes", as(&s.text)},
				{"ci", "ci_status", as(&ci)},
			}),
			rest: func(d *draft, v *taskView) error {
				if m := v.newest(agn.TypeDispatch, nil); m != nil {
					d.fill("original_dispatch_ref", m.ID)
				}
				if m := v.newest(agn.TypeResult, nil); m != nil {
					d.fill("task_result_ref", m.ID)
				}
				d.fill("review_scope", "full")
				d.fill("reject_count", v.rejects(agn.TypeRequest))
				return nil
			},
		}, nil
	})
	cmd.Example = `  signalbox task send request --task T-2026-044 --diff main...fix/login \
    --ci xcode_cloud=passed`
	f := cmd.Flags()
	f.StringVar(&diff, "diff", "", "`URL` of the comparison, or a path")
	f.StringVar(&scope, "scope", "", "full or incremental (default: full)")
	cli.MessageFlag(f, &s.lines, "what the reviewer should know")
	f.StringToStringVar(&ci, "ci", nil, "`BUILD=STATUS`, such as xcode_cloud=passed; may be repeated")
	f.StringVar(&dispatch, "dispatch", "", "`id` of the dispatch (default: the newest)")
	f.StringVar(&result, "result", "", "`id` of the result (default: the newest)")
	f.Int64Var(&rejects, "reject-count", 0, "`number` of rejections so far (default: counted)")
	return cmd
}

func (s *sending) escalationCommand() *cobra.Command {
	var from, kind, severity, by string
	var affected, suggested []string
	var suspended bool
	cmd := s.typeCommand(agn.TypeEscalation, "Any party tells the admin of what it cannot resolve", func(cmd *cobra.Command) (outgoing, error) {
		from, _ = s.role(from)
		switch from {
		case agn.Coordinator, agn.Executor, agn.Reviewer, agn.System:
		default:
			if s.whole == "" {
				return outgoing{}, cli.Usage(errors.New("an escalation needs --role: coordinator, executor, reviewer or system (R1)"))
			}
		}
		return outgoing{
			from:  from,
			needs: map[string]string{"escalation_type": "kind", "severity": "severity", "description": "message"},
			flags: members(cmd, []member{
				{"kind", "escalation_type", as(&kind)},
				{"severity", "severity", as(&severity)},
				{"triggered-by", "triggered_by", as(&by)},
				{"message", "description", as(&s.text)},
				{"affected", "affected_msgs", as(&affected)},
				{"suggest", "suggested_actions", as(&suggested)},
				{"suspended", "auto_suspended", as(&suspended)},
			}),
			rest: func(d *draft, v *taskView) error {
				state := v.state()
				d.fill("triggered_by", from)
				d.fill("affected_msgs", append([]string{}, v.context(agn.TypeEscalation)...))
				d.fill("system_state_snapshot", map[string]any{
					"task_status": string(state.Phase), "reject_count": v.rejects(agn.TypeEscalation), "last_successful_msg_id": v.lastAcknowledged(),
				})
				// After an info the sender goes on (rules X5 and C8).
				d.fill("auto_suspended", severity != agn.Info)
				return nil
			},
		}, nil
	})
	cmd.Example = `  signalbox task send escalation --task T-2026-044 --role executor \
    --kind conflict --severity warning --suggest "Drop the second" \
    -m "The criteria contradict each other"`
	f := cmd.Flags()
	f.StringVar(&from, "role", "", "your `role`: coordinator, executor, reviewer or system (SIGNALBOX_ROLE)")
	f.StringVar(&kind, "kind", "", "`kind` of problem: hallucination_lock, ack_timeout, branch_violation, ci_failure, conflict, heartbeat_timeout, permission_denied or unknown")
	f.StringVar(&severity, "severity", "", "critical, warning or info")
	cli.MessageFlag(f, &s.lines, "what the admin should know")
	f.StringVar(&by, "triggered-by", "", "`role` that is responsible (default: the sender)")
	f.StringArrayVar(&affected, "affected", nil, "`id` of a message that it is about; may be repeated (default: the newest)")
	f.StringArrayVar(&suggested, "suggest", nil, "`action` that the admin could take; may be repeated")
	f.BoolVar(&suspended, "suspended", true, "the sender waits for the admin")
	return cmd
}

// lastAcknowledged returns the id of the newest acknowledged message that is not an
// escalation, as the watchdog names it.
func (v *taskView) lastAcknowledged() string {
	if v.task == nil {
		return ""
	}
	h := &v.task.History
	for i := range slices.Backward(h.Messages) {
		m := &h.Messages[i]
		acked := func(a agn.Ack) bool { return a.MsgID == m.ID && a.By == m.To }
		if m.Type != agn.TypeEscalation && slices.ContainsFunc(h.Acks, acked) {
			return m.ID
		}
	}
	return ""
}
