// What the user sees when there is no server, a crashing one or a broken one.

import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { append, record, recordsOf, writeOffice } from './mail.mjs';
import { inScene, serverBin } from './scene.mjs';
import { act, until } from './wait.mjs';

const welcome = (page) =>
  page
    .locator('.sidebar .pane', { has: page.locator('.pane-header', { hasText: 'Inbox' }) })
    .locator('.welcome-view');

test(
  'a missing, a crashing, an old and a broken server are all said so',
  inScene(async (scene, part) => {
    writeOffice(scene.mail, Date.now());
    const editor = await scene.open({ server: '/nowhere/signalbox' });
    const { page } = editor;
    await editor.openInbox();
    await welcome(page).filter({ hasText: 'was not found' }).waitFor();
    await page.locator('.statusbar-item', { hasText: 'Signalbox' }).waitFor();
    await scene.shot('missing-dark');

    // A new path is taken at once; five crashes are enough.
    await useServer(scene, 'crash');
    await welcome(page).filter({ hasText: 'crashed five times' }).waitFor();
    await page.locator('.notification-toast', { hasText: 'crashed five times' }).waitFor();
    await scene.shot('crashed-dark');
    await editor.command('Notifications: Clear All Notifications');

    await useServer(scene, 'old');
    await welcome(page).filter({ hasText: 'could not start' }).waitFor();

    await useServer(scene, 'garbage');
    await welcome(page)
      .filter({ hasText: /could not start|crashed five times/ })
      .waitFor();
    await editor.command('Notifications: Clear All Notifications');

    await useServer(scene, '');
    await editor.row('release-1.4').waitFor();
    assert.equal(await welcome(page).count(), 0);

    // A server that crashes while it works is started again, and the list comes back.
    await useServer(scene, 'crashlater');
    await until('the other server', () => runsOf(scene, 'fake-crashlater') === 1);
    await editor.row('release-1.4').waitFor();
    await editor.command('Signalbox: Refresh Inbox');
    await until('a second start', () => runsOf(scene, 'fake-crashlater') === 2);
    await editor.row('release-1.4').waitFor();
    assert.equal(await welcome(page).count(), 0);

    // The last rows stay, with a message that they are out of date.
    await useServer(scene, 'crash');
    const stale = page.locator('.sidebar .pane-body .message', { hasText: 'Not up to date' }).first();
    await stale.waitFor();
    await editor.row('release-1.4').waitFor();
    await scene.shot('stale-dark');
    await scene.use(serverBin);
    await stale.waitFor({ state: 'detached' });
    await editor.row('release-1.4').waitFor();
    await editor.command('Notifications: Clear All Notifications');
    await part('a reply that cannot be written is kept, and tried again', () => notWritten(editor, scene));
    await part('a server that sends hostile HTML does no harm', () => hostile(editor, scene));
  }),
);

async function hostile(editor, scene) {
  const body = 'Look at this.';
  append(scene.mail, record(Math.floor(Date.now() / 1000), 'mallory', 'bob', 'gift', body));
  await useServer(scene, 'hostile');
  const frame = await editor.openThread('gift');
  await frame.locator('article', { hasText: body }).waitFor();
  assert.equal(await frame.locator('article script, article img, article iframe').count(), 0);
  assert.equal(await frame.locator('article a[href]').count(), 0);
  assert.equal(await frame.locator('article [onclick], article [style]').count(), 0);
  assert.notEqual(await frame.title(), 'owned');

  // The same in what an agent is said to have done, and SVG in place of an image.
  const agent = await editor.openThread('Compare the password');
  await agent.locator('article', { hasText: 'Fix the comparison' }).waitFor();
  await agent.locator('figure').first().scrollIntoViewIfNeeded();
  await until('the images to be refused', async () => (await agent.locator('figure.refused').count()) === 3);
  assert.equal(await agent.locator('article').locator('script, img, iframe, [onerror]').count(), 0);
  assert.notEqual(await agent.title(), 'owned');

  // And in what an agent asks for.
  const asked = agent.locator('.request');
  await asked.locator('.plan', { hasText: 'The plan.' }).waitFor();
  await asked.locator('summary').click();
  assert.equal(await asked.locator('script, img, iframe, [onerror], a[href]').count(), 0);
  assert.notEqual(await agent.title(), 'owned');

  // In signed mail: subjects, types, rules, file names, and a file of another type than it claims.
  const signed = await editor.openThread('Which retry policy?');
  await signed.locator('.attachment', { hasText: 'onerror' }).waitFor();
  await signed.locator('.why summary').first().click();
  await signed.locator('.context summary').click();
  assert.equal(await signed.locator('article').locator('script, img, iframe, [onerror], a[href]').count(), 0);
  assert.equal(await signed.locator('.attachment button:enabled').count(), 9);
  await act(
    'the question before a suspicious file',
    () => signed.getByRole('button', { name: 'Open setup.sh' }).click({ timeout: 2_000 }),
    () => editor.page.locator('.monaco-dialog-box').isVisible(),
  );
  await editor.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Cancel' }).click();
  await act(
    'the refusal of what is no text',
    () => signed.getByRole('button', { name: 'Open README' }).click({ timeout: 2_000 }),
    async () => (await editor.page.locator('.notification-toast', { hasText: 'is not a text' }).count()) > 0,
  );
  await editor.command('Notifications: Clear All Notifications');
  assert.notEqual(await signed.title(), 'owned');

  // And in a task: its escalation, its timeline, and what is suggested.
  const task = await editor.openAlarm('Stopped after 3 rejections', 'Stopped after 3 rejections');
  await task.locator('.event summary').first().click();
  await task.locator('.event[open] .body', { hasText: 'dispatch' }).waitFor();
  const strange = 'script, img, iframe, [onerror], [onclick], a[href], .rich [style]';
  assert.equal(await task.locator('main').locator(strange).count(), 0);
  assert.equal(await task.locator('.suggestion', { hasText: '[run](command:z) <img src=x>' }).count(), 1);
  assert.notEqual(await task.title(), 'owned');
  assert.notEqual(await editor.page.title(), 'owned');
}

async function notWritten(editor, scene) {
  // Nobody can append to a directory.
  const log = join(scene.mail, 'log-bob.jsonl');
  rmSync(log, { force: true });
  mkdirSync(log);
  const frame = await editor.openThread('release-1.4');
  const box = frame.locator('.reply textarea');
  const text = 'It is ready.';
  await box.fill(text);
  await box.press('Control+Enter');
  const note = frame.locator('.reply .note.error');
  await note.waitFor();
  assert.match(
    await note.textContent(),
    /^Not sent: your mail cannot be written\. Your text is kept\. \(.*log-bob\.jsonl.*\)/,
  );
  await note.getByRole('button', { name: 'Open Doctor' }).waitFor();
  assert.equal(await box.inputValue(), text);
  for (const theme of ['light', 'contrast', 'dark']) {
    await scene.theme(theme);
    await scene.shot(`not-sent-${theme}`);
  }
  rmSync(log, { recursive: true });
  await frame.getByRole('button', { name: 'Try Again' }).click();
  const sent = await until('the reply', () => recordsOf(scene.mail, 'bob')[0]);
  assert.equal(sent.body, text);
  await frame.getByRole('button', { name: 'Send' }).waitFor();
}

/** How often the extension's log says that this server came up. */
function runsOf(scene, name) {
  let from = '';
  let count = 0;
  for (const line of scene.log().split('\n')) {
    from = /server: starting (\S+)/.exec(line)?.[1] ?? from;
    if (line.includes('server: version') && from.endsWith(name)) count++;
  }
  return count;
}

/** Uses a server that behaves in one way. */
const useServer = (scene, mode) => scene.use(scene.fake(mode));
