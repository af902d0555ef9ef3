import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mayBe, needed, SyncedDocuments } from '../../src/server/documentKinds';
import { documentKindsOf } from '../../src/server/negotiation';

describe('mayBe', () => {
  const maxBytes = 1024;
  const kind = {
    pattern: '**/*.json',
    maxBytes,
    marks: [
      ['"protocol_version"', '"AMP/'],
      ['"format"', '"signalbox-resume/'],
    ],
  };
  const envelope = '{"protocol_version": "AMP/1.0"}';
  for (const [name, text, want] of [
    ['an envelope', envelope, true],
    ['another version, which is worth a word', '{"protocol_version":"AMP/2.0"}', true],
    ['an answer', '{"format": "signalbox-resume/1"}', true],
    ['a record of something else', '{"format": "signalbox-draft/1"}', false],
    ['other JSON', '{"name": "x"}', false],
    ['the version of another protocol', '{"protocol_version": "2025-01-01"}', false],
    ['the words without the member', '{"text": "AMP/1.0"}', false],
    ['nothing', '', false],
    ['the longest there may be', envelope.padEnd(maxBytes), true],
    ['a longer one', envelope.padEnd(maxBytes + 1), false],
    ['one whose bytes are more than its letters', envelope + 'ü'.repeat(maxBytes / 2), false],
  ] as const) {
    it(name, () => assert.equal(mayBe(kind, text), want));
  }
  it('needs no marks where the path says enough', () => {
    assert.equal(mayBe({ ...kind, marks: [] }, 'x'), true);
    const log = { pattern: '**/log-*.jsonl', maxBytes: 100, marks: [['"from"']], within: 10 };
    assert.equal(mayBe(log, '{"from": 1}'), true);
    assert.equal(mayBe(log, '          {"from": 1}'), false, 'a mark too far behind');
    assert.deepEqual(
      [needed(log, 5), needed(log, 50), needed({ ...log, marks: [] }, 50), needed(kind, 50)],
      [5, 10, 0, 50],
    );
    assert.equal(mayBe({ ...kind, marks: [] }, 'x'.repeat(maxBytes + 1)), false);
  });
  it('are those that the server names in its answer', () => {
    const versions = { min: 1, max: 1 };
    assert.deepEqual(documentKindsOf({ signalbox: { ...versions, documents: [kind] } }), [kind]);
    const odd = { signalbox: { ...versions, documents: { length: 1 } } };
    const none = [undefined, null, {}, { signalbox: null }, { signalbox: {} }, { signalbox: versions }, odd];
    for (const answer of none) assert.deepEqual(documentKindsOf(answer), []);
  });
});

describe('SyncedDocuments', () => {
  it('hears of nothing that does not concern the server', () => {
    const synced = new SyncedDocuments();
    assert.equal(synced.opened('a', false), false);
    assert.equal(synced.changed('a', false), 'nothing');
    assert.equal(synced.closed('a'), false);
  });
  it('follows a document from opening to closing', () => {
    const synced = new SyncedDocuments();
    assert.equal(synced.opened('a', true), true);
    assert.equal(synced.changed('a', true), 'change');
    assert.ok(synced.has('a'));
    assert.equal(synced.closed('a'), true);
    assert.equal(synced.closed('a'), false);
  });
  it('opens what becomes an envelope, closes what stops being one', () => {
    const synced = new SyncedDocuments();
    synced.opened('a', false);
    assert.equal(synced.changed('a', true), 'open');
    assert.equal(synced.changed('a', true), 'change');
    assert.equal(synced.changed('a', false), 'close');
    assert.equal(synced.changed('a', false), 'nothing');
    assert.equal(synced.changed('a', true), 'open');
  });
});
