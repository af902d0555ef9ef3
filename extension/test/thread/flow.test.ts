// The layout of a conversation: heads, days, pauses and folded tool calls.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MessageItem, ToolPart } from '../../src/protocol';
import { beginningOf, runsOf, totalsOf } from '../../src/thread/flow';
import { message } from '../samples';

const minute = 60_000;
const noon = new Date(2026, 2, 4, 12).getTime();

const tool = (change: Partial<ToolPart> = {}): ToolPart => ({
  index: 0,
  name: 'Bash',
  title: '',
  status: 'completed',
  kind: '',
  duration: -1,
  input: '',
  output: '',
  locations: [],
  ...change,
});

const turn = (id: string, at: number, ...tools: readonly ToolPart[]): MessageItem => ({
  ...message(id, noon + at * minute, { from: 'Claude', to: '' }),
  turn: { role: 'agent', parts: tools.map((one) => ({ kind: 'tool', tool: one })) },
});

describe('the beginning of a message', () => {
  const first = turn('a', 0);
  for (const [name, given, want] of [
    ['soon after', turn('b', 5), { day: false, pause: 0, follows: true }],
    ['later', turn('b', 6), { day: false, pause: 0, follows: false }],
    ['after a pause', turn('b', 60), { day: false, pause: 60 * minute, follows: false }],
    ['on the next day', turn('b', 13 * 60), { day: true, pause: 0, follows: false }],
    ['of another author', { ...turn('b', 1), from: 'Codex' }, { day: false, pause: 0, follows: false }],
    ['to another one', { ...turn('b', 1), to: 'Codex' }, { day: false, pause: 0, follows: false }],
    ['with a mark', { ...turn('b', 1), marks: ['late'] }, { day: false, pause: 0, follows: false }],
    ['with a clock that goes back', turn('b', -1), { day: false, pause: 0, follows: false }],
  ] as const)
    it(name, () => assert.deepEqual(beginningOf(given, first), want));

  it('of all', () =>
    assert.deepEqual(beginningOf(first, undefined), { day: true, pause: 0, follows: false }));

  it('that was cut off tells so in its own head', () => {
    const cut = { ...turn('b', 1), turn: { role: 'agent', stopReason: 'max_tokens', parts: [] } };
    assert.equal(beginningOf(cut, first).follows, false);
  });
});

describe('tool calls', () => {
  const ids = (messages: readonly MessageItem[]): readonly (readonly string[])[] =>
    runsOf(messages).map((piece) => piece.map(({ id }) => id));

  it('stand together from three on', () => {
    assert.deepEqual(ids([turn('a', 0, tool()), turn('b', 1, tool()), turn('c', 2, tool())]), [
      ['a', 'b', 'c'],
    ]);
    assert.deepEqual(ids([turn('a', 0, tool()), turn('b', 1, tool())]), [['a'], ['b']]);
  });

  it('that run or wait stay alone', () =>
    assert.deepEqual(
      ids([turn('a', 0, tool(), tool()), turn('b', 1, tool()), turn('c', 2, tool({ status: 'running' }))]),
      [['a', 'b'], ['c']],
    ));

  it('end where the agent writes, or somebody else', () => {
    const words = turn('b', 1, tool());
    const withText = { ...words, turn: { role: 'agent', parts: [{ kind: 'text' as const, html: 'x' }] } };
    const many = [tool(), tool(), tool()];
    assert.deepEqual(ids([turn('a', 0, ...many), withText, turn('c', 2, ...many)]), [['a'], ['b'], ['c']]);
    assert.deepEqual(ids([turn('a', 0, ...many), { ...turn('b', 1, ...many), from: 'Codex' }]), [
      ['a'],
      ['b'],
    ]);
  });

  it('are counted, and a failed edit changed nothing', () => {
    const diff = { path: 'a', added: 4, removed: 1 };
    assert.deepEqual(totalsOf([tool({ diff }), tool({ diff }), tool({ diff, status: 'failed' }), tool()]), {
      tools: 4,
      edits: 2,
      added: 8,
      removed: 2,
      failed: 1,
    });
  });
});
