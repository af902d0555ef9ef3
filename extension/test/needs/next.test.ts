// The item offered after an answer: the one that waits longest, apart from the thread itself.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextStep } from '../../src/needs/next';
import type { NeedItem, Ref } from '../../src/protocol';

const ref = (id: string): Ref => ({ protocol: 'samp', store: '/m', id });
const question = (id: string, title: string, from: string): NeedItem =>
  ({
    ...{ kind: 'question', section: 'questions', urgent: false, time: 1 },
    question: { thread: { ref: ref(id), title }, message: ref(`${id}-1`), from, text: 'Which?', time: 1 },
  }) as unknown as NeedItem;
const request = {
  ...{ kind: 'agent', section: 'blocked', urgent: true, time: 1 },
  agent: { alias: 'coder', client: 'claude', state: 'waiting', thread: ref('session') },
  request: { input: [{ name: 'command', text: 'git push\nnow' }] },
} as unknown as NeedItem;

describe('what needs the user next', () => {
  const offered = (items: readonly NeedItem[], thread: string): string => {
    const step = nextStep(items, ref(thread), () => undefined);
    return step === undefined ? '' : `${step.title} · ${step.who}`;
  };

  it('is the first of the list, by its command or its thread', () => {
    const items = [request, question('a', 'Flaky test', 'planner')];
    assert.equal(offered(items, 'b'), 'git push · coder');
    assert.equal(offered(items, 'session'), 'Flaky test · planner');
  });

  it('is never the thread itself', () =>
    assert.equal(offered([question('a', 'Flaky test', 'planner')], 'a'), ''));
});
