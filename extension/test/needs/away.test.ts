import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fill } from '../../src/fill';
import { awayMillis, awayWords, leaving, wasAway } from '../../src/needs/away';
import type { AgentItem, NeedItem } from '../../src/protocol';
import { agent, need, question } from '../needSamples';

const left = leaving(1_000, [agent('a', { state: 'working' }), agent('b', { state: 'idle', since: 500 })]);

describe('while the user is away', () => {
  it('nothing is said of a short absence', () => {
    assert.equal(wasAway(left, 1_000 + awayMillis - 1), false);
    assert.equal(wasAway(left, 1_000 + awayMillis), true);
  });

  const said: readonly (readonly [string, readonly AgentItem[], readonly NeedItem[], string])[] = [
    ['nothing new', [agent('b', { since: 500 })], [need({ question: question('q'), time: 900 })], ''],
    ['an agent at rest that ends', [agent('b', { state: 'ended', since: 2_000 })], [], ''],
    ['one that works on', [agent('a', { state: 'working', since: 2_000 })], [], ''],
    [
      'one of each',
      [agent('a', { since: 2_000 }), agent('c', { state: 'waiting', since: 2_000 })],
      [need({ question: question('q'), time: 2_000 })],
      'While you were away: 1 agent finished, 1 waits, 1 question',
    ],
    [
      'several, also of agents that began meanwhile',
      [agent('a', { since: 2_000 }), agent('d', { state: 'ended', since: 2_000 })],
      [need({ question: question('q'), time: 2_000 }), need({ question: question('r'), time: 3_000 })],
      'While you were away: 2 agents finished, 2 questions',
    ],
  ];
  for (const [name, agents, needs, words] of said)
    it(name, () => assert.equal(awayWords(fill, left, agents, needs), words));
});
