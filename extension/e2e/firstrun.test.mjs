// From nothing: an installed extension, no alias, no directory. The
// walkthrough leads to a message that is sent, read and answered.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordsOf } from './mail.mjs';
import { inScene } from './scene.mjs';
import { act, until } from './wait.mjs';

const text = 'A test: this message went to disk and came back.';
const answer = 'And this is the answer.';

test(
  'the walkthrough leads from nothing to an answered message',
  inScene(async (scene) => {
    const editor = await scene.open({ settings: { 'signalbox.alias': '', 'signalbox.directories': [] } });
    const { page } = editor;
    const home = join(scene.dir, 'editor/home');
    const mail = join(home, 'dev/.message');
    assert.ok(!existsSync(mail));

    await editor.openInbox();
    const welcome = page.locator('.welcome-view-content', { hasText: 'no message directory yet' });
    await welcome.waitFor();
    await scene.shot('firstrun-welcome-dark');
    await welcome.getByRole('button', { name: 'Get Started' }).click();
    await page.locator('.getting-started-step', { hasText: 'Say who you are' }).first().waitFor();
    for (const title of ['Say where the mail is', 'Send a test message', 'Answer it', 'Connect an agent']) {
      await page.locator('.getting-started-step', { hasText: title }).first().waitFor();
    }
    await scene.shot('firstrun-walkthrough-dark');
    await scene.theme('light');
    await scene.shot('firstrun-walkthrough-light');
    await scene.theme('dark');

    await step(editor, 'Say who you are', 'Set Alias');
    await fill(editor, 'bob');
    await editor.choose('In Every Workspace');
    await done(editor, 'Say who you are');

    await step(editor, 'Say where the mail is', 'Choose Directory');
    await editor.choose('The Default Place');
    await editor.choose('In Every Workspace');
    await done(editor, 'Say where the mail is');

    await step(editor, 'Send a test message', 'Write a Test Message');
    await page.locator('.view-line', { hasText: 'To: bob' }).waitFor();
    await page.locator('.codelens-decoration', { hasText: 'Send as bob' }).waitFor();
    await page.keyboard.press('Control+Enter');
    const sent = await until('the message on disk', () => existsSync(mail) && recordsOf(mail, 'bob')[0]);
    assert.deepEqual([sent.from, sent.to, sent.body], ['bob', 'bob', text]);

    // Sending opens the thread; the answer appears below.
    const frame = await editor.threadFrame(sent.thread);
    await frame.locator('article', { hasText: text }).waitFor();
    await until('the reply box to open', () => frame.locator('.reply textarea').isEnabled());
    await frame.locator('.reply textarea').fill(answer);
    await frame.locator('.reply textarea').press('Control+Enter');
    const reply = await until('the answer on disk', () => recordsOf(mail, 'bob')[1]);
    assert.deepEqual([reply.thread, reply.body], [sent.thread, answer]);
    await frame.locator('article', { hasText: answer }).waitFor();
    await scene.shot('firstrun-answered-dark');
    // The draft warned that it is to oneself; the warning goes with the draft.
    await until('the problems of the sent draft to go', async () => {
      const label = await page.locator('[id="status.problems"] a').getAttribute('aria-label');
      return /no problems/i.test(label ?? '');
    });

    await editor.command('Signalbox: Connect an Agent…');
    await fill(editor, 'amy');
    await page.locator('.view-line', { hasText: 'You are `amy`' }).waitFor();
    await page.locator('.view-line', { hasText: '--as amy send bob' }).waitFor();
    await scene.shot('firstrun-agent-dark');
  }),
);

/** Opens a step of the walkthrough and presses its button. */
async function step(editor, title, button) {
  const { page } = editor;
  const shown = page.locator('.getting-started-step', { hasText: title }).first();
  const press = shown.getByRole('button', { name: button, exact: true });
  await act(
    `the walkthrough's step ${title}`,
    async () => {
      if (!(await shown.isVisible())) await page.locator('.tab', { hasText: 'Walkthrough' }).first().click();
      if (!(await press.isVisible())) await shown.click();
    },
    () => press.isVisible(),
  );
  await press.click();
}

/** Types into the quick input that is open, and accepts. */
async function fill(editor, value) {
  const { page } = editor;
  const widget = page.locator('.quick-input-widget');
  const input = widget.locator('input').first();
  await input.waitFor();
  await until('the input to take the text', async () => {
    if ((await input.inputValue()) !== value) await input.fill(value);
    return (await input.inputValue()) === value;
  });
  await input.press('Enter');
}

/** Waits until a step is ticked. */
async function done(editor, title) {
  await editor.page
    .locator('.getting-started-step', { hasText: title })
    .first()
    .locator('.codicon-getting-started-step-checked.complete')
    .waitFor();
}
