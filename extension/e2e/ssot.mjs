// A directory of AMP/1.0 tasks for the tests, written the way agents write it:
// one file for each message and each ACK.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const timeOf = (millis) => new Date(millis).toISOString().replace(/\.(\d+)Z$/, '.$1+00:00');

const routes = {
  task_dispatch: { from: 'coordinator', to: 'executor', ack: 300 },
  task_result: { from: 'executor', to: 'coordinator', ack: 120 },
  review_request: { from: 'coordinator', to: 'reviewer', ack: 600 },
  review_verdict: { from: 'reviewer', to: 'coordinator', ack: 60 },
  escalation: { from: 'coordinator', to: 'admin', ack: 0 },
};

export class Ssot {
  /** dir: the directory, which need not exist. repo: the repository that dispatches name. */
  constructor(dir, repo) {
    this.dir = dir;
    this.repo = repo;
    for (const folder of ['tasks', 'messages', 'acks', 'resumes'])
      mkdirSync(join(dir, folder), { recursive: true });
  }

  /** A message with its place; nothing is written yet. */
  message(type, task, millis, payload, more = {}) {
    const { from, to, ack } = routes[type];
    const id = `${type}-${task}-${millis}`;
    const envelope = {
      msg_id: id,
      protocol_version: 'AMP/1.0',
      type,
      from,
      to,
      task_id: task,
      timestamp: timeOf(millis),
      requires_ack: ack > 0,
      ...(ack > 0 ? { ack_timeout_sec: ack } : {}),
      payload,
      ...more,
    };
    return {
      id,
      file: join(this.dir, 'messages', task, `${id}.json`),
      text: `${JSON.stringify(envelope, null, 2)}\n`,
      to,
      millis,
    };
  }

  /** Writes a message from this process, and its receiver's ACK if one is wanted. */
  write(message, acked = true) {
    put(message.file, message.text);
    if (acked) this.ack(message);
    return message.id;
  }

  ack({ id, to, millis }) {
    const record = { format: 'signalbox-ack/1', msg_id: id, by: to, timestamp: timeOf(millis + 5_000) };
    put(this.#record('acks', id), `${JSON.stringify(record, null, 2)}\n`);
  }

  /** The ACK or the answer to a message as it is on disk; undefined without one. */
  record(folder, id) {
    const file = this.#record(folder, id);
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  }

  /** The names of all ACKs or answers. */
  records(folder) {
    return readdirSync(join(this.dir, folder));
  }

  #record(folder, id) {
    return join(this.dir, folder, `${id}.json`);
  }
}

function put(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { flag: 'wx' });
}

/** Writes a message from another process, as an agent does: whole, under its own name at once. */
export function writeElsewhere({ file, text }) {
  const script =
    'const fs=require("fs");const [,file,text]=process.argv;' +
    'fs.mkdirSync(require("path").dirname(file),{recursive:true});' +
    'fs.writeFileSync(file+".tmp",text);fs.renameSync(file+".tmp",file);';
  execFileSync(process.execPath, ['-e', script, file, text]);
}

/** Hostile text, for any field of a message. */
export const hostileText =
  'Stop now <script>document.title="owned"</script><img src="https://example.com/p.png" onerror="alert(1)"> ' +
  '[quit](command:workbench.action.quit) [js](javascript:alert(1)) bidi \u202egnp.exe\u202c end';

/** Writes a task that is locked after three rejections and not escalated yet. */
export function writeLockedTask(ssot, task, now) {
  const at = (minutes) => now - Math.round(minutes * 60_000);
  const criteria = ['Resume after suspension, error below 500 ms', 'All tests pass'];
  const dispatch = ssot.write(
    ssot.message('task_dispatch', task, at(29), {
      description:
        'Rebuild the timing of the breathing engine and mend the timer that stops in the background',
      repo: ssot.repo,
      branch: 'feature/engine',
      subtasks: [
        { subtask_id: `${task}-S1`, description: 'Replace the timer', estimated_lines: 60 },
        { subtask_id: `${task}-S2`, description: 'Handle the background', estimated_lines: 30 },
      ],
      acceptance_criteria: criteria,
      risk_level: 'medium',
      forbidden_actions: ['Change the permission statement'],
    }),
  );
  let verdict = '';
  for (let round = 0; round < 3; round++) {
    const start = 26 - round * 8;
    const result = ssot.write(
      ssot.message('task_result', task, at(start), {
        subtask_id: `${task}-S1`,
        completion_status: 'complete',
        diff_summary: { files_changed: ['engine.ts'], lines_added: 40 + round, lines_removed: 12 },
        self_assessment: { criteria_met: [true, null], notes: ['measured in the simulator', 'the CI runs'] },
        work_log: [
          { timestamp: timeOf(at(start)), action: 'replace_timer', file: 'engine.ts', detail: 'done' },
        ],
        commit_hash: `a3f8d2${round}`,
      }),
    );
    const request = ssot.message('review_request', task, at(start - 1), {
      original_dispatch_ref: dispatch,
      task_result_ref: result,
      review_scope: round === 0 ? 'full' : 'incremental',
      diff_url: 'https://example.com/compare/main...feature/engine',
      reject_count: round,
      coordinator_notes: round < 2 ? 'Look at the life cycle' : 'Lock is approaching',
      ci_status: { xcode_cloud: 'passed' },
    });
    ssot.write(request);
    verdict = ssot.write(
      ssot.message('review_verdict', task, at(start - 5), {
        decision: 'rejected',
        criteria_results: criteria.map((criterion) => ({
          criterion,
          passed: false,
          evidence: 'The session is not held, so that the count starts from the beginning.',
        })),
        issues: [
          {
            severity: 'critical',
            file: 'engine.ts',
            line: 3,
            description: `No reference to the session is held. ${round < 2 ? '' : hostileText}`,
            suggested_fix: 'Keep `session` as a member and invalidate it at the end.',
          },
        ],
        confidence: 0.95,
      }),
    );
  }
  return { dispatch, verdict };
}

/** The escalation of the locked task, from its coordinator. */
export function lockEscalation(ssot, task, { dispatch, verdict }, millis, description) {
  return ssot.message(
    'escalation',
    task,
    millis,
    {
      escalation_type: 'hallucination_lock',
      severity: 'critical',
      triggered_by: 'coordinator',
      description,
      affected_msgs: [dispatch, verdict, `task_dispatch-T-2020-001-1577836800000`],
      system_state_snapshot: { task_status: 'locked', reject_count: 3, last_successful_msg_id: dispatch },
      suggested_actions: [
        'Review the diff yourself and say which code to change',
        'Split the task into smaller subtasks and dispatch them again',
        'Terminate the task and keep the branch',
      ],
      auto_suspended: true,
    },
    { context_ref: [verdict] },
  );
}

/** A dispatch whose ACK is long overdue. */
export function overdueDispatch(ssot, task, millis) {
  return ssot.message('task_dispatch', task, millis, {
    description: 'Write the release notes',
    repo: ssot.repo,
    branch: 'docs/notes',
    subtasks: [{ subtask_id: `${task}-S1`, description: 'Write them', estimated_lines: 20 }],
    acceptance_criteria: ['They name every change'],
    risk_level: 'low',
  });
}
