import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fill } from '../../src/fill';
import { foundTitle, hitLines, searchingTitle } from '../../src/inbox/searchWords';

const t = (text: string, ...values: string[]): string => fill(text, ...values);

describe('hitLines', () => {
  it('marks the words, between the line before and the line after', () => {
    const marks = [
      [6, 3],
      [15, 3],
    ] as const;
    assert.equal(
      hitLines({ before: 'one', snippet: '😀 is red, and RED.', after: 'three', marks }),
      'one ⏎ 😀 is ‹red›, and ‹RED›. ⏎ three',
    );
    assert.equal(hitLines({ snippet: 'nothing in it', marks: [] }), 'nothing in it');
  });

  it('leaves the beginning of a long line before out, so that the word is seen', () => {
    const before = '😀 '.repeat(100);
    for (const at of [0, 48]) {
      const lines = hitLines({ before, snippet: `${'x'.repeat(at)}red`, marks: [[at, 3]] });
      assert.ok(Array.from(lines.slice(0, lines.indexOf('‹red›'))).length <= 64, lines);
      assert.ok(!/\p{Cs}/u.test(lines) && lines.startsWith('…😀'), lines);
    }
  });
});

describe('the title of a search', () => {
  it('says that it searches, and how many were found so far', () => {
    assert.equal(searchingTitle(t, 0), 'Searching…');
    assert.equal(searchingTitle(t, 12), 'Searching… 12 found');
  });

  it('says how many were found, and what was left out', () => {
    const problems = [{ offset: 0, length: 5, message: 'from: needs a name' }];
    const whole = { complete: true, problems: [] };
    assert.equal(foundTitle(t, 0, whole), 'Nothing found');
    assert.equal(foundTitle(t, 1, whole), '1 message');
    assert.equal(foundTitle(t, 50, { ...whole, nextCursor: 'x' }), '50 messages · there are older ones');
    assert.equal(
      foundTitle(t, 3, { complete: false, nextCursor: 'x', problems }),
      '3 messages · not everything was searched · left out: from: needs a name',
    );
    assert.equal(
      foundTitle(t, 0, { complete: false, problems: [] }),
      'Nothing found · some mail or sessions are still being read',
    );
  });
});
