import { fill } from '../../src/fill';
import { refKey } from '../../src/refs';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { filterText, isFiltered, noFilter, readSort, serverFilter, toggled } from '../../src/inbox/filter';
import { doneWords, filterWords, markedWords, type RowWords } from '../../src/inbox/words';
import { markable } from '../../src/inbox/model';
import type { AgentThread, AmpThread, SessionThread, ThreadItem } from '../../src/protocol';
import { standsOut } from '../../src/thread/model';
import { contextOf, questionIn, rowOf, signOf } from '../../src/inbox/rowFacts';
import { sessionWords } from '../../src/agent/sessionWords';
import { exampleTime, readTime, snoozeTimes } from '../../src/inbox/snoozeTimes';
import { nextUnread } from '../../src/inbox/unreadOrder';
import { group, message, thread } from '../samples';
import { signedWords } from '../signedSamples';

// The tests run as bundles in extension/dist-test/unit.
const extension = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Words for the tests. Texts without a value are mostly their own keys. */
const words: RowWords = {
  signed: signedWords,
  protocols: { samp: 'Mail', amp: 'Signed Mail', atsf: 'Agent Logs' },
  arrow: '{0} → {1}',
  fromTo: 'from {0} to {1}',
  you: 'you',
  unread: '{0} unread',
  needsReply: 'needsReply',
  draft: 'Draft',
  returned: 'returned',
  archived: 'archived',
  snoozed: 'snoozed, back {0}',
  snoozedUntil: 'until {0}',
  unsigned: 'unsigned',
  unsignedDetail: 'unsignedDetail',
  agentTrust: 'agentTrust',
  thread: 'thread {0}',
  counts: '{0}/{1}',
  toolCalls: '{0}/{1} calls',
  with: 'with {0}',
  onBranch: '{0} on {1}',
  forkedFrom: 'from {0}',
  worktreeGone: 'worktreeGone',
  directory: 'in {0}',
  session: sessionWords((text, ...values) => fill(text, ...values)),
  unreadable: 'unreadable: {0}',
  sessionUnreadable: 'session unreadable: {0}',
  sessionTrust: 'sessionTrust',
  sessionState: 'State: {0}',
  model: 'Model: {0}',
  version: 'Version: {0}',
  folder: 'Folder: {0}',
  sessionId: 'Session: {0}',
  priority: 'priority {0}',
};

const hour = 3_600_000;
const now = Date.UTC(2026, 2, 4, 12);

function row(item: ThreadItem, me = 'bob', own = true, draft = false): ReturnType<typeof rowOf> {
  return rowOf(item, { words, now, locale: 'en', me, own, draft });
}

const amp = (change: Partial<AmpThread> = {}): AmpThread => ({
  priority: 'urgent',
  state: 'verified',
  trust: { level: 'ok', label: 'verified', detail: 'its signature fits' },
  attachments: 2,
  mailbox: 'bob',
  ...change,
});

const agent = (change: Partial<AgentThread> = {}): AgentThread => ({
  name: 'Claude',
  branch: 'main',
  dir: 'd',
  threadId: 'd',
  toolCalls: 3,
  ...change,
});

describe('rows', () => {
  const mail = thread('Fix it', {
    name: '2026-03-04-alice-fix-it',
    lastTime: now - 2 * hour,
    unread: 2,
    needsReply: true,
    preview: 'Please.',
  });

  it('say how old they are, who wrote and the title, and all else in the tooltip', () => {
    const { label, description, spoken, tooltip, preview } = row(mail);
    assert.equal(label, '\u20072h alice: Fix it');
    assert.equal(description, '');
    assert.equal(
      spoken,
      'Fix it, from alice to you, 2 hr. ago, needsReply, 2 unread, thread 2026-03-04-alice-fix-it',
    );
    const text = tooltip.map((line) => line.text).join('\n');
    assert.match(
      text,
      /^Fix it\nFrom alice to you\nWednesday, March 4, 2026.*\(2 hr\. ago\)\nMail · unsigned/,
    );
    assert.match(text, /Thread 2026-03-04-alice-fix-it$/);
    assert.equal(preview, 'alice: Please.');
  });

  it('cut nothing: a find in the list finds the whole title', () => {
    const title = 'Need a decision: keep the v1 API, or move all of it to v2 before the release?';
    const from = 'claude-frontend-checkout-refactoring';
    assert.equal(row({ ...mail, title, lastFrom: from }).label, `\u20072h ${from}: ${title}`);
  });

  it('say who wrote to whom where it is not to the user', () => {
    const label = (change: Partial<ThreadItem>): string => row({ ...mail, ...change }).label;
    assert.equal(label({ lastFrom: 'coder', lastTo: 'reviewer' }), '\u20072h coder → reviewer: Fix it');
    assert.equal(label({ lastFrom: 'bob', lastTo: 'carol' }), '\u20072h you → carol: Fix it');
    assert.equal(label({ lastTime: now - 12 * hour }), '12h alice: Fix it');
    assert.equal(label({ lastTime: now }), 'now alice: Fix it');
    assert.match(row({ ...mail, lastFrom: 'bob', lastTo: 'carol' }).spoken, /from you to carol/);
    assert.match(row({ ...mail, lastFrom: 'x', lastTo: 'y' }, '').spoken, /from x to y/);
  });

  it('show each thing once: by the sign, or in words behind the title', () => {
    const signed = { ...mail, amp: amp({ priority: 'normal', attachments: 0 }) };
    for (const [item, draft, sign, description] of [
      [mail, false, 'reply', ''],
      [{ ...mail, needsReply: false }, false, 'mail', ''],
      [mail, true, 'draft', 'needsReply'],
      [{ ...mail, returned: true }, false, 'returned', ''],
      [{ ...mail, archived: true }, false, 'reply', ''],
      [{ ...mail, snoozed: now + 26 * hour }, false, 'reply', 'snoozed, back in 1 day'],
      [{ ...mail, marks: ['late'] }, false, 'reply', 'late'],
      [{ ...mail, marks: ['suspicious'] }, false, 'warning', 'suspicious · needsReply'],
      [signed, false, 'reply', 'verified'],
      [{ ...signed, needsReply: false }, false, 'trust', ''],
      [{ ...mail, agent: agent({ state: 'waiting' }) }, false, 'agent', ''],
      [{ ...mail, agent: agent({ state: 'waiting', for: 'Bash' }) }, false, 'agent', 'waiting for Bash'],
    ] as const) {
      assert.equal(signOf(item, draft), sign);
      assert.equal(row(item, 'bob', true, draft).description, description, sign);
    }
  });

  it('say all of it to a screen reader, the title first', () => {
    const begun = row({ ...mail, marks: ['late'] }, 'bob', true, true);
    assert.equal(
      begun.spoken,
      'Fix it, Draft, from alice to you, 2 hr. ago, late, needsReply, 2 unread, thread 2026-03-04-alice-fix-it',
    );
    assert.match(row({ ...mail, archived: true }).spoken, /^Fix it, archived, from/);
    assert.match(row({ ...mail, returned: true, unread: 0 }).spoken, /^Fix it, returned, from/);
  });

  it('speak of signed mail in the same way', () => {
    const item = {
      ...thread('Logs'),
      protocol: 'amp',
      lastTime: now,
      amp: amp({ expires: now + 50 * hour }),
    };
    const { label, description, spoken, tooltip } = row(item, 'bob@acme.example');
    assert.equal(label, 'now alice: Logs');
    assert.equal(description, 'urgent · expires in 2 days · 2 attachments');
    assert.equal(spoken, 'Logs, urgent, from alice to you, now, verified, expires in 2 days, 2 attachments');
    assert.ok(
      tooltip.some(({ sign, text }) => sign === 'verified' && text === 'verified: its signature fits'),
    );
    const odd = row(
      { ...item, amp: amp({ trust: { level: 'warn', label: 'untrusted', detail: 'x' } }) },
      '',
      false,
    );
    assert.equal(odd.label, 'now alice → bob: Logs');
    assert.match(odd.description, /^urgent · untrusted · .* · mailbox of bob$/);
  });

  it("speak of agents' conversations in the same way", () => {
    const item = {
      ...thread('Cache'),
      protocol: 'atsf',
      lastFrom: 'Claude',
      lastTo: '',
      lastTime: now,
      count: 5,
      agent: agent(),
    };
    assert.equal(row(item).label, 'now Claude: Cache');
    assert.ok(row(item).tooltip.some(({ text }) => text === 'Claude on main'));
    const torn = row({ ...item, marks: ['faulty'], agent: agent({ fault: 'T2' }) });
    assert.equal(torn.description, 'faulty');
    assert.match(torn.spoken, /T2$/);
  });

  const session = (change: Partial<SessionThread> = {}, at: Partial<AgentThread> = {}): ThreadItem => ({
    ...thread('Fix the cache'),
    protocol: 'session',
    lastFrom: 'Claude Code',
    lastTo: '',
    lastTime: now,
    count: 0,
    agent: agent({
      name: 'Claude Code',
      dir: 'slug',
      threadId: 'id-1',
      parent: 'id-0',
      toolCalls: 0,
      session: { client: 'claude', id: 'id-1', folder: '/p/shop', ...change },
      ...at,
    }),
  });

  for (const [title, given, state, description] of [
    ['works', { state: 'working' }, 'working', ''],
    ['waits for something', { state: 'waiting', for: 'Bash' }, 'waiting for Bash', 'waiting for Bash'],
    ['waits', { state: 'waiting' }, 'waiting', ''],
    ['is idle', { state: 'idle' }, 'idle', ''],
    ['has ended', { state: 'ended' }, 'ended', ''],
    ['is silent', { state: 'silent' }, 'silent', ''],
    ['has failed', { state: 'failed', for: 'max_tokens' }, 'failed: max_tokens', 'failed: max_tokens'],
    ['is done', { state: 'done' }, 'done', ''],
    ['does what nobody knows', {}, '', ''],
  ] as const)
    it(`say that a session ${title}: by the sign, with the reason in words`, () => {
      const shown = row(session({}, given));
      assert.equal(shown.label, 'now Claude Code: Fix the cache');
      assert.equal(shown.description, description);
      const rest = state === '' ? 'Claude Code, now' : `${state}, now, Claude Code`;
      assert.equal(shown.spoken, `Fix the cache, ${rest}`);
    });

  it('tell of a session in full below the pointer', () => {
    const facts = { model: 'm-1', version: '2.1' } as const;
    assert.deepEqual(
      row(session(facts, { state: 'waiting', for: 'Bash' }))
        .tooltip.map(({ text }) => text)
        .filter((text) => !text.includes('2026')),
      [
        'Fix the cache',
        'Claude Code on main',
        'sessionTrust',
        'State: waiting for Bash',
        'Model: m-1',
        'Version: 2.1',
        'Folder: /p/shop',
        'Session: id-1',
      ],
    );
  });

  it('tell why a session cannot be read', () => {
    const item = session();
    const torn = { ...item, agent: { ...agent(item.agent), fault: 'torn' } };
    assert.ok(row(torn).tooltip.some(({ text }) => text === 'session unreadable: torn'));
  });

  it('offer of a session what can be done with it', () => {
    for (const [given, context] of [
      [{}, 'agent.read'],
      [{ resume: ['claude', '--resume', 'id-1'] }, 'agent.read.resume'],
      [{ resume: ['claude', '--resume', 'id-1; x'] }, 'agent.read'],
      [{ alias: 'coder' }, 'agent.read.alias'],
      [{ resume: ['codex', 'resume', 'id-1'], alias: 'coder' }, 'agent.read.resume.alias'],
    ] as const)
      assert.equal(contextOf(session(given)), context);
  });

  it('stand out while unread, or when they came back', () => {
    assert.ok(standsOut(thread('a', { unread: 1 })));
    assert.ok(standsOut(thread('a', { returned: true })));
    assert.ok(!standsOut(thread('a')));
  });
});

describe('filters', () => {
  const words = filterWords((text: string, ...args: unknown[]) => fill(text, ...args.map(String)));

  it('count together', () => {
    const filter = toggled(toggled(toggled(noFilter, 'unread'), 'mine'), 'archived');
    assert.deepEqual(serverFilter(filter), { archived: true, unread: true, mine: true });
    assert.deepEqual(toggled(filter, 'archived'), { ...noFilter, unread: true, mine: true });
    assert.equal(toggled(filter, 'snoozed').place, 'snoozed');
    assert.ok(isFiltered(filter) && !isFiltered(noFilter));
  });

  it('know that a suspicious record is neither read nor unread', () => {
    const suspicious = toggled(toggled(noFilter, 'unread'), 'suspicious');
    assert.deepEqual(suspicious, { ...noFilter, suspicious: true });
    assert.deepEqual(serverFilter(suspicious), { suspicious: true });
    assert.deepEqual(toggled(suspicious, 'archived'), { ...noFilter, place: 'archived' });
    assert.deepEqual(toggled(suspicious, 'unread'), { ...noFilter, unread: true });
  });

  it('know that what was put away needs no reply', () => {
    const archived = toggled(toggled(noFilter, 'needsReply'), 'archived');
    assert.deepEqual(archived, { ...noFilter, place: 'archived' });
    assert.deepEqual(toggled(archived, 'needsReply'), { ...noFilter, needsReply: true });
    assert.deepEqual(serverFilter(toggled(noFilter, 'needsReply')), { needsReply: true });
  });

  it('are said in words', () => {
    const filter = { ...noFilter, place: 'snoozed', unread: true, protocol: 'samp', group: 'g' } as const;
    const groups = [group('g', { title: 'feature/a' })];
    assert.equal(
      filterText(filter, 'sender', groups, words),
      'Snoozed · Unread · Mail · feature/a · sorted by sender',
    );
    assert.equal(filterText(noFilter, 'newest', [], words), '');
  });

  it('read a kept order of any kind', () => {
    assert.equal(readSort('oldest'), 'oldest');
    for (const other of [undefined, 7, 'size', null]) assert.equal(readSort(other), 'newest');
  });
});

describe('the next unread thread', () => {
  const item = (name: string, unread: number): ThreadItem => thread(name, { unread });
  const shown = [item('a', 1), item('b', 0), item('c', 2), item('d', 0)];
  const far = item('far', 1);
  const cases: [string, readonly ThreadItem[], string | undefined, boolean, string | undefined][] = [
    ['is the first without a place to start', shown, undefined, false, 'a'],
    ['is the next below', shown, 'a', false, 'c'],
    ['is one that is not fetched yet', shown, 'c', false, 'far'],
    ['goes on at the beginning', shown, 'far', false, 'a'],
    ['is, backwards, the next above', shown, 'd', true, 'c'],
    ['goes on, backwards, at the end', shown, 'a', true, 'far'],
    ['is, backwards without a place to start, the last', shown, undefined, true, 'far'],
    ['is none but the one that is looked at', [item('a', 1)], 'a', false, 'far'],
  ];
  for (const [name, list, current, back, want] of cases) {
    it(name, () => {
      const key = current === undefined ? undefined : refKey(item(current, 0).ref);
      assert.equal(nextUnread(list, [...list.filter(standsOut), far], key, back)?.title, want);
    });
  }
  it('is none where all is read', () => {
    assert.equal(nextUnread([item('a', 0)], [], undefined, false), undefined);
    assert.equal(nextUnread([item('a', 1)], [item('a', 1)], refKey(item('a', 1).ref), false), undefined);
  });
});

describe('snooze times', () => {
  const at = (hours: number, minutes = 0, day = 4): number =>
    new Date(2026, 2, day, hours, minutes).getTime();

  it('are later today, tomorrow and next Monday', () =>
    assert.deepEqual(snoozeTimes(at(10, 10)), [
      { kind: 'later', time: at(13, 30) },
      { kind: 'tomorrow', time: at(9, 0, 5) },
      { kind: 'nextWeek', time: at(9, 0, 9) },
    ]));

  it('are not later today late in the evening', () =>
    assert.deepEqual(
      snoozeTimes(at(21, 40)).map(({ kind }) => kind),
      ['tomorrow', 'nextWeek'],
    ));

  it('are on a Sunday not those of tomorrow twice', () =>
    assert.equal(snoozeTimes(at(10, 0, 8)).at(-1)?.time, at(9, 0, 16)));

  it('are on a Monday those of the next one', () =>
    assert.equal(snoozeTimes(at(10, 0, 9)).at(-1)?.time, at(9, 0, 16)));

  it('are read as they are typed', () => {
    const time = at(10);
    assert.equal(readTime('2026-03-05', time), at(9, 0, 5));
    assert.equal(readTime(' 2026-3-5 14:30 ', time), at(14, 30, 5));
    assert.equal(readTime(exampleTime(time), time), at(9, 0, 5));
    const faults = [
      ['', 'form'],
      ['tomorrow', 'form'],
      ['2026-02-30', 'form'],
      ['2026-03-05 25:00', 'form'],
      ['2026-03-04 10:00', 'past'],
      ['2099-01-01', 'far'],
    ] as const;
    for (const [text, fault] of faults) assert.equal(readTime(text, time), fault, text);
  });
});

describe('markable', () =>
  it("leaves out suspicious records and agents' threads but those that came back", () => {
    const list = [
      thread('mail'),
      thread('odd', { marks: ['suspicious'] }),
      thread('agent', { agent: agent() }),
      thread('back', { agent: agent(), returned: true }),
    ];
    const left = markable(list, [...list.map(({ ref }) => ref), thread('unknown').ref]);
    assert.deepEqual(
      left.map(({ id }) => id),
      ['thread:mail', 'thread:back', 'thread:unknown'],
    );
  }));

describe('a row that holds a question', () => {
  const { ref } = message('q', 0);
  const options = ['MIT', 'BSD'];
  const asks = thread('licence', { question: { message: ref, text: 'Which?', options }, lastTime: 7 });
  const { contributes } = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8')) as {
    contributes: { menus: { 'view/item/context': readonly { command: string; when: string }[] } };
  };
  const shown = (command: string, row: ThreadItem): boolean =>
    contributes.menus['view/item/context']
      .filter((item) => item.command === command && item.when.includes('signalbox.inboxView'))
      .some(({ when }) =>
        new RegExp(/viewItem =~ \/(.*)\/[ )]*(?:&&|\|\||$)/.exec(when)?.[1] ?? '$.').test(contextOf(row)),
      );

  it('offers its answers', () => {
    assert.equal(shown('signalbox.answerQuestion', asks), true);
    assert.equal(shown('signalbox.answerQuestion', { ...asks, unread: 1 }), true);
    assert.equal(shown('signalbox.markThreadUnread', asks), true);
    assert.deepEqual(questionIn(asks), {
      thread: asks,
      message: ref,
      from: 'alice',
      text: 'Which?',
      options,
      time: 7,
    });
  });
  it('offers nothing to choose without options or question', () => {
    const inWords = thread('why', { question: { message: ref, text: 'Why?' } });
    for (const row of [inWords, thread('plain')]) assert.equal(shown('signalbox.answerQuestion', row), false);
    assert.equal(questionIn(thread('plain')), undefined);
  });
});

describe('what was done', () => {
  const t = (text: string, ...args: unknown[]): string => fill(text, ...args.map(String));
  for (const [how, count, want] of [
    [{ archived: true }, 1, 'Archived'],
    [{ archived: true }, 3, '3 threads archived'],
    [{ archived: false }, 1, 'Moved to the inbox'],
    [{ snoozeUntil: 5 }, 1, 'Snoozed, back tomorrow'],
    [{ snoozeUntil: 5 }, 2, '2 threads snoozed, back tomorrow'],
    [{ snoozeUntil: 0 }, 1, 'Back from snooze'],
    [{ noReply: true }, 1, 'No reply needed'],
    [{ noReply: false }, 2, '2 threads need a reply'],
  ] as const) {
    it(want, () => assert.equal(doneWords(t, how, count, 'tomorrow'), want));
  }
  it('is said of marking all', () => {
    assert.deepEqual(
      [0, 1, 7].map((count) => markedWords(t, count)),
      ['Nothing was unread', '1 thread marked as read', '7 threads marked as read'],
    );
  });
});
