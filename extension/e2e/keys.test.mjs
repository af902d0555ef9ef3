// Keys in an inbox with groups: threads are put away one after the other with the
// keyboard only, and keys for rows do nothing on a group.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { append, record } from './mail.mjs';
import { inScene } from './scene.mjs';
import { until } from './wait.mjs';
import { makeRepository, say, writeThread } from './worktrees.mjs';

const count = 5;
const title = (n) => `About topic ${n}.`;

test(
  'keys put rows away one after the other, and leave groups as they are',
  inScene(async (scene, part) => {
    const folders = makeRepository(join(scene.dir, 'git-home'), scene.workspace, []);
    writeThread(folders.main, 'agent-1', {
      title: 'Cache the price list',
      branch: 'main',
      messages: [say('1', 'user', 900, 'Cache the prices.')],
    });
    const now = Math.floor(Date.now() / 1000);
    for (let n = 1; n <= count; n++)
      append(scene.mail, record(now - n * 60, 'carol', 'bob', `topic-${n}`, title(n)));
    const editor = await scene.open();
    const { keyboard } = editor.page;
    await editor.openInbox();
    await editor.row(title(count)).waitFor();
    // Groups come with the agent's thread, which may be read after the mail.
    await editor.row('Cache the price list').waitFor();
    await editor.command('Signalbox: Focus on Inbox View');
    await keyboard.press('Home');
    const group = await focused(editor, 'the group', (name) => name.startsWith('Worktree main'));

    for (const key of ['e', 'd', 'z', 'm', 'u', 'r']) {
      await keyboard.press(key);
      await editor.page.locator('.statusbar-item', { hasText: 'This key acts on a row below' }).waitFor();
      assert.equal(await group.getAttribute('aria-expanded'), 'true', `${key} folds the group`);
    }

    await keyboard.press('ArrowDown');
    await focused(editor, "the agent's thread", (name) => name.startsWith('Cache the price list'));
    await keyboard.press('ArrowDown');
    await focused(editor, 'the mail', (name) => name.startsWith('Mail'));
    await keyboard.press('ArrowDown');
    await focused(editor, 'the first row', (name) => name.startsWith(title(1)));
    await keyboard.press('e');
    await focused(editor, 'the next row', (name) => name.startsWith(title(2)));
    const said = (words) => editor.page.locator('.statusbar-item', { hasText: words }).waitFor();
    await said('Archived · Undo');
    await scene.shot('keys-undo-dark');
    await keyboard.press('Control+z');
    await focused(editor, 'the row that came back', (name) => name.startsWith(title(1)));
    await keyboard.press('d');
    await said('No reply needed · Undo');
    await focused(
      editor,
      'a row that needs no reply',
      (name) => name.startsWith(title(1)) && !name.includes('needs your reply'),
    );
    await keyboard.press('e');
    await focused(editor, 'the next row', (name) => name.startsWith(title(2)));
    await scene.shot('keys-next-dark');
    await scene.theme('light');
    await scene.shot('keys-next-light');
    await scene.theme('dark');
    await editor.command('Signalbox: Focus on Inbox View');
    await focused(editor, 'the same row', (name) => name.startsWith(title(2)));
    await keyboard.press('e');
    await focused(editor, 'the row after it', (name) => name.startsWith(title(3)));
    await keyboard.press('ArrowDown');
    await focused(editor, 'the row before the last', (name) => name.startsWith(title(4)));
    await keyboard.press('z');
    await editor.choose('Tomorrow');
    await focused(editor, 'the last row', (name) => name.startsWith(title(5)));
    assert.equal(await editor.row(title(1)).count(), 0);
    assert.equal(
      await editor.page.locator('.tab', { hasText: 'topic' }).count(),
      0,
      'no key opened a thread',
    );
    await part('what is typed after the key of a reply is the reply', () => typeAtOnce(editor));
  }),
);

/** Waits until the row with the focus has a name that is wanted. Returns it. */
async function focused(editor, what, wanted) {
  const row = editor.inbox.locator('.monaco-list-row.focused');
  let name = '';
  await until(what, async () => {
    if ((await row.count()) !== 1) return false;
    name = (await row.getAttribute('aria-label')) ?? '';
    return wanted(name);
  }).catch((error) => {
    throw new Error(`${error.message}; the focus is on "${name}"`);
  });
  return row;
}

/**
 * The reply box takes up to two seconds to come up. Letters that are typed meanwhile are
 * keys of the list, and must not act as such.
 */
async function typeAtOnce(editor) {
  const { page } = editor;
  const { keyboard } = page;
  const keys = 'prudenmed';
  const text = 'deem unused, remake it';
  const both = keys + text;
  // In no tab, in one with another thread, and in the one that shows the thread.
  for (const [n, expected] of [
    [3, both],
    [5, both],
    [5, both + both],
  ]) {
    await editor.command('Signalbox: Focus on Inbox View');
    const row = editor.row(title(n));
    await row.waitFor();
    await until(`the row ${n} to have the focus`, async () => {
      const name = await page.locator('.sidebar .monaco-list-row.focused').last().getAttribute('aria-label');
      if (name?.startsWith(title(n))) return true;
      await keyboard.press(name > title(n) && name.startsWith('About') ? 'ArrowUp' : 'ArrowDown');
      return false;
    });
    const rows = await editor.inbox.locator('.monaco-list-row').count();
    await keyboard.press('r');
    await keyboard.type(keys);
    // Other letters are no keys of the list: it would look for a row that begins with them.
    await until('a place for text', () =>
      page.evaluate(() => ['INPUT', 'IFRAME'].includes(document.activeElement?.tagName ?? '')),
    );
    await keyboard.type(text, { delay: 25 });
    const frame = await editor.threadFrame(title(n));
    let found = '';
    await until('the text in the reply box', async () => {
      found = await frame.locator('.reply textarea').inputValue();
      return found === expected;
    }).catch((error) => {
      throw new Error(`${error.message}; the box holds "${found}"`);
    });
    await keyboard.type('!');
    await until(
      'the focus in the reply box',
      async () => (await frame.locator('.reply textarea').inputValue()) === `${expected}!`,
    );
    await keyboard.press('Backspace');
    assert.equal(await editor.inbox.locator('.monaco-list-row').count(), rows, 'no key acted on the list');
    assert.ok(await row.isVisible());
  }
}
