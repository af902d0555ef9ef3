import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shifted, sliceOf, type Shift } from '../../src/views/listRules';

describe('the rows that are made now', () => {
  const rows = 'abcdefg'.split('').map((key) => ({ key }));
  const keys = (there: string, most?: number): string =>
    sliceOf(rows, (key) => there.includes(key), most)
      .map(({ key }) => key)
      .join('');
  it('are the first ones, then the next ones', () => {
    assert.equal(keys('', 3), 'abc');
    assert.equal(keys('abc', 3), 'abcdef');
    assert.equal(keys('abcdef', 3), 'abcdefg');
  });
  it('leave none out that is there, and keep the order', () => {
    assert.equal(keys('f', 2), 'abf');
    assert.equal(keys('', Infinity), 'abcdefg');
  });
});

describe('the row that keys are about', () => {
  const shift = (change: Partial<Shift>): ReturnType<typeof shifted> =>
    shifted({
      ...{ current: 'b', open: true, first: false, before: ['a', 'b', 'c'], now: ['a', 'b', 'c'] },
      all: new Set(['a', 'b', 'c']),
      ...change,
    });
  it('stays as long as it is in sight', () => {
    assert.deepEqual(shift({ now: ['x', 'b'] }), { current: 'b', opens: false });
  });
  it('is the first of a new list, and open', () => {
    const all = new Set(['a', 'b']);
    const made = shift({ current: '', open: false, first: true, before: [], now: ['a', 'b'], all });
    assert.deepEqual(made, { current: 'a', opens: true });
  });
  it('gives its place to the next, which opens only if it was open', () => {
    const gone = { now: ['a', 'c'], all: new Set(['a', 'c']) };
    assert.deepEqual(shift(gone), { current: 'c', opens: true });
    assert.deepEqual(shift({ ...gone, open: false }), { current: 'c', opens: false });
  });
  it('opens no other when it is folded away, also once it is gone', () => {
    assert.deepEqual(shift({ now: ['c'] }), { current: 'c', opens: false });
    assert.deepEqual(shift({ before: ['c'], now: ['c'], all: new Set(['c']) }), {
      current: 'c',
      opens: false,
    });
  });
  it('opens none after a new start where the kept one is folded away', () => {
    const made = shift({ first: true, open: false, before: [], now: ['a'] });
    assert.deepEqual(made, { current: 'a', opens: false });
  });
  it('stays where no row is in sight', () => {
    assert.deepEqual(shift({ now: [] }), { current: 'b', opens: false });
  });
});
