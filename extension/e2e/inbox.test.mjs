// Working in the inbox: rows, orders, filters, the next unread thread, archiving and
// snoozing, several rows at once. All with the keyboard, except for the menu of a
// selection.

import assert from 'node:assert/strict';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { appendElsewhere, record, writeOffice } from './mail.mjs';
import { inScene } from './scene.mjs';
import { act, until } from './wait.mjs';

const release = 'Is the changelog for 1.4 ready?';
const parser = 'Split the parser into a reader and a checker.';
const flaky = 'Three runs of TestWatch failed tonight, logs are in the bucket.';
const login = 'Fix the login bug in auth.ts';

test(
  'the inbox is sorted, filtered, emptied and filled again',
  inScene(async (scene) => {
    const written = Date.now();
    writeOffice(scene.mail, written);
    const editor = await scene.open({ settings: { 'signalbox.badge': 'unread' } });
    await editor.openInbox();
    await lists(editor, [release, parser, flaky, login]);

    await rowsSpeak(editor, scene, written);
    await ordersSort(editor);
    await filtersCombine(editor, scene);
    await unreadComesNext(editor, scene);
    await archivedComesBack(editor, scene);
    await snoozedComesBack(editor, scene);
    await manyAtOnce(editor, scene);
    await olderFold(editor, scene);
    await searchOpens(editor, scene);
    await escapeLeaves(editor);
  }),
);

const rows = (editor) => editor.inbox.locator('.monaco-list-row');

/** Waits until the inbox lists these threads, in this order. What is seen of a title is cut. */
async function lists(editor, want) {
  let got;
  await until(`the inbox to list ${JSON.stringify(want)}`, async () => {
    got = await rows(editor).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
    return got.length === want.length && got.every((said, at) => said.startsWith(`${want[at]}, `));
  }).catch((error) => {
    throw new Error(`${error.message}; it lists ${JSON.stringify(got)}`);
  });
}

const spoken = async (editor, title) => (await editor.row(title).getAttribute('aria-label')) ?? '';
const header = (editor, words) =>
  editor.page.locator('.sidebar .pane-header', { hasText: words }).first().waitFor();

/** Gives the list the focus, at its first row. */
async function focusList(editor) {
  await editor.command('Signalbox: Focus on Inbox View');
  await act(
    'the first row to have the focus',
    () => editor.page.keyboard.press('Home'),
    () =>
      rows(editor)
        .first()
        .evaluate((row) => row.classList.contains('focused')),
  );
}

/** Waits until the next row has the focus that an archived one had: it would close what is opened before. */
async function focusBack(editor) {
  await until('the next row to have the focus', () =>
    rows(editor).evaluateAll((all) => all.some((row) => row.classList.contains('focused'))),
  );
}

/**
 * Returns a text with the age that it had when it was written, in minutes, in place of the one it
 * says. The age grows while a busy machine opens the window, and mail has whole seconds.
 */
function asWritten(text, minutes, written) {
  const [, said] = /(\d+) min\. ago/.exec(text) ?? [];
  const oldest = minutes + Math.floor((Date.now() - written + 1_000) / 60_000);
  assert.ok(
    Number(said) >= minutes && Number(said) <= oldest,
    `${text}: not ${minutes} to ${oldest} minutes`,
  );
  return text.replace(`${said} min. ago`, `${minutes} min. ago`);
}

async function rowsSpeak(editor, scene, written) {
  assert.match(
    asWritten(await spoken(editor, release), 12, written),
    /^Is the changelog for 1\.4 ready\?, from carol to you, 12 min\. ago, needs your reply, 2 unread, thread release-1\.4/,
  );
  // The label holds the whole title: VS Code cuts what does not fit, and its find finds all of it.
  const shown = (await editor.row(flaky).innerText()).trim();
  assert.equal(shown.replace('\u2007', ''), `1h alice → carol: ${flaky}`);
  const tooltip = editor.page.locator('.monaco-hover:visible', { hasText: 'From planner to you' });
  // It goes where the list is drawn anew.
  const shownText = await act(
    'the tooltip',
    async () => {
      await editor.page.mouse.move(900, 780);
      await editor.row(parser).locator('.codicon-reply').first().hover();
    },
    () => tooltip.innerText({ timeout: 1_000 }),
  );
  const text = asWritten(shownText.replaceAll('\u00a0', ' '), 42, written);
  for (const words of [
    /Mail · unsigned/,
    /messages: 3, unread: 2/,
    /Thread 2026-11-20-planner/,
    /\(42 min\. ago\)/,
  ])
    assert.match(text, words);
  await scene.shot('inbox-rows-dark');
  await editor.page.mouse.move(900, 780);
  await scene.theme('light');
  await scene.shot('inbox-rows-light');
  await scene.theme('contrast');
  await scene.shot('inbox-rows-contrast');
  await scene.theme('dark');
}

async function sortBy(editor, order) {
  await editor.command('Signalbox: Sort Inbox…');
  await editor.choose(order);
}

async function ordersSort(editor) {
  await sortBy(editor, 'oldest first');
  await lists(editor, [login, flaky, parser, release]);
  await header(editor, 'sorted oldest first');
  await sortBy(editor, 'unread first');
  await lists(editor, [release, parser, login, flaky]);
  await sortBy(editor, 'by sender');
  await lists(editor, [flaky, login, release, parser]);
  await sortBy(editor, 'newest first');
  await lists(editor, [release, parser, flaky, login]);
}

async function filtersCombine(editor, scene) {
  await editor.filterInbox('Unread');
  await lists(editor, [release, parser, login]);
  await editor.filterInbox('Unread', 'Mail');
  await header(editor, 'Unread · Mail');
  await scene.shot('inbox-filtered-dark');
  await editor.filterInbox('Agent Logs');
  await editor.page.locator('.sidebar a', { hasText: 'Clear Filters' }).waitFor();
  await editor.command('Signalbox: Clear Filters');
  await lists(editor, [release, parser, flaky, login]);
}

const stands = async (editor, title) => /\d unread/.test(await spoken(editor, title));

async function unreadComesNext(editor, scene) {
  const { keyboard } = editor.page;
  await focusList(editor);
  // The first row has the focus, and no row is selected yet.
  await keyboard.press('n');
  await editor.threadFrame('release-1.4');
  await until('the release to be read', async () => !(await stands(editor, release)));
  await keyboard.press('n');
  await editor.threadFrame('planner-split-the-parser');
  await until('the parser to be read', async () => !(await stands(editor, parser)));
  await keyboard.press('n');
  await editor.threadFrame('fix-the-login-bug');
  await until('the login to be read', async () => !(await stands(editor, login)));
  await until('no badge', async () => (await editor.badge()) === '');
  await scene.shot('inbox-next-dark');
  // The list kept the focus: keys go on acting on its rows.
  await keyboard.press('u');
  await until('the login to be unread', () => stands(editor, login));
  await until('a badge', async () => (await editor.badge()) === '1');
  // From within a thread, by the same key.
  const frame = await editor.openThread('release-1.4');
  await frame.locator('article').first().click();
  await keyboard.press('n');
  await editor.threadFrame('fix-the-login-bug');
  await until('the login to be read', async () => !(await stands(editor, login)));
}

const seconds = () => Math.floor(Date.now() / 1000);

async function archivedComesBack(editor, scene) {
  await focusList(editor);
  await editor.page.keyboard.press('e');
  await lists(editor, [parser, flaky, login]);
  await focusBack(editor);
  await editor.filterInbox('Archived');
  await lists(editor, [release]);
  assert.match(await spoken(editor, release), /archived/);
  await header(editor, 'Archived');
  await scene.shot('inbox-archived-dark');
  await editor.command('Signalbox: Clear Filters');
  await lists(editor, [parser, flaky, login]);
  appendElsewhere(scene.mail, record(seconds(), 'carol', 'bob', 'release-1.4', 'The tag is out.'));
  await lists(editor, [release, parser, flaky, login]);
  await until('a badge', async () => (await editor.badge()) === '1');
}

async function snoozedComesBack(editor, scene) {
  const file = join(scene.dir, 'editor/home/.local/state/signalbox/shelf.json');
  await focusList(editor);
  await editor.page.keyboard.press('z');
  const picks = editor.page.locator('.quick-input-widget .monaco-list-row');
  await picks.filter({ hasText: 'Next week' }).waitFor();
  await scene.shot('inbox-snooze-dark');
  await editor.choose('Tomorrow');
  await lists(editor, [parser, flaky, login]);
  await until('no badge', async () => (await editor.badge()) === '');
  await editor.filterInbox('Snoozed');
  await lists(editor, [release]);
  assert.match(await spoken(editor, release), /snoozed, back in/);
  await editor.command('Signalbox: Clear Filters');
  await lists(editor, [parser, flaky, login]);
  // As another window would do it, to be back in a moment and not tomorrow.
  const shelf = JSON.parse(readFileSync(file, 'utf8'));
  for (const thread of shelf.threads) if (thread.until > 0) thread.until = Date.now() + 1_500;
  writeFileSync(`${file}.new`, JSON.stringify(shelf));
  renameSync(`${file}.new`, file);
  await lists(editor, [release, parser, flaky, login]);
  assert.match(await spoken(editor, release), /back from snooze/);
  await until('a badge', async () => (await editor.badge()) === '1');
  await scene.shot('inbox-returned-dark');
  await scene.theme('light');
  await scene.shot('inbox-returned-light');
  await scene.theme('contrast');
  await scene.shot('inbox-returned-contrast');
  await scene.theme('dark');
  await editor.openThread('release-1.4');
  await until('it to be looked at', async () => !/back from snooze/.test(await spoken(editor, release)));
  await until('no badge', async () => (await editor.badge()) === '');
}

async function manyAtOnce(editor, scene) {
  const { page } = editor;
  await selectFirst(editor, 3);
  await page.keyboard.press('u');
  await until(
    'two of them to be unread',
    async () => (await stands(editor, release)) && (await stands(editor, parser)),
  );
  assert.ok(!(await stands(editor, flaky)), 'mail to others has no mark');
  await scene.shot('inbox-many-dark');
  await page.keyboard.press('m');
  await until(
    'all to be read',
    async () => !(await stands(editor, release)) && !(await stands(editor, parser)),
  );
  await page.keyboard.press('e');
  await lists(editor, [login]);
  await focusBack(editor);
  await editor.filterInbox('Archived');
  await lists(editor, [release, parser, flaky]);
  const copied = () => page.evaluate(() => window.navigator.clipboard.readText());
  await menuOf(editor, 3, 'Copy Link', async () => (await copied()).split('\n').length === 3);
  assert.match(await copied(), /^[\w-]+:\/\/signalbox-dev\.signalbox\/thread\/release-1\.4\n/);
  await menuOf(editor, 3, 'Move to Inbox', async () => (await rows(editor).count()) === 0);
  await editor.command('Signalbox: Clear Filters');
  await lists(editor, [release, parser, flaky, login]);
}

/** Finished threads in which nothing was written for a day are in a fold, also the one that is opened. */
async function olderFold(editor, scene) {
  const title = 'Old talk about the bucket.';
  appendElsewhere(scene.mail, record(seconds() - 30 * 3600, 'carol', 'alice', 'bucket-talk', title));
  await lists(editor, [release, parser, flaky, login, 'Older']);
  assert.equal(await editor.row(title).count(), 0);
  await scene.shot('inbox-older-dark');
  await act(
    'the fold to open',
    () => editor.row('Older').click(),
    () => editor.row(title).isVisible(),
  );
  await lists(editor, [release, parser, flaky, login, 'Older', title]);
  await scene.shot('inbox-older-open-dark');
  // New mail brings it back among the others.
  appendElsewhere(scene.mail, record(seconds(), 'alice', 'carol', 'bucket-talk', 'I emptied it.'));
  await lists(editor, [title, release, parser, flaky, login]);
}

/** An old message: one key, a word, Enter, as fast as somebody types. */
async function searchOpens(editor, scene) {
  const { keyboard } = editor.page;
  await focusList(editor);
  await keyboard.press('/');
  const input = editor.page.locator('.quick-input-widget:not([inert]) input').first();
  await until(
    'the search',
    async () => (await input.isVisible()) && (await input.evaluate((one) => one === document.activeElement)),
  );
  await keyboard.type('bucket');
  await keyboard.press('Enter');
  await editor.threadFrame('bucket');
  await scene.shot('inbox-searched-dark');
}

/** Escape leads from several selected rows to one, and from the list to the editor. */
async function escapeLeaves(editor) {
  const { keyboard } = editor.page;
  await selectFirst(editor, 2);
  await keyboard.press('Escape');
  await until('no selection', async () => (await selected(editor)) === 0);
  await focusList(editor);
  await act(
    'the editor to have the focus',
    () => keyboard.press('Escape'),
    () => editor.page.evaluate(() => document.activeElement?.closest('.sidebar') === null),
  );
}

/** Selects the first rows by keys. */
async function selectFirst(editor, count) {
  const { keyboard } = editor.page;
  await act(
    `${count} rows to be selected`,
    async () => {
      await focusList(editor);
      for (let row = 1; row < count; row++) await keyboard.press('Shift+ArrowDown');
    },
    async () => (await selected(editor)) === count,
  );
}

const selected = (editor) => rows(editor).and(editor.page.locator('.selected')).count();

/** Takes something from the menu of all rows, which are so many, until its effect is seen. */
async function menuOf(editor, count, title, check) {
  const { page } = editor;
  const item = page.locator('.monaco-menu .action-label', { hasText: title }).first();
  await act(
    `${title} of ${count} rows`,
    async () => {
      if (!(await item.isVisible())) {
        if ((await selected(editor)) !== count) {
          await focusList(editor);
          await page.keyboard.press('Control+A');
        }
        await rows(editor).first().click({ button: 'right' });
      }
      await item.click({ timeout: 3_000 });
    },
    check,
  );
}
