package claude

import (
	"cmp"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/session"
)

// systems maps each kind of system record that is shown to its function.
var systems = map[string]kind{
	"compact_boundary": func(l *session.Log, r *record) {
		text := "the conversation was compacted"
		if r.CompactMetadata.Trigger == "manual" {
			text += ", as the person asked"
		}
		l.Note(r.at, text)
	},
	"api_error": func(l *session.Log, r *record) {
		l.Note(r.at, "the API answered with an error; try "+
			strconv.FormatInt(r.RetryAttempt, 10)+" of "+strconv.FormatInt(r.MaxRetries, 10)+" follows")
	},
	"turn_duration": func(l *session.Log, _ *record) { endTurn(l) },
	"stop_hook_summary": func(l *session.Log, r *record) {
		if len(r.HookErrors) == 0 {
			endTurn(l)
		}
	},
	"model_fallback":         modelFallback,
	"model_consent_fallback": modelFallback,
	"model_refusal_fallback": modelFallback,
	"permission_retry":       func(l *session.Log, r *record) { l.Note(r.at, "a permission was given after all") },
	"scheduled_task_fire":    func(l *session.Log, r *record) { l.Note(r.at, "a scheduled task began") },
	"agents_killed":          func(l *session.Log, r *record) { l.Note(r.at, "the agents in the background were stopped") },
}

// ignoredSystems lists the kinds of system records that are not part of the conversation.
const ignoredSystems words = `api_metrics away_summary bridge_state bridge_status checkpoint_done
	file_snapshot informational init instruction_size_warning local_command memory_recall
	memory_saved microcompact_boundary model_refusal_no_fallback notification
	per_turn_effort_changed post_turn_summary read_divider rewind_stand_in session_metadata
	session_state_changed session_title_changed status task_notification task_progress
	task_started task_summary task_updated thinking thinking_tokens vcs_state_changed`

func system(l *session.Log, r *record) { dispatch(l, r, r.Subtype, systems, ignoredSystems) }

// dispatch calls the function in kinds for a name. If there is none and the name is not ignored, it
// notes an unknown record.
func dispatch(l *session.Log, r *record, name string, kinds map[string]kind, ignored words) {
	if apply := kinds[name]; apply != nil {
		apply(l, r)
	} else if !ignored.has(name) {
		l.Unknown(r.at, r.Type+" "+name)
	}
}

// endTurn sets the state of an agent that has finished its work.
func endTurn(l *session.Log) {
	if l.State == session.Working {
		l.SetState(session.Idle, "")
	}
}

func modelFallback(l *session.Log, r *record) {
	text := "another model took over"
	if r.FallbackModel != "" {
		text += ": " + session.FirstLine(r.FallbackModel)
	}
	l.Note(r.at, text)
}

// attachment is a text that the program added to a prompt or to a tool's result.
type attachment struct {
	Type, HookName, HookEvent string
	Message, Stderr, Decision string
	Content                   leaves
	BlockingError             struct{ BlockingError string }
	Identity                  struct{ ModelID string }

	// Prompt was typed while the agent worked.
	Prompt      content
	CommandMode string
	IsMeta      bool
	// Messages are messages of teammates.
	Messages []struct{ From, Text string }
}

// attachments maps each kind of attachment that is shown to its function.
var attachments = map[string]kind{
	"model": func(l *session.Log, r *record) { l.Model = cmp.Or(r.Attachment.Identity.ModelID, l.Model) },
	"queued_command": func(l *session.Log, r *record) {
		prompt(l, r, r.UUID, r.Attachment.Prompt, r.Attachment.IsMeta)
	},
	"teammate_mailbox": func(l *session.Log, r *record) {
		p := promptReader{l: l, at: r.at, id: r.UUID}
		for _, m := range r.Attachment.Messages {
			p.addPeer(cmp.Or(m.From, unknownSender), teamName(l), m.Text)
		}
	},
	"hook_success": func(l *session.Log, r *record) {
		n := len(l.Messages)
		if r.Attachment.HookName == "SessionStart:resume" && (n == 0 || !isResumed(&l.Messages[n-1])) {
			l.Note(r.at, resumedNote)
		}
	},
	"hook_blocking_error": func(l *session.Log, r *record) {
		hook(l, r, "held the agent", r.Attachment.BlockingError.BlockingError)
		l.SetState(session.Working, "")
	},
	"hook_stopped_continuation": func(l *session.Log, r *record) {
		hook(l, r, "stopped the agent", r.Attachment.Message)
		l.SetState(session.Idle, "")
	},
	"hook_non_blocking_error":     func(l *session.Log, r *record) { hook(l, r, "failed", r.Attachment.Stderr) },
	"hook_error_during_execution": func(l *session.Log, r *record) { hook(l, r, "failed", r.Attachment.Content.text()) },
	"hook_system_message":         func(l *session.Log, r *record) { hook(l, r, "said", r.Attachment.Content.text()) },
	"hook_permission_decision": func(l *session.Log, r *record) {
		if r.Attachment.Decision == "deny" {
			hook(l, r, "refused a permission", "")
		}
	},
	"max_turns_reached": func(l *session.Log, r *record) {
		l.Note(r.at, "the agent was stopped after as many turns as it may take")
		l.SetState(session.Idle, "")
	},
}

func isResumed(m *session.Message) bool {
	return len(m.Content) == 1 && m.Content[0].Type == session.TypeNote &&
		len(m.Content[0].Text) >= len(resumedNote) && m.Content[0].Text[:len(resumedNote)] == resumedNote
}

// hook adds a note about what a hook did, and why.
func hook(l *session.Log, r *record, did, why string) {
	text := "the hook " + session.FirstLine(cmp.Or(r.Attachment.HookName, r.Attachment.HookEvent)) + " " + did
	if why = session.FirstLine(why); why != "" {
		text += ": " + why
	}
	l.Note(r.at, text)
}

// ignoredAttachments lists the kinds of attachments that are only for the model: its environment
// and permissions, reminders, and files that a prompt mentions or that changed.
const ignoredAttachments words = `account_memory_recall advisor_stripped advisor_tool agent_ask_notice
	agent_listing_delta agent_mention already_read_file artifact_opening_prefetch
	async_hook_response async_hook_response_batch at_mention_reference attention_budget
	auto_mode auto_mode_exit bash_output_audience_note batching_reminder
	batching_reminder_sent budget_usd claude_app_notice command_permissions
	compact_file_reference context_efficiency context_sections coordinator_context
	cowork_memory_context credential_org critical_system_reminder date date_change
	deferred_tools_delta deferred_tools_record diagnostics dir_sync_notice directory
	document dynamic_skill edited_image_file edited_text_file elapsed_time_reminder
	environment file first_week fork_briefing goal_status hook_additional_context
	hook_cancelled hook_deferred_tool hook_progress image inlined_image_paths
	instruction_files_not_loaded instructions invoked_skills language
	linked_plugin_tools_note mcp_dropped_tools_delta mcp_instructions_delta mcp_resource
	memory_update message_pdf_reads model nested_memory opened_file_in_ide
	output_limit_note output_style output_style_instructions output_token_usage
	pdf_reference peer_mention plan_file_reference plan_mode plan_mode_exit
	plan_mode_reentry plugin_note poll_events prefix_delta proactivity project_doc_reads
	projects_thread_ask prompt_as_file prompt_render_point prompt_snapshot
	read_truncation_notice relevant_memories remote_session_change repl_mcp_needs_auth
	repl_mcp_servers sandbox_instructions secondary_reminder secondary_reminder_sent
	selected_lines_in_diff selected_lines_in_ide session_context session_cron_carry
	silent_turn_reminder skill_discovery skill_listing skill_mention structured_output
	task_reminder task_status team_context teammate_shutdown_batch thinking_drop
	thinking_stripped thread_state todo todo_reminder token_usage tool_host_result_lines
	tool_hosts_correction tool_hosts_notice tool_offer_record tool_results_cut
	tool_search_usage_reminder total_tokens_reminder ultra_effort_enter ultra_effort_exit
	ultrathink_effort unknown_command_fallback verify_plan_reminder whole_texts_withdrawn
	widget_context_hint withheld_memory workflow_keyword_request
	workflow_size_guideline_change`

func attached(l *session.Log, r *record) {
	dispatch(l, r, r.Attachment.Type, attachments, ignoredAttachments)
}
