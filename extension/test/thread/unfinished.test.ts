import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Unfinished } from '../../src/thread/unfinished';
import { thread } from '../samples';

describe('unfinished replies', () => {
  const { ref: a } = thread('a');
  const { ref: b } = thread('b');
  const unfinished = new Unfinished();
  let changes = 0;
  unfinished.onChange = () => changes++;
  const drafts = (): string => `${unfinished.has(a) ? 'a' : ''}${unfinished.has(b) ? 'b' : ''} ${changes}`;

  it('are in reply boxes and compose documents, and each change is told once', () => {
    assert.equal(drafts(), ' 0');
    unfinished.typed(a, true);
    unfinished.typed(a, true);
    assert.equal(drafts(), 'a 1');
    unfinished.composed([a, b]);
    unfinished.composed([b, a]);
    assert.equal(drafts(), 'ab 2');
    unfinished.typed(a, false);
    assert.equal(drafts(), 'ab 3', 'the document is still there');
    unfinished.composed([]);
    assert.equal(drafts(), ' 4');
  });
});
