import { concerns, refKey } from '../../src/refs';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  badgeCount,
  groupsToShow,
  InboxModel,
  markAllParams,
  nearest,
  startsOpen,
  welcomeFor,
} from '../../src/inbox/model';
import { noFilter, toggled, type Filter } from '../../src/inbox/filter';
import type { Group, Status, ThreadItem } from '../../src/protocol';
import type { ListAll, ListThreads } from '../../src/inbox/threadPages';
import { directory, group, inboxPage, mail, status, thread } from '../samples';

/** Returns a server with this many threads, paged by offset. */
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
        groups: [mail],
        revision: 1,
        warnings: [],
      });
    },
  };
}

/** Returns the model of a server that answers several lists in one request. */
function modelOf(list: ListThreads, batches: number[] = []): InboxModel {
  const listAll: ListAll = async ({ filter = {}, sort, lists }) => {
    batches.push(lists.length);
    const pages = (lists.length > 0 ? lists : [{ limit: 1 } as { group?: string; limit?: number }]).map(
      ({ group, limit }) => {
        const narrowed = group === undefined ? filter : { ...filter, group };
        return list({
          filter: narrowed,
          ...(sort === undefined ? {} : { sort }),
          ...(limit === undefined ? {} : { limit }),
        });
      },
    );
    return { pages: await Promise.all(pages) };
  };
  return new InboxModel(list, listAll);
}

const titles = (threads: readonly ThreadItem[]): string[] => threads.map(({ title }) => title);

describe('nearest', () => {
  const shown = ['a', 'b', 'c', 'd'].map((name) => thread(name));
  const keys = (...names: string[]): Set<string> => new Set(names.map((name) => refKey(thread(name).ref)));
  for (const [name, leaving, want] of [
    ['the next row', keys('b'), ['c', 'd', 'a']],
    ['the row before, at the end', keys('d'), ['c', 'b', 'a']],
    ['the row behind several', keys('a', 'c'), ['b', 'd']],
    ['none where all leave', keys('a', 'b', 'c', 'd'), []],
    ['any where it is not known what leaves', keys('x'), ['a', 'b', 'c', 'd']],
  ] as const) {
    it(`is ${name}`, () => assert.deepEqual(titles(nearest(shown, leaving)), want));
  }
});

describe('markAllParams', () => {
  it('asks for all that the filter shows, fetched or not', () => {
    assert.deepEqual(markAllParams(noFilter, false), { filter: {}, updateWatermark: false });
    const filter: Filter = { ...noFilter, place: 'archived', mine: true, group: 'g' };
    assert.deepEqual(markAllParams(filter, true), {
      filter: { archived: true, mine: true, group: 'g' },
      updateWatermark: true,
    });
  });

  it('asks for nothing where suspicious records are shown', () => {
    assert.equal(markAllParams({ ...noFilter, suspicious: true }, false), undefined);
  });
});

describe('InboxModel', () => {
  it('loads one page, then the next', async () => {
    const { list } = listOf(120);
    const model = modelOf(list);
    assert.deepEqual(await model.reload(), { unread: 3, needsReply: 2, revision: 1 });
    assert.equal(model.threads.length, 50);
    assert.ok(model.hasMore());
    await model.more();
    await model.more();
    assert.equal(model.threads.length, 120);
    assert.ok(!model.hasMore());
    assert.equal(await model.more(), undefined);
  });

  it('reloads as many threads as it shows, within the limit of a page', async () => {
    const { list, asked } = listOf(400);
    const model = modelOf(list);
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
    const model = modelOf(() => new Promise((done) => answers.push(done)));
    const page = inboxPage();
    const first = model.reload();
    const second = model.reload();
    answers[1]?.({ ...page, threads: [thread('new')] });
    answers[0]?.({ ...page, threads: [thread('old')] });
    assert.equal(await first, undefined);
    assert.ok((await second) !== undefined);
    assert.deepEqual(titles(model.threads), ['new']);
  });

  it('shows a thread once when pages overlap, and is not held by pages that repeat', async () => {
    const page = inboxPage({ nextCursor: 'c' });
    const pages = [
      [thread('a'), thread('b')],
      [thread('b'), thread('c')],
    ];
    const model = modelOf(() => Promise.resolve({ ...page, threads: pages.shift() ?? [thread('c')] }));
    await model.reload();
    assert.deepEqual(titles(model.threads), ['a', 'b', 'c']);
    assert.ok(!model.hasMore());
  });

  it('is not held by a server that sends empty pages with cursors', async () => {
    const model = modelOf(() => Promise.resolve(inboxPage({ nextCursor: 'x' })));
    await model.reload();
    assert.ok(!model.hasMore());
  });

  it('sends the chosen filter', async () => {
    const filters: unknown[] = [];
    const { list } = listOf(1);
    const model = modelOf((params) => {
      filters.push(params.filter);
      return list(params);
    });
    const chosen = toggled(toggled(noFilter, 'unread'), 'mine');
    for (const filter of [noFilter, chosen, toggled(noFilter, 'suspicious')]) {
      model.setFilter(filter);
      await model.reload();
    }
    assert.deepEqual(filters, [{}, { unread: true, mine: true }, { suspicious: true }]);
  });
});

/** Returns a server with these groups. Only the mail's threads are unread. */
function groupServer(groups: Group[]): { list: ListThreads; groups: Group[]; asked: string[] } {
  const grouped = { groups, asked: [] as string[] };
  let revision = 0;
  const list: ListThreads = ({ filter = {}, cursor = '0', limit = 50 }) => {
    const chosen = grouped.groups.filter(({ id }) => filter.group === undefined || filter.group === id);
    grouped.asked.push(filter.group ?? `all ${limit}`);
    const all = chosen
      .filter(({ kind }) => filter.unread !== true || kind === 'mail')
      .flatMap(({ id, threads }) =>
        Array.from({ length: threads }, (_, n) => thread(`${id}-${n}`, { group: id })),
      );
    const end = Number(cursor) + limit;
    return Promise.resolve(
      inboxPage({
        threads: all.slice(Number(cursor), end),
        groups: grouped.groups,
        revision: ++revision,
        ...(end < all.length ? { nextCursor: String(end) } : {}),
      }),
    );
  };
  return Object.assign(grouped, { list });
}

describe('InboxModel with worktrees', () => {
  const grouped = (): ReturnType<typeof groupServer> =>
    groupServer([mail, group('main'), group('big', { threads: 70 })]);

  it('has no groups where there is only mail', async () => {
    const model = modelOf(groupServer([mail, group('empty', { threads: 0 })]).list);
    await model.reload();
    assert.deepEqual(model.groups, []);
    assert.deepEqual(titles(model.threads), ['mail-0']);
  });

  it("asks for a group's threads once it is opened", async () => {
    const { list, asked } = grouped();
    const model = modelOf(list);
    await model.reload();
    assert.deepEqual(
      model.groups.map(({ id }) => id),
      ['mail', 'main', 'big'],
    );
    assert.deepEqual(model.threadsIn('big'), []);
    asked.length = 0;
    await Promise.all([model.open('big'), model.open('big')]);
    assert.deepEqual(asked, ['big']);
    assert.equal(model.threadsIn('big').length, 50);
    assert.ok(!model.empty);
  });

  it('pages each group by itself', async () => {
    const model = modelOf(grouped().list);
    await model.reload();
    await model.open('big');
    await model.open('main');
    assert.ok(model.hasMore('big'));
    assert.ok(!model.hasMore('main'));
    await model.more('big');
    assert.equal(model.threadsIn('big').length, 70);
    assert.ok(!model.hasMore('big'));
  });

  it('fetches only open groups again', async () => {
    const { list, asked } = grouped();
    const model = modelOf(list);
    await model.reload();
    await model.open('big');
    await model.open('main');
    model.close('big');
    asked.length = 0;
    await model.reload();
    assert.deepEqual(asked, ['mail', 'main']);
  });

  it('asks once for all lists that are shown, and again only for those that come', async () => {
    const batches: number[] = [];
    const model = modelOf(grouped().list, batches);
    await model.reload();
    assert.deepEqual(batches, [1, 2]); // all threads, and then the two groups that start open
    await Promise.all([model.open('mail'), model.open('main')]);
    assert.deepEqual(batches, [1, 2]);
    batches.length = 0;
    await model.reload();
    assert.deepEqual(batches, [2]);
    batches.length = 0;
    model.setFilter({ ...noFilter, mine: true });
    await model.reload();
    assert.deepEqual(batches.length, 1);
  });

  it('keeps what it holds where the revision says that nothing changed', async () => {
    let revision = 7;
    const place = grouped();
    const model = modelOf(async (params) => ({ ...(await place.list(params)), revision }));
    await model.reload();
    const [groups, threads] = [model.groups, model.threadsIn('main')];
    await model.reload();
    assert.equal(model.threadsIn('main'), threads);
    assert.ok(model.groups.every((group, n) => group === groups[n]));
    revision = 8;
    await model.reload();
    assert.notEqual(model.threadsIn('main'), threads);
    assert.equal(model.revision, 8);
  });

  it('shows under a filter only groups with something in it', async () => {
    const model = modelOf(grouped().list);
    await model.reload();
    model.setFilter({ ...noFilter, unread: true });
    await model.reload();
    assert.deepEqual(
      model.groups.map(({ id }) => id),
      ['mail'],
    );
    model.setFilter(noFilter);
    await model.reload();
    assert.equal(model.groups.length, 3);
  });

  it("is not empty where there is no mail, but agents' threads", async () => {
    const model = modelOf(groupServer([{ ...mail, threads: 0 }, group('main')]).list);
    await model.reload();
    assert.ok(!model.empty);
    assert.deepEqual(
      model.groups.map(({ id }) => id),
      ['mail', 'main'],
    );
  });

  it('is empty where nothing matches', async () => {
    const model = modelOf(groupServer([group('main')]).list);
    await model.reload();
    assert.ok(!model.empty);
    model.setFilter({ ...noFilter, unread: true });
    await model.reload();
    assert.ok(model.empty);
  });

  it('forgets the threads of a group that is no more, and is flat again without worktrees', async () => {
    const place = grouped();
    const model = modelOf(place.list);
    await model.reload();
    await model.open('main');
    place.groups = [mail];
    await model.reload();
    assert.deepEqual(model.groups, []);
    assert.deepEqual(model.threadsIn('main'), []);
    assert.deepEqual(titles(model.threads), ['mail-0']);
  });

  it('tries again after a failure', async () => {
    const { list } = grouped();
    let broken = true;
    const model = modelOf((params) =>
      broken && params.filter?.group === 'big' ? Promise.reject(new Error('busy')) : list(params),
    );
    await model.reload();
    await assert.rejects(model.open('big'), /busy/);
    broken = false;
    await model.open('big');
    assert.equal(model.threadsIn('big').length, 50);
  });
});

describe('groups', () => {
  it('keep the order of the server, without worktrees that have no threads', () => {
    const gone = group('gone', { gone: true });
    const shown = groupsToShow([mail, group('main'), group('idle', { threads: 0 }), gone]);
    assert.deepEqual(
      shown.map(({ id }) => id),
      ['mail', 'main', 'gone'],
    );
  });
  for (const [name, given, want] of [
    ['the mail', group('mail', { kind: 'mail', threads: 900 }), true],
    ['the opened worktree with few threads', group('a', { threads: 20 }), true],
    ['not another one', group('a', { threads: 20, opened: false }), false],
    ['not one with many', group('a', { threads: 21 }), false],
    ['not one that is gone', group('a', { gone: true }), false],
  ] as const) {
    it(`start open: ${name}`, () => assert.equal(startsOpen(given), want));
  }
});

describe('badgeCount', () => {
  const counts = { unread: 7, needsReply: 2 };
  for (const [setting, want] of [
    ['needsYou', 5],
    ['unread', 7],
    ['off', undefined],
  ] as const) {
    it(setting, () => assert.equal(badgeCount(counts, 5, setting), want));
  }
  it('shows no zero', () => assert.equal(badgeCount({ unread: 0, needsReply: 0 }, 0, 'needsYou'), undefined));
});

describe('welcomeFor', () => {
  const first = status({ directories: [directory({ exists: true })] });
  const good = { ...first, person: 'bob' };
  const unread = { ...noFilter, unread: true };
  const cases: [string, Status, Filter, boolean, string][] = [
    ['nobody set up anything', status({ directories: [] }), noFilter, true, 'first'],
    ['a directory without messages', first, noFilter, true, 'first'],
    ['no alias, and nothing set up', { ...first, aliasValid: false }, noFilter, true, 'first'],
    ['Set Up needs no trust', first, noFilter, false, 'first'],
    ['a filter over what there is', first, unread, true, 'noMatches'],
    [
      'a directory that does not exist is none',
      status({ directories: [directory({ exists: false })] }),
      unread,
      true,
      'first',
    ],
    ['no alias', { ...good, aliasValid: false }, noFilter, true, 'noAlias'],
    ['no trust', good, noFilter, false, 'untrusted'],
    ['nothing there', good, noFilter, true, 'noMessages'],
    ['nothing under this filter', good, unread, true, 'noMatches'],
  ];
  for (const [name, given, filter, trusted, want] of cases) {
    it(name, () => assert.equal(welcomeFor(given, filter, trusted), want));
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
    overdue: 0,
    needs: 0,
  };
  it('a named thread', () => assert.ok(concerns(change, refKey(thread('a').ref))));
  it('not another one', () => assert.ok(!concerns(change, refKey(thread('b').ref))));
  it('any thread, when the list was cut short', () =>
    assert.ok(concerns({ ...change, truncated: true }, refKey(thread('b').ref))));
});
