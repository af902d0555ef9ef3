// Every view in an editor tab passes axe-core in each theme and can be used with
// the keyboard only.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { login, writeLogin } from './agents.mjs';
import { accessible } from './axe.mjs';
import { recordsOf, writeOffice } from './mail.mjs';
import { Mailboxes, domain } from './mailboxes.mjs';
import { inScene, serverBin } from './scene.mjs';
import { lockEscalation, Ssot, writeElsewhere, writeLockedTask } from './ssot.mjs';
import { act, until } from './wait.mjs';

const parser = '2026-11-20-planner-split-the-parser';
const task = 'T-2026-044';

test(
  'views have no faults of accessibility in any theme',
  inScene(async (scene, part) => {
    writeOffice(scene.mail, Date.now());
    writeLogin(scene.workspace);
    const boxes = new Mailboxes(serverBin, scene.dir);
    for (const name of ['alice', 'bob']) boxes.init(name);
    boxes.send(
      'alice',
      'bob',
      'Which retry policy?',
      'Should the client retry on `503`?',
      '--priority',
      'urgent',
    );
    const ssot = new Ssot(join(scene.workspace, '.ssot'), scene.workspace);
    const ids = writeLockedTask(ssot, task, Date.now());
    const escalation = lockEscalation(ssot, task, ids, Date.now(), 'Three rejections in a row.');
    writeElsewhere(escalation);
    const editor = await scene.open({
      settings: {
        'signalbox.amp.directory': boxes.root,
        'signalbox.amp.identity': `bob@${domain}`,
        'signalbox.notifications': 'off',
      },
    });
    await editor.openInbox();
    await editor.row('release-1.4').waitFor();
    for (const theme of ['dark', 'light', 'contrast']) {
      await scene.theme(theme);
      for (const [title, ready] of [
        [parser, 'article'],
        [login, 'article'],
        ['Which retry policy?', 'article'],
      ]) {
        const frame = await editor.openThread(title);
        await frame.locator(ready).first().waitFor();
        await settled(frame, theme);
        await accessible(frame, `the thread ${title}, ${theme}`);
      }
      const frame = await editor.openAlarm('Stopped after 3 rejections', 'Stopped after 3 rejections');
      await frame.locator('h1').waitFor();
      await settled(frame, theme);
      await accessible(frame, `the escalation, ${theme}`);
    }
    await part('mail is read and answered with the keyboard alone', () => byKeyboard(editor, scene));
  }),
);

async function byKeyboard(editor, scene) {
  const { page } = editor;
  await editor.command('View: Close All Editors');
  await editor.command('Signalbox: Focus on Inbox View');
  const row = editor.inbox.locator('.monaco-list-row.focused');
  await act(
    'the thread to have the focus',
    () => page.keyboard.press('ArrowDown'),
    async () =>
      (await row.first().getAttribute('aria-label', { timeout: 1_000 }))?.includes('split-the-parser'),
  );
  await page.keyboard.press('r');
  const frame = await editor.threadFrame(parser);
  const box = frame.locator('.reply textarea');
  await until('the reply box to have the focus', () => box.evaluate((at) => at === document.activeElement));
  const before = recordsOf(scene.mail, 'bob').length;
  await page.keyboard.type('Without a mouse.');
  await page.keyboard.press('Control+Enter');
  await until('the answer on disk', () => recordsOf(scene.mail, 'bob').length === before + 1);
  await frame.locator('article.mine', { hasText: 'Without a mouse.' }).waitFor();
  await until('the focus to stay in the reply box', () =>
    box.evaluate((at) => at === document.activeElement && !at.disabled && at.value === ''),
  );
  await roomAtTwiceTheSize(page, frame);
  // Every control of the view is reached, in an order that ends where it began.
  const names = [];
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Shift+Tab');
    const name = await frame.evaluate(() => {
      const at = document.activeElement;
      return at === null || at === document.body
        ? ''
        : (at.getAttribute('aria-label') ?? at.textContent ?? '').trim();
    });
    if (name === '') break;
    names.push(name.slice(0, 40));
  }
  assert.ok(
    names.some((name) => /copy/i.test(name)),
    `the code's button is reached: ${names.join(' | ')}`,
  );
}

/** At 200 % zoom the conversation keeps two thirds of the view's height, also while one writes. */
async function roomAtTwiceTheSize(page, frame) {
  const { width, height } = page.viewportSize();
  await page.setViewportSize({ width: width / 2, height: height / 2 });
  await until('two thirds of the height', () =>
    frame.evaluate(
      (most) =>
        window.innerHeight < most &&
        document.querySelector('.scroll').clientHeight / window.innerHeight >= 0.66,
      height / 2,
    ),
  );
  await page.setViewportSize({ width, height });
}

/** Waits until the view has the theme's colours, which it gets after the window. */
async function settled(frame, theme) {
  const kind = { dark: 'vscode-dark', light: 'vscode-light', contrast: 'vscode-high-contrast' }[theme];
  await until(`the view in ${theme}`, () =>
    frame.evaluate((name) => document.body.classList.contains(name), kind),
  );
}
