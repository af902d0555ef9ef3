// What Set Up shows and proposes.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Splice } from '../../src/setup/facts';
import { edited, nameProblem, startLine } from '../../src/setup/plan';

describe('edited', () => {
  const cases: [string, string, readonly Splice[], string | undefined][] = [
    ['a new file', '', [{ offset: 0, new: '{}\n' }], '{}\n'],
    ['nothing', 'a', [], 'a'],
    ['offsets in bytes', 'münze: 1', [{ offset: 6, old: ': 1', new: ': 2' }], 'münze: 2'],
    ['what goes', 'abc', [{ offset: 1, old: 'b' }], 'ac'],
    [
      'several',
      'abc',
      [
        { offset: 0, old: 'a', new: 'x' },
        { offset: 3, new: 'y' },
      ],
      'xbcy',
    ],
    ['another file', 'abd', [{ offset: 2, old: 'c', new: 'x' }], undefined],
    ['a shorter file', 'a', [{ offset: 2, old: 'c' }], undefined],
    [
      'edits in disorder',
      'abc',
      [
        { offset: 2, old: 'c' },
        { offset: 0, old: 'a' },
      ],
      undefined,
    ],
  ];
  for (const [name, before, edits, want] of cases)
    it(name, () => assert.equal(edited(Buffer.from(before), edits)?.toString(), want));
});

describe('nameProblem', () => {
  const cases: [string, ReturnType<typeof nameProblem>][] = [
    ['dana', undefined],
    ['D.x_1-2', undefined],
    ['', 'form'],
    ['dana smith', 'form'],
    ['--person', 'form'],
    ['dana.', 'form'],
    ['x'.repeat(65), 'form'],
    ['Coder', 'agent'],
  ];
  for (const [name, want] of cases)
    it(JSON.stringify(name), () => assert.equal(nameProblem(name, ['coder', 'fix']), want));
});

describe('startLine', () => {
  it('starts an agent with words that any shell takes', () => {
    for (const client of ['claude', 'codex', 'gemini', 'copilot', 'opencode'])
      assert.match(startLine(client) ?? '', new RegExp(`^${client}( -i| --prompt)? "[\\w .]+"$`));
  });
  it('starts no program that has a window of its own', () => assert.equal(startLine('cursor'), undefined));
});
