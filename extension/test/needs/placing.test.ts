import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Placing, sectionRows } from '../../src/needs/placing';
import { awayMillis, Presence, restMillis } from '../../src/needs/presence';

interface Row {
  readonly key: string;
  readonly section: string;
}

const row = (key: string, section = 'blocked'): Row => ({ key, section });
const rows = (keys: string): readonly Row[] => keys.split('').map((key) => row(key));
const shown = (placing: Placing<Row>): string =>
  placing.placed
    .map(({ row: { key }, gone, fresh }) => `${key}${gone ? '!' : ''}${fresh ? '+' : ''}`)
    .join('');
const waiting = (placing: Placing<Row>): string => placing.waiting.map(({ key }) => key).join('');

function placed(keys: string): Placing<Row> {
  const placing = new Placing<Row>();
  placing.update(rows(keys), false);
  return placing;
}

describe('Placing', () => {
  it("has the server's order while nobody is at the list", () => {
    const placing = placed('abc');
    placing.update(rows('cda'), false);
    assert.equal(shown(placing), 'cda');
  });

  it('shows what is there first, whoever is at the list', () => {
    const placing = new Placing<Row>();
    placing.update(rows('ab'), true);
    assert.equal(shown(placing), 'ab');
  });

  it('moves nothing while somebody is there: what is new waits, what is gone stays', () => {
    const placing = placed('abc');
    placing.update(rows('dcae'), true);
    assert.equal(shown(placing), 'ab!c');
    assert.equal(waiting(placing), 'de');
  });

  it('lets in what waited below a line, once nobody is there', () => {
    const placing = placed('abc');
    placing.update(rows('dcae'), true);
    assert.ok(placing.settle());
    assert.equal(shown(placing), 'cad+e+');
    assert.equal(sectionRows(placing.placed, 'blocked').newFrom, 'd');
    assert.ok(placing.settle(), 'the line goes with the next visit');
    assert.equal(shown(placing), 'dcae');
    assert.ok(!placing.settle());
  });

  it('lets in what waits when it is asked to, and moves nothing else', () => {
    const placing = placed('abc');
    placing.update(rows('dca'), true);
    placing.letIn();
    assert.equal(shown(placing), 'ab!cd+');
    assert.equal(waiting(placing), '');
  });

  it('takes away at once what was answered by a key, also while the server still has it', () => {
    const placing = placed('abc');
    placing.leave('b');
    assert.equal(shown(placing), 'ac');
    placing.update(rows('abc'), true);
    assert.equal(shown(placing) + waiting(placing), 'ac');
    placing.settle();
    assert.equal(shown(placing), 'ac');
    placing.update(rows('ac'), true);
    placing.update(rows('abc'), false);
    assert.equal(shown(placing), 'abc', 'the same thing may come again');
  });

  it('brings back what was not answered after all, to its place', () => {
    const placing = placed('abc');
    placing.leave('b');
    placing.back('b');
    assert.equal(shown(placing), 'abc');
    placing.back('c');
    assert.equal(shown(placing), 'abc');
  });

  it('keeps a row in its section while somebody is there', () => {
    const placing = placed('a');
    placing.update([row('a', 'questions')], true);
    assert.equal(placing.placed[0]?.row.section, 'blocked');
    placing.settle();
    assert.equal(placing.placed[0].row.section, 'questions');
  });
});

describe('Presence', () => {
  it('holds while the pointer is there, and for a moment after it left', () => {
    const presence = new Presence();
    assert.ok(!presence.holds(0));
    presence.pointer(100, false);
    assert.ok(presence.holds(100 + awayMillis));
    presence.pointerLeft(200);
    assert.ok(presence.holds(199 + awayMillis));
    assert.equal(presence.holdsUntil(200), 200 + awayMillis);
    assert.ok(!presence.holds(200 + awayMillis));
    assert.equal(presence.holdsUntil(200 + awayMillis), undefined);
  });

  it('holds while the focus is there, however long, and until both left', () => {
    const presence = new Presence();
    presence.focus(0, true);
    presence.pointer(0, false);
    presence.pointerLeft(10);
    assert.ok(presence.holds(1e6));
    assert.equal(presence.holdsUntil(1e6), undefined);
    presence.focus(1e6, false);
    assert.ok(presence.holds(1e6 + awayMillis - 1));
    assert.ok(!presence.holds(1e6 + awayMillis));
  });

  it('takes a pointer that rests beside the open row as forgotten', () => {
    const presence = new Presence();
    presence.pointer(0, false);
    assert.equal(presence.holdsUntil(0), restMillis + awayMillis);
    assert.ok(presence.holds(restMillis + awayMillis - 1));
    assert.ok(!presence.holds(restMillis + awayMillis));
    presence.pointer(restMillis * 2, true);
    assert.ok(presence.holds(restMillis * 9));
    assert.equal(presence.holdsUntil(restMillis * 9), undefined);
  });
});
