import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fill } from '../../src/fill';
import { Away, awayMillis, awayWords, leaving, wasAway } from '../../src/needs/away';
import type { AgentsPage, AgentState, NeedItem, ThreadItem } from '../../src/protocol';
import { agent, need, question } from '../needSamples';
import { thread as sample } from '../samples';

const left = leaving(1_000, [agent('a', { state: 'working' }), agent('b', { state: 'idle', since: 500 })]);

describe('while the user is away', () => {
  it('nothing is said of a short absence', () => {
    assert.equal(wasAway(left, 1_000 + awayMillis - 1), false);
    assert.equal(wasAway(left, 1_000 + awayMillis), true);
  });

  const thread = (id: string, state: AgentState, lastTime = 2_000): ThreadItem => ({
    ...sample(id, { lastTime, group: `g:${id}` }),
    agent: { name: 'Aider', dir: id, threadId: id, toolCalls: 0, state },
  });
  const cases: readonly (readonly [string, Partial<AgentsPage>, readonly NeedItem[], string])[] = [
    [
      'nothing new',
      { agents: [agent('b', { since: 500 })] },
      [need({ question: question('q'), time: 900 })],
      '',
    ],
    ['an agent at rest that ends', { agents: [agent('b', { state: 'ended', since: 2_000 })] }, [], ''],
    ['one that works on', { agents: [agent('a', { state: 'working', since: 2_000 })] }, [], ''],
    [
      'one of each',
      { agents: [agent('a', { since: 2_000, added: 200, removed: 30 })] },
      [
        need({ agent: agent('c', { state: 'waiting' }), time: 2_000 }),
        need({ agent: agent('d', { state: 'idle', unread: 1 }), time: 2_000 }),
        need({ thread: thread('x', 'failed'), time: 2_000 }),
        need({ question: question('q'), time: 2_000 }),
      ],
      '1 agent finished (+200 −30), 1 waits, 1 failed, 1 question',
    ],
    [
      'several, also of agents that began meanwhile',
      {
        agents: [
          agent('a', { since: 2_000, added: 200, removed: 30 }),
          agent('d', { state: 'ended', since: 2_000, added: 10, removed: 10 }),
        ],
      },
      [need({ question: question('q'), time: 2_000 }), need({ question: question('r'), time: 3_000 })],
      '2 agents finished (+210 −40), 2 questions',
    ],
    [
      'agents without hooks',
      {
        agents: [
          agent('other', { state: 'done', since: 2_000, added: 7, removed: 7 }),
          agent('w', { state: 'working', since: 2_000 }),
          agent('o', { state: 'done', since: 900 }),
        ],
      },
      [need({ thread: thread('v', 'waiting'), time: 2_000 })],
      '1 agent finished (+7 −7), 1 waits',
    ],
  ];
  for (const [name, page, needs, words] of cases)
    it(name, () => assert.equal(awayWords(fill, left, { agents: [], ...page }, needs), words));

  it('says nothing of lines where none is known', () =>
    assert.equal(awayWords(fill, left, { agents: [agent('a', { since: 2_000 })] }, []), '1 agent finished'));
});

describe('the row for a user who comes back', () => {
  const here = { focused: true, active: true };
  const gone = { focused: false, active: true };
  let page: AgentsPage = { agents: [agent('a', { state: 'working' })], revision: 1, warnings: [] };
  const away = new Away(fill, {
    agents: () => Promise.resolve(page),
    needs: () => Promise.resolve([]),
  });

  it('stands there once something happened, until it is dismissed', async () => {
    await away.changed(gone, 1_000);
    assert.equal(await away.changed(here, 1_000 + awayMillis), false);
    assert.equal(away.words, '', 'nothing happened');
    await away.changed(gone, 1_000);
    page = { ...page, agents: [agent('a', { since: 2_000, added: 200, removed: 30 })] };
    assert.equal(await away.changed(here, 1_000 + awayMillis), true);
    const words = '1 agent finished (+200 −30)';
    assert.equal(away.words, words);
    assert.equal(await away.changed(here, 1_000 + 2 * awayMillis), false, 'nobody left');
    assert.notEqual(away.words, '');
    away.dismiss();
    assert.equal(away.words, '');
  });

  it('counts from when the user left, also where the window says so again', async () => {
    await away.changed(gone, 3_000);
    page = { ...page, agents: [agent('a', { state: 'ended', since: 4_000 }), agent('n', { since: 4_000 })] };
    await away.changed({ ...gone, active: false }, 60_000);
    assert.equal(await away.changed(here, 3_000 + awayMillis), true);
    away.dismiss();
  });

  it('is there as soon as the window has the focus, and for one that kept it', async () => {
    await away.changed({ focused: false, active: false }, 5_000_000);
    page = { ...page, agents: [agent('m', { since: 5_000_001 })] };
    assert.equal(await away.changed({ focused: true, active: false }, 5_000_000 + awayMillis), true);
    assert.equal(await away.changed(here, 6_000_000), false, 'nobody left');
    await away.changed({ focused: true, active: false }, 7_000_000);
    page = { ...page, agents: [agent('l', { since: 7_000_001 })] };
    assert.equal(await away.changed(here, 7_000_000 + awayMillis), true);
    away.dismiss();
  });

  it('is not made for a user who was back before the answer', async () => {
    const leaves = away.changed(gone, 1_000);
    assert.equal(await away.changed(here, 1_001), false);
    await leaves;
    assert.equal(await away.changed(here, 1_000 + awayMillis), false);
  });
});
