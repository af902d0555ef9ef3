import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fill } from '../../src/fill';
import { shownOf, type AgentAct, type AgentContext } from '../../src/agents/model';
import { countWords } from '../../src/agents/words';
import type { AgentItem } from '../../src/protocol';
import { agent } from '../needSamples';

const now = 10 * 24 * 60 * 60_000;
const day = 24 * 60 * 60_000;
const context: AgentContext = { now, inTerminal: () => false, clock: () => '14:02' };
const thread = { protocol: 'session', store: 'claude', id: 't1' } as const;

const at = (key: string, change: Partial<AgentItem> = {}): AgentItem =>
  agent(key, { since: now - 1_000, ...change });

describe('the rows of agents', () => {
  it('keep the order of the server, those of another day apart', () => {
    const shown = shownOf(
      [
        at('b'),
        at('a', { since: now - 2 * day }),
        at('c', { since: now - 2 * day, state: 'waiting' }),
        at('d', { since: now - 2 * day, state: 'failed', needs: true }),
        at('e', { since: 0, state: 'none' }),
      ],
      context,
    );
    assert.deepEqual(
      shown.rows.map(({ key }) => key),
      ['b', 'c', 'd', 'e'],
    );
    assert.deepEqual(
      shown.older.map(({ key }) => key),
      ['a'],
    );
  });

  it('say how many need the user and work, and sum up the lines', () => {
    const shown = shownOf(
      [
        at('a', { state: 'waiting', needs: true, added: 120, removed: 14 }),
        at('b', { state: 'failed', needs: true, added: 44 }),
        at('c', { state: 'working', removed: 6 }),
        at('d', { state: 'done' }),
        at('e', { state: 'ended', since: now - 2 * day, added: 99 }),
      ],
      context,
    );
    assert.deepEqual(
      [shown.needing, shown.working, shown.done, shown.added, shown.removed],
      [2, 1, 1, 164, 20],
    );
    assert.equal(countWords(fill, { ...shown, done: 0 }), '2 need you, 1 working');
    assert.equal(countWords(fill, shown), '2 need you, 1 working, 1 done');
    assert.equal(countWords(fill, { needing: 0, working: 0 }), '');
  });

  for (const [what, change, state, text] of [
    [
      'the command',
      { state: 'waiting', for: 'permission: git push', permission: 'git push', said: 'x' },
      'waiting',
      'git push',
    ],
    ['the question', { state: 'waiting', asks: true, for: 'Which port?', said: 'x' }, 'asks', 'Which port?'],
    ['the last words', { state: 'working', for: '', said: 'Now I build.' }, 'working', 'Now I build.'],
    ['how it failed', { state: 'failed', for: 'error', said: 'I stop here.' }, 'failed', 'I stop here.'],
    ['why it failed, without words', { state: 'failed', for: 'max_tokens' }, 'failed', 'max_tokens'],
  ] as const)
    it(`say ${what}`, () => {
      const [row] = shownOf([at('a', change)], context).rows;
      assert.deepEqual([row?.state, row?.text], [state, text]);
    });

  it('tell agents of the same name apart by their place, else by when they began', () => {
    const shown = shownOf(
      [
        at('a', { alias: 'coder', branch: 'fix/login' }),
        at('b', { alias: 'coder', branch: 'chore/deps' }),
        at('c', { alias: '', client: 'codex', branch: 'chore/deps', begun: 5 }),
        at('d', { alias: '', client: 'codex', branch: 'chore/deps', begun: 6 }),
        at('e', { alias: 'docs', branch: 'docs/api' }),
      ],
      context,
    ).rows;
    assert.deepEqual(
      shown.map(({ clock, name, place }) => `${name} ${clock}, ${place}`),
      [
        'coder , fix/login',
        'coder , chore/deps',
        'Codex 14:02, chore/deps',
        'Codex 14:02, chore/deps',
        'docs , docs/api',
      ],
    );
  });

  const acts = (change: Partial<AgentItem>, inTerminal = false): readonly AgentAct[] | undefined =>
    shownOf([at('a', change)], { ...context, inTerminal: () => inTerminal }).rows[0]?.acts;
  for (const [what, change, terminal, want] of [
    ['at work', { state: 'working', reach: 'send' }, true, ['message', 'changes', 'terminal', 'window']],
    ['done', { state: 'done', reach: 'wait' }, false, ['changes', 'message', 'window']],
    ['ended', { state: 'ended', reach: 'continue', thread }, false, ['continue', 'changes', 'window']],
    [
      'ended, of which nothing is recorded',
      { state: 'ended', reach: 'continue' },
      false,
      ['changes', 'window'],
    ],
    ['not connected', { state: 'idle', reach: 'setUp' }, false, ['setUp', 'changes', 'window']],
    ['without a name', { state: 'idle', reach: 'send', alias: '' }, false, ['changes', 'window']],
    ['in the opened folder', { state: 'idle', reach: 'wait', opened: true }, false, ['message', 'changes']],
    ['of a removed worktree', { state: 'ended', gone: true, thread }, false, ['changes']],
    ['no agent', { state: 'none', alias: '', client: '' }, false, ['start', 'changes', 'window']],
  ] as const)
    it(`can be used: ${what}`, () => {
      assert.deepEqual(acts(change, terminal), want);
    });
});
