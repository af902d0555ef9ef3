import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChangedFile } from '../../../src/protocol';
import { entriesOf, joinPieces, parseSide, type SideText } from '../../../src/thread/changes/changeModel';

const message = { protocol: 'session', store: 'claude', id: 'm1' } as const;
const edits = [{ message, tool: 0 }];
const entry = (file: Partial<ChangedFile>): unknown[] => {
  const [made] = entriesOf({ files: [{ path: 'src/a.ts', ...file }] }, '/shop');
  return [made?.inside, made?.before, made?.after];
};

describe('the entries of changed files', () => {
  const blob = (name: string): SideText => ({ kind: 'blob', folder: '/shop', name });
  for (const [what, file, want] of [
    ['new', { status: 'added' }, [true, undefined, 'disk']],
    ['changed', { status: 'modified', before: 'b1' }, [true, blob('b1'), 'disk']],
    ['deleted', { status: 'deleted', before: 'b1' }, [true, blob('b1'), undefined]],
    ['of a branch', { status: 'modified', before: 'b1', after: 'b2' }, [true, blob('b1'), blob('b2')]],
    [
      'no text',
      { status: 'modified', before: 'b1', unshown: 'binary' },
      [true, undefined, { kind: 'unshown', why: 'binary' }],
    ],
    [
      'edited by an agent, and elsewhere',
      { path: '/home/ada/notes.md', edits },
      [false, { kind: 'edits', edits, side: 'old' }, { kind: 'edits', edits, side: 'new' }],
    ],
  ] as const)
    it(`show a file that is ${what}`, () => assert.deepEqual(entry(file), want));

  it('say what is missing', () => {
    const entries = entriesOf({ files: [], more: 7, cut: true }, '/shop');
    assert.deepEqual(
      entries.map(({ after }) => after),
      [{ kind: 'more', files: 7, cut: true }],
    );
  });

  it('are found again by their addresses, and by no others', () => {
    const sides: readonly SideText[] = [
      { kind: 'blob', folder: '/shop', name: 'b1' },
      { kind: 'edits', edits, side: 'old' },
      { kind: 'unshown', why: 'large' },
      { kind: 'more', files: 7, cut: true },
    ];
    for (const side of sides) assert.deepEqual(parseSide(JSON.stringify(side)), side);
    for (const query of ['', '{', 'null', '{"kind":"x"}', '{"kind":"blob","folder":1,"name":"x"}'])
      assert.equal(parseSide(query), undefined);
    assert.deepEqual(parseSide('{"kind":"edits","edits":[1,{"message":{},"tool":0}]}'), {
      kind: 'edits',
      edits: [],
      side: 'new',
    });
  });

  it('hold the pieces of all edits', () => {
    assert.equal(joinPieces([]), '');
    assert.equal(joinPieces(['a\n']), 'a\n');
    assert.equal(joinPieces(['a\n', 'b']), 'a\n\n⋯\n\nb\n');
  });
});
