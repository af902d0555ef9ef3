// Code in messages: colours, the theme's palette, changed lines and names of files.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Colouring, runsOf } from '../../src/code/colouring';
import { codeKinds, isColourable, type Runs } from '../../src/code/kinds';
import { themeColours } from '../../src/code/theme';
import { placeIn } from '../../src/thread/files/fileName';
import { fileWithin } from '../../src/thread/files/fileNames';
import { linesOf } from '../../src/thread/changes/hunks';

/** Returns the coloured words of a text with their kinds. */
function words(text: string, runs: Runs | undefined): readonly string[] {
  let at = 0;
  return (runs ?? []).flatMap(([length, kind]) => {
    const piece = text.slice(at, (at += length));
    return kind === 0 ? [] : [`${codeKinds[kind]} ${piece}`];
  });
}

describe('colours of code', () => {
  for (const [language, code, wanted] of [
    [
      'ts',
      'export const a = "<b>"; // & c',
      ['storage export', 'storage const', 'string "<b>"', 'comment // & c'],
    ],
    [
      'go',
      'if x == nil { return f(r.Len(1)) }',
      ['keyword if', 'literal nil', 'keyword return', 'function f', 'function Len', 'number 1'],
    ],
    ['json', '{"a": true}', ['property "a"', 'literal true']],
    ['html', '<a b="c">', ['tag <a', 'attribute b', 'tag =', 'string "c"', 'tag >']],
    ['diff', '-a\n+b\n', ['deleted -a', 'inserted +b']],
    ['tsx', 'let a', ['storage let']],
  ] as const) {
    it(language, async () => {
      const runs = await new Colouring().runs(code, language);
      assert.deepEqual(
        words(code, runs).map((word) => word.trim()),
        wanted,
      );
      const sum = runs?.reduce((length, [piece]) => length + piece, 0);
      assert.equal(sum, code.length);
    });
  }
  it('leaves out what is unknown, too long, or a line that is too long', async () => {
    const colouring = new Colouring();
    for (const [code, language] of [
      ['let a', 'klingon'],
      ['let a', ''],
      ['let a\n'.repeat(4_000), 'ts'],
      [`let a = "${'x'.repeat(2_000)}"`, 'ts'],
    ] as const)
      assert.equal(await colouring.runs(code, language), undefined);
    assert.equal(isColourable('x'.repeat(400)), true);
  });
  it('keeps the length of hostile text', async () => {
    for (const code of [
      '<script>&amp;</span>\u0000',
      '`${`${`${',
      '/*'.repeat(200),
      '\u{1f600}"\\',
      '</span><span class="x">',
    ])
      for (const language of ['ts', 'xml', 'markdown', 'php', 'bash']) {
        const runs = await new Colouring().runs(code, language);
        assert.equal(
          runs?.reduce((sum, [length]) => sum + length, 0),
          code.length,
          `${language} ${code}`,
        );
      }
  });
  it('reads nested spans', () => {
    const html = '<span class="hljs-string">a<span class="hljs-subst">b</span>&lt;</span>';
    assert.deepEqual(words('ab<', runsOf(html)), ['string a', 'string <']);
  });
});

describe('colours of a theme', () => {
  const files: Readonly<Record<string, string>> = {
    'themes/a.json':
      '{ // a comment\n "include": "./b.json", "tokenColors": [{"scope": "keyword.control", "settings": {"foreground": "#111111"}},\n' +
      '{"scope": ["comment, string"], "settings": {"foreground": "#222222"}}, {"scope": "meta.preprocessor x", "settings": {"foreground": "#333"}}, ],}',
    'themes/./b.json':
      '{"tokenColors": [{"scope": "keyword", "settings": {"foreground": "#444444"}}, {"scope": "comment", "settings": {"foreground": "#555555"}},' +
      '{"scope": "constant.numeric", "settings": {"foreground": "url(x)"}}, {"scope": "//", "settings": {}}, {"settings": {"foreground": "#666666"}}, 7, null]}',
    'loop.json':
      '{"include": "loop.json", "tokenColors": [{"scope": "keyword", "settings": {"foreground": "#777777"}}]}',
    'odd.json': '[1',
    'path.json': '{"tokenColors": "./x.tmTheme"}',
  };
  const read = (path: string): Promise<string> => Promise.resolve(files[path] ?? '');
  for (const [path, wanted] of [
    ['themes/a.json', { keyword: '#111111', meta: '#111111', comment: '#222222', string: '#222222' }],
    ['loop.json', { keyword: '#777777', meta: '#777777' }],
    ['odd.json', {}],
    ['path.json', {}],
    ['missing', {}],
  ] as const) {
    it(path, async () => assert.deepEqual(await themeColours(read, path), wanted));
  }
});

describe('changed lines', () => {
  it('keep their signs, and leave out where a hunk stands', () => {
    const lines = linesOf('@@ -1,2 +1,2 @@\n a\n-b\n+<c>\n@@ -9 +9 @@\n+d\n');
    assert.deepEqual(
      lines.map(({ kind, text }) => `${kind}:${text}`),
      ['same: a', 'minus:-b', 'plus:+<c>', 'skipped:⋯', 'plus:+d'],
    );
    assert.deepEqual(linesOf(''), []);
  });
});

describe('names of files', () => {
  for (const [text, path, line] of [
    ['src/auth.ts', 'src/auth.ts', undefined],
    ['src/auth.ts:40', 'src/auth.ts', 40],
    ['./src/auth.ts:40:2', './src/auth.ts', 40],
    ['/home/a/b.go', '/home/a/b.go', undefined],
    ['C:\\a\\b.go:3', 'C:\\a\\b.go', 3],
    ['package.json', 'package.json', undefined],
  ] as const) {
    it(text, () => assert.deepEqual(placeIn(text), { path, line }));
  }
  for (const text of [
    '',
    'main',
    'feature/search',
    '../a.ts',
    'a/../../b.ts',
    '>command.ts',
    'a b.ts',
    'https://x.org/a.ts',
    'a.exe',
    `${'x'.repeat(400)}.ts`,
    'a\n.ts',
  ])
    it(`not ${JSON.stringify(text).slice(0, 40)}`, () => assert.equal(placeIn(text), undefined));

  it('are opened only inside a root', async () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-names-')));
    try {
      const [root, out] = [join(home, 'root'), join(home, 'out')];
      for (const folder of [join(root, 'src'), out]) mkdirSync(folder, { recursive: true });
      for (const file of [join(root, 'src/a.ts'), join(out, 'b.ts')]) writeFileSync(file, '');
      symlinkSync(join(out, 'b.ts'), join(root, 'link.ts'));
      const inside = join(root, 'src/a.ts');
      assert.equal(await fileWithin('src/a.ts', '', [root]), inside);
      assert.equal(await fileWithin('a.ts', join(root, 'src'), [root]), inside);
      assert.equal(await fileWithin(inside, '', [root]), inside);
      for (const name of ['link.ts', join(out, 'b.ts'), '../out/b.ts', 'src', 'gone.ts'])
        assert.equal(await fileWithin(name, out, [root]), undefined, name);
      assert.equal(await fileWithin('b.ts', out, [root]), undefined);
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});
