// How a session of an agent's program goes on: nothing but plain words is run, and
// nowhere but in the session's worktree.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { commandLine, lineFor } from '../../src/agent/resume';
import { workFolder } from '../../src/agent/workFolder';
import { group } from '../samples';

describe('the command that resumes a session', () => {
  for (const [title, words, wanted] of [
    ['is its words', ['claude', '--resume', '0a-1B'], 'claude --resume 0a-1B'],
    ['is nothing without a program', [], undefined],
    ['is nothing if the program looks like an option', ['-x', 'id'], undefined],
    ['has no word that is empty', ['codex', ''], undefined],
    ['has no word with a space', ['codex', 'resume', 'a b'], undefined],
    ['has no word that a shell reads as more', ['codex', 'resume', 'a;b'], undefined],
    ['has no variable', ['codex', 'resume', '$HOME'], undefined],
    ['has no second line', ['codex', 'resume', 'a\nrm'], undefined],
    ['has no path', ['./codex', 'resume', 'a'], undefined],
  ] as const)
    it(title, () => assert.equal(commandLine(words), wanted));
});

describe('a line with texts that no shell reads', () => {
  const words = ['claude', '--resume', '0a-1B', 'Go on; `touch pwned` "$(x)"\nand rest'];
  for (const [shell, line] of [
    ['/bin/bash', 'claude --resume 0a-1B "$SIGNALBOX_WORD_3"'],
    ['/usr/bin/zsh', 'claude --resume 0a-1B "$SIGNALBOX_WORD_3"'],
    ['/usr/bin/fish', 'claude --resume 0a-1B "$SIGNALBOX_WORD_3"'],
    ['/usr/bin/pwsh', 'claude --resume 0a-1B $env:SIGNALBOX_WORD_3'],
  ] as const)
    it(`has them in variables of ${shell}`, () =>
      assert.deepEqual(lineFor(words, shell), { line, env: { SIGNALBOX_WORD_3: words[3] } }));
  it('is none for other shells, odd programs and texts that are too long', () => {
    assert.equal(lineFor(words, '/usr/bin/nu'), undefined);
    assert.equal(lineFor(words, 'C:\\Windows\\System32\\cmd.exe'), undefined);
    assert.equal(lineFor(['a b', 'c'], '/bin/sh'), undefined);
    assert.equal(lineFor(['a', 'x'.repeat(40_000)], '/bin/sh'), undefined);
  });
});

describe('the folder in which a session goes on', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-resume-')));
  after(() => rmSync(root, { recursive: true }));
  const at = (...parts: string[]): string => join(root, ...parts);
  mkdirSync(at('shop', 'src'), { recursive: true });
  mkdirSync(at('shop', '..more'));
  mkdirSync(at('shop-other'));
  writeFileSync(at('shop', 'file'), '');
  symlinkSync(at('shop'), at('link'));
  symlinkSync(at('shop-other'), at('shop', 'out'));
  const shop = group('g', { path: at('shop') });

  for (const [title, folder, of, wanted] of [
    ['is the session’s own', at('shop', 'src'), shop, at('shop', 'src')],
    ['may be the worktree itself', at('shop'), shop, at('shop')],
    ['may begin with dots', at('shop', '..more'), shop, at('shop', '..more')],
    ['is found through a link', at('link', 'src'), shop, at('shop', 'src')],
    ['is not outside of the worktree', at('shop-other'), shop, at('shop')],
    ['is not outside by a link', at('shop', 'out'), shop, at('shop')],
    ['is no file', at('shop', 'file'), shop, at('shop')],
    ['is the worktree once the own is gone', at('shop', 'gone'), shop, at('shop')],
    ['is no relative path', 'src', shop, at('shop')],
    ['is none without its worktree', at('shop'), group('g', { path: at('gone') }), undefined],
    ['is none without a group', at('shop'), undefined, undefined],
  ] as const)
    it(title, async () => assert.equal(await workFolder(folder, of), wanted));
});
