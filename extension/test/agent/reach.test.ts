// How an agent is reached: what buttons say, which threads have a box, and what starts one.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Reach } from '../../src/protocol';
import { hasBox, reachWords } from '../../src/agent/reach';
import { proposal, startArguments } from '../../src/agent/startLine';

const t = (text: string): string => text;

describe('how an agent is reached', () => {
  const words = reachWords(t);
  for (const [reach, button] of [
    ['send', 'Send at Next Step'],
    ['wake', 'Send and Wake'],
    ['type', 'Send and Wake'],
    ['wait', 'Leave Message'],
    ['continue', 'Continue Here…'],
    ['setUp', 'Set Up…'],
    ['begin', 'Leave Message'],
  ] as const)
    it(`${reach} says what the button does`, () => assert.equal(words[reach].button, button));

  const session = (reach: Reach | undefined) => ({
    agent: {
      ...{ name: 'Codex', dir: '', threadId: '', toolCalls: 0 },
      session: { client: 'codex', id: '1', folder: '/', ...(reach === undefined ? {} : { reach }) },
    },
  });
  it('has a box where something reaches the agent', () => {
    for (const reach of ['send', 'wake', 'type', 'wait', 'continue'] as const)
      assert.ok(hasBox(session(reach)), reach);
    assert.ok(!hasBox(session('setUp')));
    assert.ok(!hasBox(session(undefined)));
    assert.ok(!hasBox({}));
  });
});

describe('what starts an agent', () => {
  it('is a command that asks, whose name is no option', () => {
    assert.deepEqual(startArguments({ name: '--yes', client: 'claude', promptFile: '/p.md' }), [
      ...['worktree', 'add', '--agent', 'claude', '--prompt-file', '/p.md', '--', '--yes'],
    ]);
    assert.deepEqual(startArguments({ name: 'tests', client: 'codex', promptFile: '' }), [
      ...['worktree', 'add', '--agent', 'codex', '--start', '--', 'tests'],
    ]);
  });
  it('is named after its task, or after the branch of a work tree that was removed', () => {
    const task = { id: 'T-2026/044 x', title: 'Parse dates' };
    const named = { name: 't-2026-044-x', prompt: 'T-2026/044 x: Parse dates' };
    assert.deepEqual(proposal({ kind: 'task', task }), named);
    const removed = proposal({ kind: 'group', group: { branch: 'login', gone: true } });
    assert.deepEqual(removed, { name: 'login', prompt: '' });
    // Git checks out a branch in one work tree alone.
    for (const row of [undefined, { kind: 'group', group: { branch: 'login' } }] as const)
      assert.deepEqual(proposal(row), { name: '', prompt: '' });
  });
});
