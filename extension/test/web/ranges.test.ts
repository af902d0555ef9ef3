import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytesOf } from '../../src/web/calls';
import { Lines, unitAt, valueEnd } from '../../src/web/ranges';

describe('positions', () => {
  const text = 'aé\n🚀x\r\ny\rz';
  const bytes = bytesOf(text);
  const lines = new Lines(bytes);
  const cases: readonly (readonly [string, string, number, number])[] = [
    ['the beginning', '', 0, 0],
    ['after a character of two bytes', 'aé', 0, 2],
    ['the next line', 'aé\n', 1, 0],
    ['after a character of two units', 'aé\n🚀', 1, 2],
    ['after \\r\\n', 'aé\n🚀x\r\n', 2, 0],
    ['after \\r alone', 'aé\n🚀x\r\ny\r', 3, 0],
    ['the end', text, 3, 1],
  ];
  for (const [name, before, line, character] of cases) {
    it(name, () => assert.deepEqual(lines.position(bytesOf(before).length), { line, character }));
  }

  it('within a character is where it begins, beyond the end is the end', () => {
    assert.deepEqual(lines.position(6), { line: 1, character: 0 });
    assert.deepEqual(lines.position(2), { line: 0, character: 1 });
    assert.deepEqual(lines.position(1_000), { line: 3, character: 1 });
    assert.deepEqual(new Lines(bytesOf('')).position(7), { line: 0, character: 0 });
  });

  it('agrees with decoding, at every character of a text', () => {
    const long = 'ä€🚀"\n'.repeat(50);
    const all = new Lines(bytesOf(long));
    let before = '';
    for (const each of long) {
      const last = before.slice(before.lastIndexOf('\n') + 1);
      const line = before.split('\n').length - 1;
      assert.deepEqual(all.position(bytesOf(before).length), { line, character: last.length });
      before += each;
    }
  });
});

describe('the end of a value', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['a text', '"a\\"b": 1', '"a\\"b"'],
    ['a text without an end', '"abc', '"abc'],
    ['a number', '12.5,', '12.5'],
    ['a word', 'true}', 'true'],
    ['an object', '{"a":1}', '{'],
    ['a list', '[1]', '['],
    ['a sign', ',x', ','],
    ['a character of several bytes', '🚀 x', '🚀'],
    ['nothing', '', ''],
  ];
  for (const [name, text, want] of cases) {
    it(name, () => assert.equal(valueEnd(bytesOf(text), 0), bytesOf(want).length));
  }
});

describe('offsets in a line', () => {
  it('counts what UTF-8 makes of it', () => {
    const text = 'ä🚀\uD800x';
    assert.equal(unitAt(text, 0), 0);
    assert.equal(unitAt(text, 2), 1);
    assert.equal(unitAt(text, 6), 3);
    assert.equal(unitAt(text, 9), 4); // half a character is replaced
    assert.equal(unitAt(text, 99), text.length);
  });
});
