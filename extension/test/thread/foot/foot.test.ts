// The box under a thread: its note and its button in each state.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fill } from '../../../src/fill';
import { requestWords } from '../../../src/request/requestWords';
import type { AgentRequest, Reach } from '../../../src/protocol';
import { footOf, noFacts, type FootState } from '../../../src/thread/foot/foot';
import { footWords } from '../../../src/thread/foot/footWords';
import { reachWords } from '../../../src/agent/reach';

const words = { foot: footWords(fill), request: requestWords(fill), reach: reachWords(fill) };
const now = Date.UTC(2026, 10, 27, 14, 0);
const minute = 60_000;

const at = (change: Partial<FootState>): FootState => ({
  ...{ name: 'coder', from: 'dev', reach: undefined, facts: noFacts, request: undefined, mail: false },
  ...change,
});

const shown = (change: Partial<FootState>): string => {
  const { icon, note, button = 'Send', hint, takes } = footOf(at(change), words, now, 'en');
  const pieces = note.map(({ text, as }) => (as === undefined ? text : `[${as} ${text}]`)).join('');
  return `${icon}|${pieces}|${button}|${hint}|${takes}`;
};

const reached = (reach: Reach, facts: Partial<FootState['facts']> = {}): Partial<FootState> => ({
  reach,
  facts: { ...noFacts, ...facts },
});

const request = (change: Partial<AgentRequest>): AgentRequest => ({
  ...{ id: '1', hash: 'h', kind: 'permission', tool: 'Bash', since: now, until: now },
  ...{ input: [{ name: 'command', text: 'rm -rf build' }] },
  ...change,
});

const asks = (options: readonly string[], more: object = {}): AgentRequest =>
  request({
    kind: 'question',
    input: [],
    questions: [{ text: 'Which?', options: options.map((label) => ({ label })), ...more }],
  });

describe('the box under a thread', () => {
  const cases: readonly (readonly [string, Partial<FootState>, string])[] = [
    [
      'of an agent at work',
      reached('send', { since: now - 3 * minute }),
      'spin|Working for 3m. Reaches it at its next step.|Send at Next Step|Message coder…|message',
    ],
    [
      'of one that has just begun',
      reached('send', { since: now - 2_000 }),
      'spin|Working. Reaches it at its next step.|Send at Next Step|Message coder…|message',
    ],
    [
      'of one that is idle in a terminal of this window',
      reached('type', { terminal: 'claude' }),
      'idle|Idle in [terminal Terminal “claude”] of this window.|Send and Wake|Message coder…|message',
    ],
    [
      'of one that is idle elsewhere and can be woken',
      reached('wake'),
      'idle|Idle outside this window. This wakes it.|Send and Wake|Message coder…|message',
    ],
    [
      'of one that nothing wakes',
      reached('wait'),
      'idle|Idle outside this window. It reads this when somebody goes on there.|Leave Message|Message coder…|message',
    ],
    [
      'of one that has ended',
      reached('continue', {
        since: now - 180 * minute,
        folder: 'shop-deps',
        command: 'claude --resume 4f1c09 "…"',
      }),
      'ended|Ended 3h ago. Opens a terminal in shop-deps: [code claude --resume 4f1c09 "…"]|Continue Here…|What should coder do next?|message',
    ],
    [
      'of one that ended long ago, whose command is not known yet',
      reached('continue', { since: now - 20 * 24 * 60 * minute }),
      'ended|Ended on Nov 7. Its program goes on with this in a terminal.|Continue Here…|What should coder do next?|message',
    ],
    [
      'of a work tree without an agent',
      reached('begin'),
      'idle|No agent is at work: the next one reads this.|Leave Message|Message coder…|message',
    ],
    ['of a person', { name: 'carol' }, '|dev → carol|Send|Write a reply. Markdown works.|message'],
    [
      'of one that wants to run a command: it can only deny',
      { ...reached('send'), request: request({}) },
      '|Denies the command; coder reads why and goes on.|Deny and Tell coder|Or say what coder should do instead…|no',
    ],
    [
      'of one that wants to write a file',
      { request: request({ input: [{ name: 'file_path', text: '/a' }] }) },
      '|Denies it; coder reads why and goes on.|Deny and Tell coder|Or say what coder should do instead…|no',
    ],
    [
      'of one that shows a plan',
      { request: request({ kind: 'plan', input: [] }) },
      '|Sends the plan back; coder reads why and goes on planning.|Keep Planning and Tell coder|Or say what should change in the plan…|no',
    ],
    [
      'of one that asks',
      { request: asks(['a', 'b', 'c', 'd']) },
      '|Alt+1 to Alt+3 send an option.|Send Answer|Or answer in your own words…|answer',
    ],
    [
      'of a message that asks',
      { request: asks(['yes']), mail: true },
      '|Alt+1 sends the option.|Send Answer|Or answer in your own words…|message',
    ],
    [
      'of one that takes no own words',
      { request: asks(['a', 'b'], { closed: true }) },
      '|Answers nothing; coder reads why and goes on.|Decline and Tell coder|Or say why you do not answer…|no',
    ],
    [
      'of a form',
      { request: asks(['a', 'b'], { multiple: true }) },
      '|Answers nothing; coder reads why and goes on.|Decline and Tell coder|Or say why you do not answer…|no',
    ],
  ];
  for (const [title, state, expected] of cases) it(title, () => assert.equal(shown(state), expected));
});
