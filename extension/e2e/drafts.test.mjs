// A draft survives the window and goes only when it is discarded; the doctor.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordsOf, writeOffice } from './mail.mjs';
import { accessible } from './axe.mjs';
import { inScene } from './scene.mjs';
import { until } from './wait.mjs';

const body = 'A thought that is not finished';

test(
  'a draft survives a reload and is discarded on request',
  inScene(async (scene) => {
    writeOffice(scene.mail, Date.now());
    const editor = await scene.open();
    const { page } = editor;
    await editor.openInbox();
    await editor.row('release-1.4').waitFor();
    const sent = recordsOf(scene.mail, 'bob').length;

    await editor.command('Signalbox: New Message');
    await page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'carol' }).waitFor();
    await page.keyboard.type('carol');
    await page.locator('.suggest-widget.visible .monaco-list-row.focused', { hasText: 'carol' }).waitFor();
    await page.keyboard.press('Enter');
    await line(page, 'To: carol').waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(body);
    // Nobody saves a message by hand.
    await until('the draft on disk', () => drafts(scene).some((text) => text.includes(body)));

    await editor.reload('signalbox-compose:');
    await page.locator('.tab.active', { hasText: 'New message' }).waitFor();
    await line(page, body).waitFor();
    await page.locator('.codelens-decoration', { hasText: 'Send as bob' }).waitFor();

    await repliesAreDrafts(editor);

    // A closed draft is kept and can be found again.
    await editor.command('View: Close Editor');
    await page.locator('.tab', { hasText: 'New message' }).waitFor({ state: 'detached' });
    await editor.command('Signalbox: Open Draft…');
    await editor.choose('To carol');
    await line(page, body).waitFor();

    await discard(editor, 'Cancel');
    await line(page, body).waitFor();
    assert.equal(drafts(scene).length, 1);
    await discard(editor, 'Discard');
    await page.locator('.tab', { hasText: 'New message' }).waitFor({ state: 'detached' });
    await until('the draft to be gone', () => drafts(scene).length === 0);
    assert.equal(recordsOf(scene.mail, 'bob').length, sent, 'nothing was sent');

    await doctorTells(editor, scene);
  }),
);

/** The row of a thread says that its reply box holds a text. */
async function repliesAreDrafts(editor) {
  const frame = await editor.openThread('release-1.4');
  const box = frame.locator('.reply textarea');
  await until('the reply box to open', () => box.isEnabled());
  const says = async () => (await editor.row('release-1.4').getAttribute('aria-label')) ?? '';
  await box.fill('Not yet');
  await until('the row to say so', async () => (await says()).includes(', Draft, '));
  await box.fill('');
  await until('the row to say no more', async () => !(await says()).includes('Draft'));
  await editor.command('View: Close Editor');
  await editor.page.locator('.tab.active', { hasText: 'New message' }).waitFor();
}

const line = (page, text) => page.locator('.view-line', { hasText: text }).first();

/** The texts of the saved drafts. */
function drafts(scene) {
  const folder = join(scene.dir, 'editor/data/User');
  return readdirSync(folder, { recursive: true })
    .filter((file) => /\bdrafts\b.*\.txt$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}

/** Discards the draft in front and answers the question. */
async function discard(editor, answer) {
  const { page } = editor;
  await editor.command('Signalbox: Discard Draft');
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.filter({ hasText: 'Discard this draft?' }).waitFor();
  await dialog.getByRole('button', { name: answer, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function doctorTells(editor, scene) {
  const { page } = editor;
  await editor.command('Signalbox: Doctor');
  let frame = await editor.doctorFrame();
  const row = (what) =>
    frame.locator('tr', { has: frame.getByRole('rowheader', { name: what, exact: true }) });
  await row('Message directory').getByText(scene.mail).waitFor();
  assert.match(await row('Server').innerText(), /✓ OK/);
  assert.match(await row('Your name').innerText(), /bob\s+setting signalbox\.alias/);
  for (const theme of ['light', 'contrast', 'dark']) {
    await scene.theme(theme);
    await accessible(frame, `the doctor, ${theme}`);
    await scene.shot(`doctor-${theme}`);
  }
  await frame.getByRole('button', { name: 'Open as Text' }).click();
  await line(page, 'Signalbox Doctor').waitFor();
  const text = await until('the report', async () => {
    const lines = await page.locator('.editor-group-container.active .view-line').allInnerTexts();
    const all = lines.join('\n').replaceAll('\u00a0', ' ');
    return all.includes(scene.mail) ? all : undefined;
  });
  assert.match(text, /✓ OK: Your name: bob \(setting signalbox\.alias\)/);
  assert.equal(await page.locator('.tab.active.dirty').count(), 0, 'there is nothing to save');
  // What a row's button does: the setting is shown.
  await page.locator('.tab[aria-label="Signalbox Doctor"]').click();
  frame = await editor.doctorFrame();
  await row('Form of new ids')
    .getByRole('button', { name: /^Open Setting/ })
    .click();
  await page.locator('.settings-editor .setting-item-title', { hasText: 'Id Form' }).first().waitFor();
}
