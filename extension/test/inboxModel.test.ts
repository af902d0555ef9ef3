import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { badgeCount, concerns, InboxModel, welcomeFor, type ListThreads } from '../src/inboxModel';
import type { Status, ThreadItem } from '../src/protocol';
import { refKey } from '../src/protocol';
import { directory, status, thread } from './samples';

/** A server with this many threads that pages by offset. */
function listOf(count: number): { list: ListThreads; asked: { limit?: number; cursor?: string }[] } {
  const all = Array.from({ length: count }, (_, index) => thread(`t${index}`));
  const asked: { limit?: number; cursor?: string }[] = [];
  return {
    asked,
    list: (params) => {
      asked.push(params);
      const start = Number(params.cursor ?? '0');
      const end = start + (params.limit ?? 50);
      return Promise.resolve({
        threads: all.slice(start, end),
        ...(end < all.length ? { nextCursor: String(end) } : {}),
        unread: 3,
        needsReply: 2,
        suspicious: 1,
        revision: 1,
        warnings: [],
      });
    },
  };
}

const titles = (threads: readonly ThreadItem[]): string[] => threads.map(({ title }) => title);

describe('InboxModel', () => {
  it('loads one page, then the next', async () => {
    const { list } = listOf(120);
    const model = new InboxModel(list);
    assert.deepEqual(await model.reload(), { unread: 3, needsReply: 2 });
    assert.equal(model.threads.length, 50);
    assert.ok(model.hasMore);
    await model.more();
    await model.more();
    assert.equal(model.threads.length, 120);
    assert.ok(!model.hasMore);
    assert.equal(await model.more(), undefined);
  });

  it('reloads as many threads as it shows, within the limit of a page', async () => {
    const { list, asked } = listOf(400);
    const model = new InboxModel(list);
    await model.reload();
    for (let page = 0; page < 4; page++) await model.more();
    assert.equal(model.threads.length, 250);
    asked.length = 0;
    await model.reload();
    assert.equal(model.threads.length, 250);
    assert.deepEqual(
      asked.map(({ limit }) => limit),
      [200, 50],
    );
  });

  it('drops an answer that a later call overtook', async () => {
    const answers: ((page: Awaited<ReturnType<ListThreads>>) => void)[] = [];
    const model = new InboxModel(() => new Promise((done) => answers.push(done)));
    const page = { unread: 0, needsReply: 0, suspicious: 0, revision: 1, warnings: [] };
    const first = model.reload();
    const second = model.reload();
    answers[1]?.({ ...page, threads: [thread('new')] });
    answers[0]?.({ ...page, threads: [thread('old')] });
    assert.equal(await first, undefined);
    assert.ok((await second) !== undefined);
    assert.deepEqual(titles(model.threads), ['new']);
  });

  it('shows a thread once when pages overlap, and is not held by pages that repeat', async () => {
    const page = { unread: 0, needsReply: 0, suspicious: 0, revision: 1, warnings: [], nextCursor: 'c' };
    const pages = [
      [thread('a'), thread('b')],
      [thread('b'), thread('c')],
    ];
    const model = new InboxModel(() => Promise.resolve({ ...page, threads: pages.shift() ?? [thread('c')] }));
    await model.reload();
    assert.deepEqual(titles(model.threads), ['a', 'b', 'c']);
    assert.ok(!model.hasMore);
  });

  it('is not held by a server that sends empty pages with cursors', async () => {
    const model = new InboxModel(() =>
      Promise.resolve({
        threads: [],
        nextCursor: 'x',
        unread: 0,
        needsReply: 0,
        suspicious: 0,
        revision: 1,
        warnings: [],
      }),
    );
    await model.reload();
    assert.ok(!model.hasMore);
  });

  it('sends the chosen filter', async () => {
    const filters: unknown[] = [];
    const { list } = listOf(1);
    const model = new InboxModel((params) => {
      filters.push(params.filter);
      return list(params);
    });
    for (const filter of ['all', 'unread', 'mine', 'suspicious'] as const) {
      model.setFilter(filter);
      await model.reload();
    }
    assert.deepEqual(filters, [{}, { unread: true }, { mine: true }, { suspicious: true }]);
  });
});

describe('badgeCount', () => {
  const counts = { unread: 7, needsReply: 2 };
  for (const [setting, want] of [
    ['needsReply', 2],
    ['unread', 7],
    ['off', undefined],
  ] as const) {
    it(setting, () => {
      assert.equal(badgeCount(counts, setting), want);
    });
  }
  it('shows no zero', () => {
    assert.equal(badgeCount({ unread: 0, needsReply: 0 }, 'unread'), undefined);
  });
});

describe('welcomeFor', () => {
  const good = status({ directories: [directory({ exists: true })] });
  const cases: [string, Status, 'all' | 'unread', boolean, string][] = [
    ['no directory comes first', status({ directories: [], aliasValid: false }), 'all', false, 'noDirectory'],
    [
      'a directory that does not exist is none',
      status({ directories: [directory({ exists: false })] }),
      'all',
      true,
      'noDirectory',
    ],
    ['no alias', { ...good, aliasValid: false }, 'all', true, 'noAlias'],
    ['no trust', good, 'all', false, 'untrusted'],
    ['nothing there', good, 'all', true, 'noMessages'],
    ['nothing under this filter', good, 'unread', true, 'noMatches'],
  ];
  for (const [name, given, filter, trusted, want] of cases) {
    it(name, () => {
      assert.equal(welcomeFor(given, filter, trusted), want);
    });
  }
});

describe('concerns', () => {
  const change = {
    revision: 1,
    kinds: [],
    refs: [thread('a').ref],
    truncated: false,
    unread: 0,
    needsReply: 0,
    critical: 0,
  };
  it('a named thread', () => {
    assert.ok(concerns(change, refKey(thread('a').ref)));
  });
  it('not another one', () => {
    assert.ok(!concerns(change, refKey(thread('b').ref)));
  });
  it('any thread, when the list was cut short', () => {
    assert.ok(concerns({ ...change, truncated: true }, refKey(thread('b').ref)));
  });
});
