import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  charsHeld,
  firstPage,
  further,
  holds,
  masked,
  messagesHeld,
  missingFrom,
  shows,
  toMark,
  towardsUnread,
  unfinished,
  withRefetched,
  withNewer,
  withNewest,
  withOlder,
  withRead,
  type ThreadState,
} from '../../src/thread/model';
import { Limit, type Change, type MessageItem, type ThreadItem } from '../../src/protocol';
import { refKey } from '../../src/refs';
import { message, page, thread } from '../samples';

const ids = (state: ThreadState): string[] => state.messages.map(({ id }) => id);

const change = (revision: number, ...kinds: string[]): Change => ({
  revision,
  kinds,
  refs: [],
  truncated: false,
  unread: 0,
  needsReply: 0,
  critical: 0,
  overdue: 0,
  needs: 0,
});

describe('towardsUnread', () => {
  const unread = { unread: true };
  const of = (count: number, before: string | undefined, messages: readonly MessageItem[]): ThreadState =>
    firstPage(page(messages, { thread: thread('t', { unread: count }), ...(before ? { before } : {}) }));
  const newest = message('d', 4, unread);

  it('asks for the unread messages that are not held, and some read ones above them', () => {
    assert.deepEqual(towardsUnread(of(120, 'cursor', [message('c', 3), newest])), {
      ref: message('c', 3).ref,
      side: 'before',
      limit: Limit.page,
    });
  });

  it('asks for no page longer than the server sends', () => {
    for (let unread = 1; unread <= messagesHeld; unread++) {
      const limit = towardsUnread(of(unread, 'cursor', [message('c', 3), newest]))?.limit;
      assert.ok(limit === undefined || (limit >= 1 && limit <= Limit.page), `${unread} unread: ${limit}`);
    }
  });

  it('asks for nothing where all are held, there are no older ones, or no more fit', () => {
    assert.equal(towardsUnread(of(1, 'cursor', [newest])), undefined);
    assert.equal(towardsUnread(of(0, 'cursor', [message('c', 3)])), undefined);
    assert.equal(towardsUnread(of(2, undefined, [newest])), undefined);
    const full = Array.from({ length: messagesHeld }, (_, index) => message(`m${index}`, index));
    assert.equal(towardsUnread(of(9, 'cursor', full)), undefined);
    assert.equal(towardsUnread({ ...of(120, 'cursor', [newest]), newer: true }), undefined);
  });

  it('asks for no more than fits', () => {
    const many = Array.from({ length: messagesHeld - 7 }, (_, index) => message(`m${index}`, index, unread));
    assert.equal(towardsUnread(of(messagesHeld, 'cursor', many))?.limit, 7);
    assert.equal(towardsUnread(of(messagesHeld + 1, 'cursor', many)), undefined);
  });
});

describe('shows', () => {
  const unread = thread('t', { unread: 1 });
  const state = firstPage(page([message('c', 3, { unread: true })], { revision: 5, thread: unread }));

  it('knows what the newest page showed', () => {
    assert.ok(shows(state, change(5, 'messages')));
    assert.ok(!shows(state, change(6, 'messages')));
    assert.ok(!shows(state, change(6, 'read')));
  });

  it("knows the user's own mark, and takes nothing else for it", () => {
    const read = withRead(state, [message('c', 3).ref], 7);
    assert.ok(read.messages.every(({ unread }) => !unread) && read.thread.unread === 0);
    assert.ok(shows(read, change(7, 'read')));
    assert.ok(!shows(read, change(7, 'messages', 'read')));
    assert.ok(!shows(read, change(8, 'read')));
    assert.ok(!shows(read, change(7)));
  });

  it('goes by the newest page once that was fetched again', () => {
    const next = withNewest(
      withRead(state, [], 7),
      page([message('c', 3), message('d', 4)], { revision: 8 }),
    );
    assert.ok(shows(next, change(8, 'messages')));
    assert.ok(!shows(next, change(9, 'read')));
  });
});

describe('toMark', () => {
  const two = thread('t', { unread: 2 });
  const [b, c, d] = [message('b', 2, { unread: true }), message('c', 3), message('d', 4, { unread: true })];
  const of = (change: Partial<ThreadItem>, ...reached: readonly MessageItem[]): readonly string[] => {
    const state = firstPage({ ...page([b, c, d]), thread: { ...two, ...change } });
    return toMark(state, new Set(reached.map(({ ref }) => refKey(ref)))).map(refKey);
  };

  it('is what the reader came to', () => {
    assert.deepEqual(of({}), []);
    assert.deepEqual(of({}, c), []);
    assert.deepEqual(of({}, d), [refKey(d.ref)]);
    assert.deepEqual(
      of({}, b, c, d),
      [b, d].map(({ ref }) => refKey(ref)),
    );
  });

  it('is the thread as well if it stands out for more, with the last unread message', () => {
    assert.deepEqual(of({ returned: true }, d), [refKey(d.ref)]);
    assert.deepEqual(of({ returned: true }, b, d), [b.ref, d.ref, two.ref].map(refKey));
    assert.deepEqual(of({ returned: true, unread: 0 }), [refKey(two.ref)]);
  });

  it('is nothing of what may be forged', () => assert.deepEqual(of({ marks: ['suspicious'] }, b, d), []));

  it('leaves the others unread', () => {
    const state = firstPage({ ...page([b, c, d]), thread: { ...two, returned: true } });
    const one = withRead(state, [d.ref], 7);
    assert.equal(one.thread.unread, 1);
    assert.deepEqual(
      one.messages.map(({ unread }) => unread),
      [true, false, false],
    );
    const all = withRead(state, [b.ref, d.ref, two.ref], 7).thread;
    assert.deepEqual([all.unread, all.returned], [0, false]);
  });
});

describe('ThreadState', () => {
  const start = firstPage(page([message('c', 3), message('d', 4)], { before: 'cursor-c' }));

  it('knows which messages it holds', () => {
    assert.ok(holds(start, message('d', 4).ref));
    assert.ok(!holds(start, message('a', 1).ref));
  });

  it('puts older pages first, each message once', () => {
    const state = withOlder(start, page([message('b', 2), message('c', 3)], { before: 'cursor-b' }));
    assert.deepEqual(ids(state), ['b', 'c', 'd']);
    assert.ok(state.older);
  });

  it('has no more older ones after the first page of all', () =>
    assert.equal(withOlder(start, page([message('a', 1)])).older, false));

  it('takes in newer messages and keeps older ones and their cursor', () => {
    const state = withNewest(start, page([message('d', 4), message('e', 5)], { before: 'cursor-d' }));
    assert.deepEqual(ids(state), ['c', 'd', 'e']);
    assert.ok(state.older);
  });

  it('shows the changed form of a known message', () => {
    const state = withNewest(start, page([message('c', 3), message('d', 4, { text: 'changed' })]));
    assert.equal(state.messages[1]?.text, 'changed');
  });

  it('drops what is gone from the newest page', () => {
    const state = withNewest(start, page([message('c', 3)], { before: 'x' }));
    assert.deepEqual(ids(state), ['c']);
  });

  it('starts over rather than leave a gap', () => {
    const state = withNewest(start, page([message('y', 90), message('z', 91)], { before: 'cursor-y' }));
    assert.deepEqual(ids(state), ['y', 'z']);
    assert.ok(state.older);
  });

  it('becomes empty with its thread', () => assert.deepEqual(ids(withNewest(start, page([]))), []));

  const messages = (from: number, count: number): MessageItem[] =>
    Array.from({ length: count }, (_, index) => message(`m${from + index}`, from + index));

  it('goes on from the message at its end', () => {
    assert.deepEqual(further(start, 'before'), { ref: message('c', 3).ref, side: 'before' });
    assert.equal(further(start, 'after'), undefined);
    const middle = firstPage(page([message('c', 3), message('d', 4)], { after: 'x' }));
    assert.equal(further(middle, 'before'), undefined);
    assert.deepEqual(further(middle, 'after'), { ref: message('d', 4).ref, side: 'after' });
  });

  it('is not led on by a page with nothing in it', () =>
    assert.equal(withOlder(start, page([], { before: 'again' })).older, false));

  it('lets the newest go that are too many, and finds them again', () => {
    let state = firstPage(page(messages(1_000, 50), { before: 'x' }));
    for (let from = 950; from >= 0; from -= 50) {
      state = withOlder(state, page(messages(from, 50), from === 0 ? {} : { before: 'x' }));
      assert.ok(state.messages.length <= messagesHeld);
    }
    assert.deepEqual([state.older, state.newer], [false, true]);
    assert.deepEqual(
      state.messages.map(({ time }) => time),
      Array.from({ length: messagesHeld }, (_, index) => index),
    );
    for (let from = messagesHeld; from < 1_050; from += 50) {
      assert.equal(further(state, 'after')?.ref.id, `message:m${from - 1}`);
      state = withNewer(state, page(messages(from, 50), from === 1_000 ? {} : { after: 'x' }));
    }
    assert.deepEqual([state.older, state.newer], [true, false]);
    assert.deepEqual(ids(state).at(-1), 'm1049');
    assert.equal(state.messages.length, messagesHeld);
  });

  it('lets messages go by their size, but none of the page that came last', () => {
    const large = (from: number): MessageItem[] =>
      messages(from, 4).map((item) => ({ ...item, html: 'x'.repeat(charsHeld / 3) }));
    const state = withOlder(firstPage(page(large(10), { before: 'x' })), page(large(6)));
    assert.deepEqual(ids(state), ['m6', 'm7', 'm8', 'm9']);
    assert.ok(state.newer);
  });

  it('counts what an agent did as well', () => {
    const turn = (from: number): MessageItem[] =>
      messages(from, 2).map((item) => ({
        ...item,
        turn: { role: 'agent', parts: [{ kind: 'text', html: 'x'.repeat(charsHeld / 2) }] },
      }));
    assert.deepEqual(ids(withOlder(firstPage(page(turn(3), { before: 'x' })), page(turn(1)))), ['m1', 'm2']);
  });

  it('leaves the reader who is far up where they are when something new comes', () => {
    const middle = firstPage(page(messages(10, 3), { before: 'x', after: 'y' }));
    const state = withNewest(middle, page(messages(90, 3), { before: 'x' }));
    assert.deepEqual(ids(state), ids(middle));
    assert.ok(state.newer);
  });

  const call = (id: string, time: number, status: string): MessageItem =>
    message(id, time, {
      turn: {
        role: 'agent',
        parts: [
          {
            kind: 'tool',
            tool: {
              index: 0,
              name: 'Bash',
              title: '',
              status,
              kind: '',
              duration: -1,
              input: '',
              output: '',
              locations: [],
            },
          },
        ],
      },
    });
  const session = {
    thread: thread('s', {
      agent: {
        name: 'Claude Code',
        dir: 's',
        threadId: 's',
        toolCalls: 0,
        session: { client: 'claude', id: 's', folder: '/work' },
      },
    }),
  };
  const last = message('z', 9);

  it('knows which tool calls of a session had not ended', () => {
    const held = [call('a', 1, 'running'), call('b', 2, 'completed'), call('c', 3, 'pending')];
    assert.deepEqual(unfinished(firstPage(page(held, session))), [held[2]?.ref, held[0]?.ref]);
    assert.deepEqual(unfinished(firstPage(page(held))), []);
  });

  it('shows that a tool call in view has ended', () => {
    const state = firstPage(page([call('a', 1, 'running')], session));
    const next = withNewest(state, page([call('a', 1, 'completed'), last], { ...session, before: 'x' }));
    assert.deepEqual([ids(next), unfinished(next)], [['a', 'z'], []]);
  });

  it('shows that a tool call far above the newest page has ended', () => {
    const state = firstPage(page([call('a', 1, 'running'), last], { ...session, before: 'x' }));
    const newest = page([last], { ...session, before: 'x' });
    const next = withNewest(state, newest);
    const left = missingFrom(newest, unfinished(next));
    assert.deepEqual(left, [message('a', 1).ref]);
    const again = page([call('a', 1, 'completed'), message('b', 2)], session);
    const shown = withRefetched(next, again);
    assert.deepEqual([ids(shown), unfinished(shown), missingFrom(again, left)], [['a', 'z'], [], []]);
  });

  it('shows what is held as it is now to the reader who is far up', () => {
    const state = firstPage(page([call('a', 1, 'running')], { ...session, after: 'y' }));
    const next = withNewest(state, page([call('a', 1, 'completed'), last], session));
    assert.deepEqual([ids(next), next.newer, unfinished(next)], [['a'], true, []]);
  });

  it('keeps messages of a session whatever their times say', () => {
    const state = firstPage(page([message('a', 5), message('b', 0)], { ...session, before: 'x' }));
    const next = withNewest(state, page([message('b', 0), last], { ...session, before: 'y' }));
    assert.deepEqual(ids(next), ['a', 'b', 'z']);
  });

  it('knows in which messages keys are hidden', () => {
    const hidden = message('a', 1, { marks: ['masked'] });
    assert.deepEqual(masked(firstPage(page([hidden, last], session))), [hidden.ref]);
    assert.deepEqual(masked(firstPage(page([last], session))), []);
  });

  it('holds no more than it may while new messages come', () => {
    let state = firstPage(page(messages(0, 50), { before: 'x' }));
    for (let from = 1; from < 900; from++)
      state = withNewest(state, page(messages(from, 50), { before: 'x' }));
    assert.equal(state.messages.length, messagesHeld);
    assert.deepEqual([state.older, state.newer, ids(state).at(-1)], [true, false, 'm948']);
  });
});
