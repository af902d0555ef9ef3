import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { firstPage, holds, withNewest, withOlder, type ThreadState } from '../src/threadModel';
import { message, page } from './samples';

const ids = (state: ThreadState): string[] => state.messages.map(({ id }) => id);

describe('ThreadState', () => {
  const start = firstPage(page([message('c', 3), message('d', 4)], { before: 'cursor-c' }));

  it('knows which messages it holds', () => {
    assert.ok(holds(start, message('d', 4).ref));
    assert.ok(!holds(start, message('a', 1).ref));
  });

  it('puts older pages first, each message once', () => {
    const state = withOlder(start, page([message('b', 2), message('c', 3)], { before: 'cursor-b' }));
    assert.deepEqual(ids(state), ['b', 'c', 'd']);
    assert.equal(state.before, 'cursor-b');
  });

  it('has no more older ones after the first page of all', () => {
    assert.equal(withOlder(start, page([message('a', 1)])).before, undefined);
  });

  it('takes in newer messages and keeps older ones and their cursor', () => {
    const state = withNewest(start, page([message('d', 4), message('e', 5)], { before: 'cursor-d' }));
    assert.deepEqual(ids(state), ['c', 'd', 'e']);
    assert.equal(state.before, 'cursor-c');
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
    assert.equal(state.before, 'cursor-y');
  });

  it('becomes empty with its thread', () => {
    assert.deepEqual(ids(withNewest(start, page([]))), []);
  });
});
