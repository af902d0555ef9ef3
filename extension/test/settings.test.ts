// Settings of any type, addresses, and tokens in texts.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linkToken } from '../src/address';
import { SettingReader } from '../src/settings';
import { compilePatterns, completionAt, tokensIn, withoutOverlaps } from '../src/links/tokens';

describe('SettingReader', () => {
  const wrong: readonly unknown[] = [7, true, 'x', {}, [], ['a', 7], [['a']], -1, 1.5, 1e300];
  const read = (value: unknown) => {
    const settings = new SettingReader(() => value);
    const values = [
      settings.text('t'),
      settings.flag('f'),
      settings.choice('c', ['auto', 'v1']),
      settings.count('n', 5, 1, 5),
      settings.texts('l'),
    ] as const;
    return { values, names: settings.problems.map(({ name }) => name).join('') };
  };

  it('takes what is right', () => {
    const kinds = ['text', 'flag', 'choice', 'count', 'texts'] as const;
    const right = { text: ' bob ', flag: true, choice: 'v1', count: 3, texts: [' a ', ''] };
    const settings = new SettingReader((name) => right[kinds.find((kind) => kind === name) ?? 'text']);
    assert.equal(settings.text('text'), 'bob');
    assert.equal(settings.flag('flag'), true);
    assert.equal(settings.choice('choice', ['auto', 'v1']), 'v1');
    assert.equal(settings.count('count', 5, 1, 5), 3);
    assert.deepEqual(settings.texts('texts'), ['a']);
    assert.deepEqual(settings.problems, []);
  });

  it('uses the default and names nothing where nothing was said', () => {
    for (const nothing of [undefined, null]) {
      assert.deepEqual(read(nothing), { values: ['', false, 'auto', 5, []], names: '' });
    }
  });

  it('names each setting of the wrong type and uses its default', () => {
    const names = wrong.map((value) => read(value).names);
    assert.deepEqual(names, [
      'tfcnl',
      'tcnl',
      'fcnl',
      'tfcnl',
      'tfcn',
      'tfcnl',
      'tfcnl',
      'tfcnl',
      'tfcnl',
      'tfcnl',
    ]);
    assert.deepEqual(read({}).values, ['', false, 'auto', 5, []]);
  });

  it('says what a setting should be', () => {
    const settings = new SettingReader(() => 9);
    settings.count('n', 5, 1, 5);
    settings.choice('c', ['a', 'b']);
    assert.deepEqual(
      settings.problems.map(({ wanted }) => wanted),
      ['a whole number from 1 to 5', 'one of a, b'],
    );
  });
});

describe('link addresses', () => {
  it('name what stands behind their kind', () => {
    for (const token of ['0123456789abcdef', 'T-2026-001', 'a b/ü?#%', '2026-11-01-x']) {
      assert.equal(linkToken(`/thread/${token}`), token);
      assert.equal(linkToken(`/message/${token}`), token);
    }
  });

  it('lead nowhere where they name nothing', () => {
    for (const path of [
      '',
      '/',
      '/thread/',
      '/thread',
      '/run/x',
      '/thread/a\nb',
      `/message/${'x'.repeat(513)}`,
    ]) {
      assert.equal(linkToken(path), undefined, path);
    }
  });
});

describe('tokensIn', () => {
  const patterns = compilePatterns(
    [
      { kind: 'message', pattern: '\\b[0-9a-f]{16}\\b', flags: 'g' },
      { kind: 'thread', pattern: '\\[thread:([^\\]]+)\\]', flags: 'g' },
      { kind: 'thread', pattern: '\\b[0-9]{4}-[a-z]+', flags: 'g' },
    ],
    () => undefined,
  );

  it('finds all of a text, each where its group stands', () => {
    const text = 'a 0123456789abcdef [thread:2026-x] b';
    const found = tokensIn(text, patterns, 10);
    assert.deepEqual(
      found.map(({ text: token, start, end }) => [token, text.slice(start, end)]),
      [
        ['0123456789abcdef', '0123456789abcdef'],
        ['2026-x', '2026-x'],
        ['2026-x', '2026-x'],
      ],
    );
    assert.equal(withoutOverlaps(found).length, 2);
  });

  it('stops at its limit', () =>
    assert.equal(tokensIn('0123456789abcdef '.repeat(100), patterns, 7).length, 7));

  it('keeps the longest of those that overlap', () => {
    const of = (start: number, end: number) => ({ text: `${start}`, start, end });
    assert.deepEqual(withoutOverlaps([of(4, 6), of(0, 5), of(6, 9), of(7, 8)]), [of(0, 5), of(6, 9)]);
  });
});

describe('completionAt', () => {
  const cases: readonly (readonly [string, boolean, boolean, string])[] = [
    ['see [thread:rel', false, false, 'thread rel'],
    ['see [thread:release 1', false, false, 'thread release 1'],
    ['[thread:x] then', false, true, ''],
    ['To: al', false, true, 'recipient al'],
    ['to:', false, true, 'recipient '],
    ['{"to": "bo', false, true, 'recipient bo'],
    ['go to: al', false, true, ''],
    ['to: al', false, false, ''],
    ['Thread: 2026', false, true, 'thread 2026'],
    ['// 3a8e', true, false, 'id 3a8e'],
    ['// 3a8e', false, false, ''],
    ['// 3a8', true, false, ''],
    ['msg_17', true, false, 'id msg_17'],
    ['in T-2026-', true, false, 'id T-2026-'],
    ['deadbeefdeadbeef0', true, false, ''],
    ['', true, true, ''],
  ];
  for (const [before, asked, prose, want] of cases) {
    it(`${JSON.stringify(before)}${asked ? ', asked' : ''}${prose ? ', prose' : ''}`, () => {
      const at = completionAt(before, asked, prose);
      assert.equal(at === undefined ? '' : `${at.kind} ${at.prefix}`, want);
    });
  }
});
