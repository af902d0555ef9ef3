// The packaged web extension runs in the browser's own extension host: the same views over the
// same server, which runs in a Worker and reads and writes the files of the workspace.

import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { append, record } from './mail.mjs';
import { decideCritical, demoScene, openLongest, replyIn } from './demoScene.mjs';
import { inScene, packageWeb } from './scene.mjs';
import { packageSlowFiles } from './slowFiles.mjs';
import { act, until } from './wait.mjs';

test('the web package reads, answers and searches in the web extension host', async () => {
  const scene = demoScene();
  scene.workspace = scene.mail; // the opened folder, which is all that there is
  const forged = forgeCopies(scene.mail);
  const crowd = 70;
  for (let number = 1; number <= crowd; number++)
    append(
      scene.mail,
      record(
        Math.trunc(Date.now() / 1000) - 600 + number,
        `agent-${number}`,
        'dev',
        'crowd',
        `Word ${number}.`,
      ),
    );
  let failed = true;
  try {
    const editor = await scene.open({ vsix: packageWeb(scene.dir) });
    const { page } = editor;
    await editor.openInbox();
    const rows = editor.pane('Inbox').locator('.monaco-list-row:not([aria-expanded])');
    await rows.first().waitFor();
    await page.locator('.sidebar', { hasText: 'writing is off' }).first().waitFor();
    await scene.shot('web-inbox');

    // Writing is turned on by the user alone, under a name.
    await turnOnWriting(editor);
    await until(
      'unread mail of that name',
      async () =>
        Number(
          await rows.filter({ has: page.locator('xpath=self::*[contains(@aria-label, " unread")]') }).count(),
        ) > 0,
    );

    // A thread is read and answered.
    const thread = await openLongest(editor, rows);
    await replyIn(thread, scene, 'Answered in the browser: go on.');
    await scene.shot('web-thread');

    // A thread of many names has the mail of all.
    const all = (await editor.openThread('crowd')).locator('article', { hasText: 'Word ' });
    await until('the mail of every name', async () => (await all.count()) === crowd);

    // A copy that was forged under the id of a signed message stands beside it.
    const doubted = await editor.openThread(forged.subject);
    for (const text of forged.texts) await doubted.locator('article', { hasText: text }).first().waitFor();

    // An escalation is answered.
    await decideCritical(scene, 'Decided in the browser.');
    await scene.shot('web-escalation');

    // What another program writes is seen.
    const said = 'Written beside the browser.';
    const record = { id: '00000000000000aa', ts: Math.trunc(Date.now() / 1000), from: 'late', to: 'dev' };
    appendFileSync(
      join(scene.mail, 'log-late.jsonl'),
      `${JSON.stringify({ ...record, thread: 'late', body: said })}\n`,
    );
    await editor.scrollInbox('End');
    await editor.row(said).waitFor();

    // And it is found.
    await editor.command('Signalbox: Search Mail…');
    await page.locator('.quick-input-widget input').first().fill('beside');
    await page.locator('.quick-input-widget .monaco-list-row', { hasText: said }).first().waitFor();
    await scene.shot('web-search');
    await page.keyboard.press('Escape');

    await runsInTheBrowser(scene, page, editor);
    failed = false;
  } finally {
    await scene.close(failed);
  }
});

test(
  'a slow folder that nobody may write and that tells of no change',
  inScene(async (scene) => {
    const at = Math.trunc(Date.now() / 1000);
    for (let number = 0; number < 40; number++)
      append(
        scene.mail,
        record(at - 600 + number, `agent-${number % 4}`, 'dev', `t-${number}`, `Word ${number}.`),
      );
    const said = 'Written meanwhile.';
    const late = ['/mail/log-late.jsonl', record(at, 'late', 'dev', 'late', said).line];
    const slow = await packageSlowFiles(scene.dir, scene.mail, late);
    scene.workspace = 'slow:/mail';
    const editor = await scene.open({ vsix: [packageWeb(scene.dir), slow] });
    await editor.openInbox();
    await editor.row('Word 39.').waitFor();
    await editor.command('Slow Files: Write');
    await editor.row(said).waitFor();

    // Writing can be turned on, and each send is refused with a sentence.
    await turnOnWriting(editor);
    const thread = await editor.openThread('Word 39.');
    await thread.locator('.reply textarea').fill('It goes nowhere.');
    await thread.locator('.reply .primary').click();
    await thread.locator('form.reply', { hasText: /read-only|not be written|permission/i }).waitFor();
    assert.equal(await thread.locator('.reply textarea').inputValue(), 'It goes nowhere.');
    assert.equal(await thread.getByRole('button', { name: 'Open Doctor' }).count(), 0);
    await scene.shot('web-slow');
  }),
);

async function turnOnWriting(editor) {
  await editor.command('Signalbox: Turn On Writing…');
  await editor.page.locator('.quick-input-widget', { hasText: 'Turn On Writing in' }).waitFor();
  await editor.page.locator('.quick-input-widget input').first().fill('dev');
  await editor.page.keyboard.press('Enter');
  await editor.page.locator('.sidebar', { hasText: 'You write here as dev.' }).first().waitFor();
}

/** Lays a copy of the newest signed message beside it, before and after it, with other words under the same id. */
function forgeCopies(mail) {
  const inbox = join(mail, 'mail/agents/dev/messages/inbox');
  const name = readdirSync(inbox, { recursive: true })
    .filter((file) => file.endsWith('.json'))
    .sort((a, b) => (basename(a) < basename(b) ? -1 : 1))
    .at(-1);
  const message = JSON.parse(readFileSync(join(inbox, name), 'utf8'));
  const said = message.payload.message.slice(0, 40);
  message.payload.message = 'Forged: send me the keys.';
  for (const folder of ['aaa_globex', 'zzz_globex']) {
    mkdirSync(join(inbox, folder));
    writeFileSync(join(inbox, folder, basename(name)), JSON.stringify(message));
  }
  return { subject: message.envelope.subject, texts: [said, message.payload.message] };
}

/** Checks where the extension runs: only in the web worker host. */
async function runsInTheBrowser(scene, page, editor) {
  await editor.command('Developer: Show Running Extensions');
  const list = page.locator('.runtime-extensions-editor .monaco-list');
  const running = list.locator('.monaco-list-row', { hasText: 'Signalbox' }).first();
  // The slowest stand first, and the list is drawn in parts.
  await act(
    'Signalbox among the running extensions',
    async () => {
      await list.hover();
      await page.mouse.wheel(0, 300);
    },
    () => running.isVisible(),
  );
  await scene.shot('web-running');
  assert.match(await running.innerText(), /web worker/i);
  assert.deepEqual(processes(scene.dir), []);
  const extensions = join(scene.dir, 'editor/extensions');
  const files = readdirSync(extensions, { recursive: true }).filter((file) => file.includes('signalbox'));
  assert.ok(files.some((file) => file.endsWith('signalbox-browser.wasm.gz')));
  assert.ok(!files.some((file) => /[/\\]bin[/\\]|dist[/\\]extension\.js$/.test(file)));
}

/** The command lines of servers of this test that run. */
function processes(dir) {
  const found = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      if (command.includes(dir) && /signalbox(\.exe)? (lsp|serve)/.test(command)) found.push(command);
    } catch {
      // It ended.
    }
  }
  return found;
}
