import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytesOf } from '../../src/web/calls';
import { valueAt } from '../../src/web/jsonPlace';

describe('the place of a member', () => {
  const text = ' {"a" : {"ä,}\\"" : [1, {"b":"x,y"}], "c":\n 12 }, "d":"e" } ';
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['a', '{"ä'],
    ['a.c', '12 }'],
    ['a.ä,}"[1].b', '"x,y"'],
    ['a.ä,}"[0]', '1, {'],
    ['d', '"e" }'],
    ['d.x', undefined],
    ['a.ä,}"[2]', undefined],
    ['x', undefined],
    ['', undefined],
  ];
  for (const [field, want] of cases) {
    it(field, () => {
      const at = valueAt(bytesOf(text), 1, field);
      const before = want === undefined ? undefined : bytesOf(text.slice(0, text.indexOf(want))).length;
      assert.equal(at, before);
    });
  }

  it('is nowhere in what is no JSON, however it is cut', () => {
    for (let end = 0; end < text.length; end++) {
      const at = valueAt(bytesOf(text.slice(0, end)), 1, 'a.ä,}"[1].b');
      assert.ok(at === undefined || at < end + 2);
    }
    for (const broken of ['{"a"', '{"a":', '{"a":1', '{a:1}', '[', '{"x" "a"}', '['.repeat(50_000)])
      assert.equal(valueAt(bytesOf(broken), 0, 'b.c'), undefined, broken.slice(0, 9));
  });
});
