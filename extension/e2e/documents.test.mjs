// Files in the editor: task messages are checked and mended, and other files are not
// sent. Mentions in files of five kinds: links, the line they lead to, what mentions
// them, and names that complete; threads as symbols; and the search.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { hoverShows } from './hover.mjs';
import { append, record, writeOffice } from './mail.mjs';
import { inScene } from './scene.mjs';
import { ClaudeSession } from './transcripts.mjs';
import { act, until } from './wait.mjs';

const invalid = join(dirname(fileURLToPath(import.meta.url)), '../../testdata/agn/invalid');
const sessionID = 'd1b4364c-ee3a-4d15-b4ec-3631c4fd5896';
const parser = '2026-11-20-planner-split-the-parser';

test(
  'mentions lead to messages from every kind of file, and the search finds them',
  inScene(async (scene, part) => {
    const office = writeOffice(scene.mail, Date.now());
    const { id } = office.plan;
    const seconds = Math.floor(Date.now() / 1000);
    append(scene.mail, record(seconds - 30, 'dora', 'bob', 'deploy-window', `As ${id} says: not today.`));
    const files = {
      'notes.md': `# Notes\n\nThe plan is in ${id}.\n`,
      'main.go': `package main\n\n// Decided in ${id}.\nfunc main() {}\n`,
      'commit.txt': `fix: the parser\n\nSee ${id}\n`,
      'plan.json': `{ "why": "${id}" }\n`,
      'tool.py': `# ${id}\nprint("x")\n`,
    };
    for (const [name, text] of Object.entries(files)) scene.file(name, text);
    const session = new ClaudeSession(join(scene.dir, 'editor/home'), scene.workspace, sessionID);
    session.prompts('Mend the login page.');
    session.says('I looked at the tests.\n\nThe parser drops the last line.\nIt is mended now.');
    const editor = await scene.open({ settings: { 'signalbox.trace.server': 'messages' } });
    const { page } = editor;
    await editor.openInbox();
    await editor.row('Split the parser').waitFor();
    await part('a JSON file that is an envelope is checked and mended, and others are not sent', () =>
      envelopes(editor, scene),
    );

    for (const name of Object.keys(files)) {
      await editor.openFile(name);
      const link = page.locator('.editor-group-container.active .detected-link', { hasText: id });
      await link.first().waitFor();
    }
    await editor.openFile('notes.md');
    await hoverShows(page, id, 'Split the parser');
    await page.keyboard.press('Escape');

    // F12 leads to the line of the log.
    await putCursorAt(page, id);
    await act(
      'the line of the log',
      () => page.keyboard.press('F12'),
      () => page.locator('.tab.active[data-resource-name="log-planner.jsonl"]').isVisible(),
    );
    await scene.shot('definition-dark');
    await editor.command('View: Close Editor');

    // What mentions it: the message of dora, which is the only one and opens at once.
    await editor.openFile('notes.md');
    await putCursorAt(page, id);
    await editor.command('Go to References');
    await page.locator('.tab.active[data-resource-name="log-dora.jsonl"]').waitFor();
    await scene.shot('references-dark');
    await editor.command('View: Close Editor');

    // A thread is a symbol of the workspace.
    await page.keyboard.press('Control+T');
    const input = page.locator('.quick-input-widget input').first();
    await input.waitFor();
    await input.fill('#deploy-window');
    await page
      .locator('.quick-input-widget .monaco-list-row', { hasText: 'deploy-window' })
      .first()
      .waitFor();
    await act(
      'the list of symbols to close',
      () => page.keyboard.press('Escape'),
      () => page.locator('.quick-input-widget').isHidden(),
    );

    // Threads complete in brackets.
    await editor.openFile('notes.md');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('About [thread:deploy');
    await page
      .locator('.suggest-widget.visible .monaco-list-row', { hasText: 'deploy-window' })
      .first()
      .waitFor();
    await page.keyboard.press('Escape');

    await search(editor, scene);
  }),
);

async function envelopes(editor, scene) {
  const wrong = readFileSync(join(invalid, 'E8-requires_ack-false-on-dispatch.json'), 'utf8');
  scene.file('other.json', '{ "name": "nothing to see" }\n');
  scene.file('envelope.json', wrong);
  const { page } = editor;
  // The log is written a little later.
  const told = async (what, times, why) => {
    const count = () => scene.log().split(`Sending notification 'textDocument/${what}'`).length - 1;
    await until(`${what} in the log`, () => count() >= times);
    assert.equal(count(), times, why);
  };
  const squiggles = page.locator('.squiggly-error');
  await editor.openFile('other.json');
  await editor.openFile('envelope.json');
  await squiggles.first().waitFor();
  await told('didOpen', 1, 'only the envelope was sent');
  await scene.shot('envelope-dark');
  await editor.command('Go to Next Problem (Error, Warning, Info)');
  await page.locator('.marker-widget', { hasText: 'E8' }).waitFor();
  await page.keyboard.press('Escape');
  await act(
    'the quick fix',
    () => page.keyboard.press('Control+.'),
    () => page.locator('.action-widget').first().isVisible(),
  );
  await scene.shot('envelope-fix-dark');
  await page.keyboard.press('Enter');
  await page.locator('.view-line', { hasText: '"requires_ack": true' }).waitFor();
  await until('the squiggle to go', async () => (await squiggles.count()) === 0);

  // A file that becomes an envelope while it is open is checked, and no longer when it stops being one.
  await editor.openFile('other.json');
  const write = (text) =>
    act(
      'the text that was written into an open file',
      () => scene.file('other.json', text),
      async () => (await squiggles.count()) > 0 === (text === wrong),
    );
  await write(wrong);
  await told('didOpen', 2);
  await write('{}');
  await told('didClose', 1);
}

/** Puts the cursor into a word of the active editor, by the find widget. */
async function putCursorAt(page, word) {
  await page.locator('.editor-group-container.active .view-line', { hasText: word }).first().click();
  await page.keyboard.press('Control+F');
  const find = page.locator('.find-widget.visible .find-part textarea').first();
  await find.waitFor();
  await until('the word to be looked for', async () => {
    if ((await find.inputValue()) !== word) await find.fill(word);
    return (await find.inputValue()) === word;
  });
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
}

/** Searches mail and sessions: newest first whatever the titles are, with the lines around the words. */
async function search(editor, scene) {
  const { page } = editor;
  const widget = page.locator('.quick-input-widget');
  const input = widget.locator('input').first();
  const title = (text) => widget.locator('.quick-input-title', { hasText: text }).waitFor();
  const rows = widget.locator('.monaco-list-row');
  const type = (query) =>
    until('the search to take the query', async () => {
      if ((await input.inputValue()) !== query) await input.fill(query);
      return (await input.inputValue()) === query;
    });
  const texts = () =>
    rows.evaluateAll((list) =>
      list.sort((a, b) => a.dataset.index - b.dataset.index).map(({ textContent }) => textContent),
    );
  await editor.command('Signalbox: Search Mail…');
  await title('Search mail, tasks and sessions');
  await rows.filter({ hasText: 'is:unread' }).waitFor();

  await type('parser');
  await title(/^\d+ messages$/);
  // The title may come before the rows.
  const found = await until('the rows of the query', async () => {
    const now = await texts();
    return now.some((row) => row.includes('I keep the old entry point')) ? now : undefined;
  });
  const at = (text) => found.findIndex((row) => row.includes(text));
  const own = at('I looked at the tests. ⏎ The ‹parser› drops the last line. ⏎ It is mended now.');
  assert.ok(at('The checker is on branch') < own && own < at('I keep the old entry point'), found.join('\n'));
  for (const theme of ['light', 'dark']) {
    await scene.theme(theme);
    await scene.shot(`search-${theme}`);
  }
  await type('nowhere-at-all');
  await title('Nothing found');
  await until('the rows of the query before to go', async () => (await rows.count()) === 0);
  await type('');
  await title('Search mail, tasks and sessions');
  await rows.filter({ hasText: 'is:unread' }).waitFor();
  // Rows that are used again keep old text that is not shown.
  await until('all hits to go', async () => !(await rows.allInnerTexts()).some((row) => row.includes('⏎')));

  await type('from:planner checker');
  await title('2 messages');
  await rows.filter({ hasText: 'The ‹checker› is on branch' }).waitFor();
  await page.keyboard.press('Enter');
  const frame = await editor.threadFrame(parser);
  await frame.locator('article', { hasText: 'The checker is on branch' }).waitFor();
  assert.ok(await frame.locator('h1').isVisible());
}
