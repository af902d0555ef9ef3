// A busy afternoon for the tests: agents in worktrees that wait, ask, work, have failed and
// have ended. What their programs tell comes by the real hooks and transcripts, and their
// mail by records; only the time at which it was told is put back.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { append, record } from './mail.mjs';
import { serverBin } from './scene.mjs';
import { Ssot } from './ssot.mjs';
import { ClaudeSession } from './transcripts.mjs';
import { until } from './wait.mjs';
import { makeRepository } from './worktrees.mjs';

const minute = 60_000;

/** The branches of the project, each with a worktree of its own. */
export const branches = [
  'fix/login',
  'docs/api',
  'feat/sessions',
  'release/2.4',
  'checkout-v2',
  'chore/deps',
  'spike/queue',
];

export class Office {
  #agents = [];
  #count = 0;

  /** The scene's workspace becomes the main checkout. */
  constructor(scene) {
    this.home = join(scene.dir, 'editor/home');
    this.mail = scene.mail;
    this.state = join(this.home, '.local/state/signalbox');
    mkdirSync(this.mail, { recursive: true });
    mkdirSync(join(scene.workspace, 'src'), { recursive: true });
    for (const name of ['auth.ts', 'store.ts', 'pay.ts', 'api.md'])
      writeFileSync(join(scene.workspace, 'src', name), linesOf(name, 120));
    this.folders = makeRepository(this.home, scene.workspace, branches);
  }

  /** An agent that has a session in the worktree of a branch. Its program is the process of the test. */
  async agent(alias, branch, { prompt = `Work on ${branch}.`, minutes = 90 } = {}) {
    const id = `d1b4364c-ee3a-4d15-b4ec-${String(++this.#count).padStart(12, '0')}`;
    const agent = new OfficeAgent(this, { alias, branch, id, folder: this.folders[branch] });
    this.#agents.push(agent);
    await agent.begins(prompt, minutes);
    return agent;
  }

  /**
   * A session of a program that tells less than Claude Code does, as its hook writes it. It runs
   * as long as the process of the test.
   */
  session(client, alias, branch, state, minutes, more = {}) {
    const id = String(++this.#count);
    const folder = this.folders[branch];
    const now = Date.now();
    const session = {
      ...{ client, session: id, alias, folder, worktree: folder, branch, state },
      ...{ since: now - Math.round(minutes * minute), heard: now, process: { pid: process.pid } },
      ...more,
    };
    const sessions = join(this.state, 'sessions');
    mkdirSync(sessions, { recursive: true });
    writeFileSync(join(sessions, `${client}-${id}.json`), JSON.stringify(session));
  }

  /** A message to the person, so many minutes ago. Returns its thread. */
  writes(from, minutes, text, thread = `${from}-${++this.#count}`) {
    const at = Math.floor((Date.now() - minutes * minute) / 1000);
    append(this.mail, record(at, from, 'bob', thread, text));
    return thread;
  }

  /** An escalation that stops the agents of a task. */
  escalates(project, minutes, description, actions) {
    const ssot = new Ssot(join(project, '.ssot'), project);
    const task = 'T-2026-044';
    const at = Date.now() - minutes * minute;
    const dispatch = ssot.write(
      ssot.message('task_dispatch', task, at - 10 * minute, {
        description: 'Move the checkout to one payment provider',
        repo: ssot.repo,
        branch: 'checkout-v2',
        subtasks: [{ subtask_id: `${task}-S1`, description: 'Remove the other one', estimated_lines: 60 }],
        acceptance_criteria: ['All tests pass'],
        risk_level: 'medium',
      }),
    );
    const payload = {
      ...{ escalation_type: 'conflict', severity: 'critical', triggered_by: 'coordinator', description },
      ...{ affected_msgs: [dispatch], suggested_actions: actions, auto_suspended: true },
      system_state_snapshot: { task_status: 'suspended', reject_count: 0, last_successful_msg_id: dispatch },
    };
    ssot.write(ssot.message('escalation', task, at, payload), false);
  }

  /** Changes what Signalbox has written of a session or a request: when it was told. */
  async putBack(folder, name, change) {
    const file = join(this.state, folder, name);
    await until(`${folder}/${name}`, () => existsSync(file));
    writeFileSync(`${file}.new`, change(readFileSync(file, 'utf8')), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }

  /** The number of a process that a program wrote into a file; undefined as long as it did not. */
  pidIn(file) {
    const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    return text === '' ? undefined : Number(text);
  }

  /** The names of the requests that wait. */
  requests() {
    const folder = join(this.state, 'requests');
    return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  }

  /** Ends every program that waits. */
  close() {
    for (const agent of this.#agents) agent.stop();
  }
}

class OfficeAgent {
  #office;
  #hooks = [];

  constructor(office, { alias, branch, id, folder }) {
    this.#office = office;
    Object.assign(this, { alias, branch, id, folder });
  }

  async begins(prompt, minutes) {
    this.log = new ClaudeSession(this.#office.home, this.folder, this.id, {
      branch: this.branch,
      at: Date.now() - minutes * minute,
    });
    this.log.prompts(prompt);
    this.log.named(this.alias);
    await this.hook('SessionStart', { transcript_path: this.log.file }).ended;
    await this.hook('UserPromptSubmit', { prompt }).ended;
  }

  /** Runs the hook of an event, as the program does. */
  hook(event, more = {}) {
    const hook = new Hook(this.#office.home, this, event, more);
    this.#hooks.push(hook);
    return hook;
  }

  /** Asks for something, so many minutes ago; returns the hook that waits for the answer. */
  async asks(minutes, tool_name, tool_input, more = {}) {
    const known = this.#office.requests();
    const hook = this.hook('PermissionRequest', { tool_name, tool_input, ...more });
    const name = await until(`the request of ${this.alias}`, () =>
      this.#office.requests().find((one) => !known.includes(one)),
    );
    const since = Date.now() - Math.round(minutes * minute);
    await this.#office.putBack('requests', name, (text) =>
      text.replace(/"since":\d+,"until":/, `"since":${since},"until":`),
    );
    await this.was('waiting', minutes, { for: undefined });
    return hook;
  }

  /** Has been in a state for so many minutes. */
  async was(state, minutes, more = {}) {
    await this.#office.putBack('sessions', `claude-${this.id}.json`, (text) => {
      const session = JSON.parse(text);
      const { for: words = session.for } = more;
      return JSON.stringify({ ...session, state, for: words, since: Date.now() - minutes * minute, ...more });
    });
  }

  /** Has said something and sits at its prompt. */
  async stops(minutes, text) {
    this.log.says(text);
    await this.hook('Stop').ended;
    await this.was('idle', minutes);
  }

  /** Changes a file of its worktree, as its log and the file say. */
  edits(name, { added, removed }) {
    const file = join(this.folder, 'src', name);
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    const old = lines.slice(0, removed);
    const fresh = Array.from({ length: added }, (_, n) => `${this.alias} wrote line ${n + 1}`);
    writeFileSync(file, [...fresh, ...lines.slice(removed)].join('\n'));
    const call = `toolu_${this.id.slice(-4)}${name.replace('.', '')}`;
    const input = { file_path: file, old_string: old.join('\n'), new_string: fresh.join('\n') };
    this.log.calls(call, 'Edit', input);
    const hunk = {
      ...{ oldStart: 1, oldLines: removed, newStart: 1, newLines: added },
      lines: [...old.map((line) => `-${line}`), ...fresh.map((line) => `+${line}`)],
    };
    this.log.ends(call, `The file ${file} has been updated.`, {
      result: {
        ...{ filePath: file, oldString: input.old_string, newString: input.new_string },
        ...{ structuredPatch: [hunk], userModified: false, replaceAll: false },
      },
    });
  }

  /** Its program ends. */
  async ends(minutes) {
    this.log.exits();
    await this.hook('SessionEnd', { reason: 'other' }).ended;
    await this.was('ended', minutes);
  }

  stop() {
    for (const hook of this.#hooks) hook.process.kill();
  }
}

/** A hook that was run for an event, as Claude Code runs it. */
export class Hook {
  constructor(home, { alias, folder, id }, event, more = {}) {
    this.out = '';
    this.process = spawn(serverBin, ['hook', 'claude'], {
      cwd: folder,
      env: { HOME: home, PATH: process.env.PATH, SIGNALBOX_AS: alias },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.process.stdout.on('data', (part) => {
      this.out += String(part);
    });
    this.ended = once(this.process, 'close');
    this.process.stdin.end(JSON.stringify({ session_id: id, cwd: folder, hook_event_name: event, ...more }));
  }

  /** Returns what it decided, once it has ended. */
  async decision() {
    await this.ended;
    return JSON.parse(this.out).hookSpecificOutput.decision;
  }
}

const linesOf = (name, count) =>
  Array.from({ length: count }, (_, n) => `// ${name}, line ${n + 1}\n`).join('');
