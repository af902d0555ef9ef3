// Sessions that agents' programs recorded, seen as a new user sees them: the extension
// is installed and nothing is configured. They stand under their branches, follow what
// the programs write, and say no key.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inScene } from './scene.mjs';
import { ClaudeSession, writeCodexSession } from './transcripts.mjs';
import { act, until } from './wait.mjs';
import { makeRepository } from './worktrees.mjs';

const claudeID = 'd1b4364c-ee3a-4d15-b4ec-3631c4fd5896';
const codexID = '01a2064d-a849-7721-be03-84c25098077f';
const key = `sk-ant-${'a1B2'.repeat(8)}`;

test(
  'sessions of two programs stand under their branches and are followed',
  inScene(async (scene) => {
    const home = join(scene.dir, 'editor/home');
    const folders = makeRepository(home, scene.workspace, ['feature/pay']);
    const session = busySession(home, folders.main);
    writeCodexSession(home, folders['feature/pay'], codexID, {
      branch: 'feature/pay',
      prompt: 'Round the totals.',
      answer: 'The totals are rounded now.',
    });
    writeCodexSession(home, join(scene.dir, 'elsewhere'), codexID.replace('01a2', '01a3'), {
      branch: 'main',
      prompt: 'Nobody sees this here.',
      answer: 'Right.',
    });
    const said = join(scene.dir, 'said');
    const settings = {
      'signalbox.directories': [],
      'terminal.integrated.env.linux': { PATH: `${fakeCodex(scene.dir, said)}:${process.env.PATH}` },
    };
    const editor = await scene.open({ settings });
    await editor.openInbox();
    await editor.row('Mend the login page.').waitFor();
    await editor.openGroup('feature');
    await editor.row('Round the totals.').waitFor();
    assert.equal(await editor.row('Nobody sees this here.').count(), 0);
    await scene.shot('sessions-inbox-dark');

    // What other repositories hold is found and opened all the same.
    await editor.command('Signalbox: All Sessions…');
    const elsewhere = editor.page
      .locator('.quick-input-widget .monaco-list-row', { hasText: 'Nobody sees this here.' })
      .first();
    await elsewhere.waitFor();
    await scene.shot('sessions-all-dark');
    await elsewhere.click();
    const other = await editor.threadFrame('Nobody sees this here.');
    await other.locator('article', { hasText: 'Right.' }).waitFor();

    const frame = await editor.openThread('Mend the login page.');
    await frame.locator('article', { hasText: 'All 100 files are done.' }).waitFor();
    session.prompts('Now run the tests.');
    session.calls('toolu_last', 'Bash', { command: 'make test', description: 'Run the tests' });
    const tool = frame.locator('.tool', { hasText: 'make test' }).last();
    await tool.locator('.status.running').waitFor();
    await scene.shot('sessions-running-dark');
    session.ends('toolu_last', 'ok: 214 passed', { result: { stdout: 'ok: 214 passed', stderr: '' } });
    await tool.locator('.status.completed').waitFor();
    session.says('All 214 tests pass.');
    await frame.locator('article', { hasText: 'All 214 tests pass.' }).waitFor();

    // A key is masked until the person wants to see it.
    session.says(`The key is ${key}.`);
    const told = frame.locator('article', { hasText: 'The key is' }).last();
    await told.waitFor();
    assert.ok(!(await told.textContent()).includes(key));
    await act(
      'the key to be shown',
      async () => {
        const show = frame.locator('.masked button').last();
        if ((await show.count()) > 0) await show.click();
      },
      async () => (await told.textContent({ timeout: 1_000 }))?.includes(key),
    );
    for (const theme of ['light', 'contrast', 'dark']) {
      await editor.setTheme(theme, settings);
      await scene.shot(`sessions-thread-${theme}`);
    }

    // An ended session is gone on with in its program.
    const codex = await editor.openThread('Round the totals.');
    await codex.locator('article', { hasText: 'The totals are rounded now.' }).waitFor();
    await editor.command('Signalbox: Continue Here…');
    const resumed = `${folders['feature/pay']} resume ${codexID}\n`;
    await until('the program to be run', () => existsSync(said) && readFileSync(said, 'utf8') === resumed);
    await scene.shot('sessions-resumed-dark');

    // The box below it goes on with it with a text, which no shell reads.
    const text = 'Round up; `touch pwned` "$(touch pwned)".';
    await codex.locator('form.reply textarea').fill(text);
    await codex.locator('form.reply').getByRole('button', { name: 'Continue Here…' }).click();
    const continued = `${folders['feature/pay']} resume ${codexID} ${text}\n`;
    await until('the program to be given the text', () => readFileSync(said, 'utf8') === continued);
    assert.ok(!existsSync(join(folders['feature/pay'], 'pwned')));
  }),
);

test(
  'what one session did not deliver to another is sent again by mail',
  inScene(async (scene) => {
    const home = join(scene.dir, 'editor/home');
    const folders = makeRepository(home, scene.workspace, ['feature/pay']);
    const one = new ClaudeSession(home, folders['feature/pay'], codexID, { branch: 'feature/pay' });
    one.prompts('Wait for work.');
    one.named('one');
    one.queues('two', 'Which port shall the page get?');
    one.exits();
    const two = new ClaudeSession(home, folders.main, claudeID, { at: Date.now() - 1_800_000 });
    two.prompts('Ask one for the port.');
    two.named('two');
    two.calls('toolu_1', 'SendMessage', { to: 'one', message: 'Which port shall the page get?' });
    two.ends('toolu_1', 'sent', { result: { success: true, message: 'in its inbox', msg_id: 'm-1' } });
    two.says('I asked one.');
    const editor = await scene.open({ settings: { 'signalbox.directories': [] } });
    await editor.openInbox();
    const frame = await editor.openThread('Ask one for the port.');
    const lost = frame.locator('article', { hasText: 'Which port shall the page get?' }).last();
    await lost
      .locator('.remark', { hasText: 'it was not delivered: one ended before it read this' })
      .waitFor();
    await scene.shot('sessions-lost-dark');
    await lost.locator('button', { hasText: 'Send Again by Mail' }).click();
    const draft = editor.page.locator('.monaco-editor .view-line');
    await draft.filter({ hasText: /was\snot\sdelivered:/ }).waitFor();
    await draft.filter({ hasText: /^>\sWhich\sport\sshall/ }).waitFor();
  }),
);

/** A program that writes where and with what it was run. Returns its folder. */
function fakeCodex(dir, said) {
  const folder = join(dir, 'bin');
  mkdirSync(folder);
  writeFileSync(join(folder, 'codex'), `#!/bin/sh\necho "$PWD $*" > '${said}'\n`, { mode: 0o755 });
  return folder;
}

/** A session with 300 messages and 100 tool calls, some of which failed. */
function busySession(home, folder) {
  const session = new ClaudeSession(home, folder, claudeID);
  session.prompts('Mend the login page.');
  for (let i = 1; i <= 100; i++) {
    session.thinks(`File ${String(i)} comes next.`);
    const path = join(folder, `src/page${String(i)}.ts`);
    const edit = { file_path: path, old_string: 'let a = 1;', new_string: 'const a = 1;' };
    session.calls(`toolu_${String(i)}`, 'Edit', edit);
    session.ends(`toolu_${String(i)}`, i % 9 === 0 ? 'The text was not found.' : 'The file was updated.', {
      failed: i % 9 === 0,
      result:
        i % 9 === 0
          ? 'Error: The text was not found.'
          : {
              filePath: path,
              oldString: 'let a = 1;',
              newString: 'const a = 1;',
              originalFile: 'let a = 1;\n',
            },
    });
    if (i % 2 === 0) session.prompts(`Go on with ${String(i + 1)}.`);
  }
  session.says('All 100 files are done.');
  return session;
}
