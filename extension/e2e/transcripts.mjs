// What Claude Code and Codex record of their sessions, in the form that their real runs
// have (core/session/*/testdata), for a home of a test.

import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const version = '2.1.330';

/** A session of Claude Code in a folder. Records are written as they are added. */
export class ClaudeSession {
  #at;
  #base;
  #count = 0;

  constructor(home, folder, id, { branch = 'main', at = Date.now() - 3_600_000 } = {}) {
    this.file = join(home, '.claude/projects', folder.replaceAll(/[^A-Za-z0-9]/g, '-'), `${id}.jsonl`);
    this.#at = at;
    this.#base = { cwd: folder, sessionId: id, version, gitBranch: branch, userType: 'external' };
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(this.file, '');
  }

  #write(type, message, more = {}) {
    this.#at += 1_000;
    this.#count++;
    this.#line({
      type,
      message,
      uuid: this.#uuid(),
      timestamp: new Date(this.#at).toISOString(),
      isSidechain: false,
      ...this.#base,
      ...more,
    });
  }

  #line(record) {
    appendFileSync(this.file, `${JSON.stringify(record)}\n`);
  }

  /** Returns the id of the newest record. */
  #uuid() {
    return `00000000-0000-4000-8000-${String(this.#count).padStart(12, '0')}`;
  }

  prompts(text) {
    this.#write('user', { role: 'user', content: text });
  }

  #says(block, stop) {
    const id = `msg_${String(this.#count)}`;
    this.#write('assistant', {
      ...{ id, role: 'assistant', type: 'message', model: 'claude-opus-5-5', stop_reason: stop },
      content: [block],
      usage: { input_tokens: 1000, output_tokens: 10 },
    });
  }

  thinks(thinking) {
    this.#says({ type: 'thinking', thinking, signature: 'c2ln' }, 'tool_use');
  }

  says(text) {
    this.#says({ type: 'text', text }, 'end_turn');
  }

  /** Has said something and could not go on. */
  breaksOff(text, why = 'max_tokens') {
    this.#says({ type: 'text', text }, why);
  }

  calls(id, name, input) {
    this.#says({ type: 'tool_use', id, name, input }, 'tool_use');
  }

  ends(id, content, { failed = false, result = {} } = {}) {
    const block = { type: 'tool_result', tool_use_id: id, content, ...(failed ? { is_error: true } : {}) };
    const uuid = this.#uuid();
    this.#write(
      'user',
      { role: 'user', content: [block] },
      { toolUseResult: result, sourceToolAssistantUUID: uuid },
    );
  }

  /** Tells what other sessions call this one. */
  named(agentName) {
    this.#line({ type: 'agent-name', agentName, sessionId: this.#base.sessionId });
  }

  /** Has a message of another session in its queue. */
  queues(from, text) {
    const content = `<cross-session-message from-name="${from}">\n${text}\n</cross-session-message>`;
    this.#line({ type: 'queue-operation', operation: 'enqueue', content, sessionId: this.#base.sessionId });
  }

  /** Whether the program has written a text down. */
  has(text) {
    return readFileSync(this.file, 'utf8').includes(text);
  }

  exits() {
    this.#line({ type: 'cost-state', sessionId: this.#base.sessionId });
  }
}

/** Writes a short session of Codex in a folder. */
export function writeCodexSession(home, folder, id, { branch, prompt, answer, at = Date.now() - 7_200_000 }) {
  const day = new Date(at).toISOString();
  const file = join(
    ...[home, '.codex/sessions', day.slice(0, 10).replaceAll('-', '/')],
    `rollout-${day.slice(0, 19).replaceAll(':', '-')}-${id}.jsonl`,
  );
  const said = (role, type, text) => ({
    type: 'response_item',
    payload: { type: 'message', role, id: `msg_${role}`, content: [{ type, text }] },
  });
  const records = [
    {
      type: 'session_meta',
      payload: { id, cwd: folder, cli_version: '0.169.0', originator: 'codex_exec', git: { branch } },
    },
    { type: 'turn_context', payload: { cwd: folder, model: 'gpt-5.5' } },
    said('user', 'input_text', prompt),
    said('assistant', 'output_text', answer),
    { type: 'event_msg', payload: { type: 'task_complete', last_agent_message: answer } },
  ];
  mkdirSync(dirname(file), { recursive: true });
  const lines = records.map((record) => `${JSON.stringify({ timestamp: day, ...record })}\n`);
  writeFileSync(file, lines.join(''));
}
