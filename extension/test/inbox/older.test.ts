import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noFilter } from '../../src/inbox/filter';
import { folded, hasFolds, isOlder } from '../../src/inbox/older';
import type { AgentThread, ThreadItem } from '../../src/protocol';
import { thread } from '../samples';

const hour = 3_600_000;
const now = Date.UTC(2026, 2, 4, 12);
const at = (hours: number, change: Partial<ThreadItem> = {}): ThreadItem =>
  thread(`${hours}`, { lastTime: now - hours * hour, ...change });
const agent = (state: AgentThread['state'], unseen = false): Partial<ThreadItem> => ({
  agent: {
    name: 'Claude',
    dir: 'd',
    threadId: 'd',
    toolCalls: 0,
    unseen,
    ...(state === undefined ? {} : { state }),
  },
});

describe('older threads', () => {
  for (const [title, item, want] of [
    ['what is a day old', at(24), true],
    ['not what is younger', at(23), false],
    ['not what is unread', at(48, { unread: 1 }), false],
    ['not what needs a reply', at(48, { needsReply: true }), false],
    ['not what came back from snooze', at(48, { returned: true }), false],
    ['not what the user did not see yet', at(48, agent('done', true)), false],
    ['an ended session', at(48, agent('ended')), true],
    ['a session that fell silent', at(48, agent('silent')), true],
    ['not one that waits', at(48, agent('waiting')), false],
    ['not one that works', at(48, agent('working')), false],
    ['not one that is idle', at(48, agent('idle')), false],
  ] as const)
    it(`are ${title}`, () => assert.equal(isOlder(item, now), want));

  it('are apart in the usual list alone: whoever filters or sorts looks for something', () => {
    assert.ok(hasFolds(noFilter, 'newest'));
    assert.ok(!hasFolds(noFilter, 'oldest'));
    assert.ok(!hasFolds({ ...noFilter, place: 'archived' }, 'newest'));
  });

  it('count with those that are not fetched, once the pages are so old', () => {
    const list = [at(1), at(30), at(40, { needsReply: true })];
    const one = folded(list, { total: 3, hasMore: false, now });
    assert.deepEqual(one.shown, [list[0], list[2]]);
    assert.deepEqual([one.older, one.count, one.moreInside], [[list[1]], 1, false]);
    const many = folded([...list, at(50)], { total: 90, hasMore: true, now });
    assert.deepEqual([many.count, many.moreInside], [88, true]);
    const unread = folded(list, { total: 90, hasMore: true, now });
    assert.deepEqual([unread.count, unread.moreInside], [1, false]);
    const young = folded([at(1), at(2)], { total: 90, hasMore: true, now });
    assert.deepEqual([young.count, young.moreInside], [0, false]);
  });
});
