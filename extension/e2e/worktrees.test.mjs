// Agents' threads in a real editor: a repository with two linked worktrees,
// made here with git, and what agents keep in each of them.

import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { after, login, writeHostile, writeLogin } from './agents.mjs';
import { hoverShows } from './hover.mjs';
import { append, record } from './mail.mjs';
import { inScene } from './scene.mjs';
import { only } from './listView.mjs';
import { act, until } from './wait.mjs';
import {
  addWorktree,
  appendMessage,
  copyForeign,
  copyProject,
  git,
  makeRepository,
  say,
  writeThread,
} from './worktrees.mjs';

/** The thread of the fixture "main". */
const fixtureThread = 'a1b2c3d4-e5f6-4890-abcd-ef1234567890';
const audio = 'feature/audio';
const cache = 'spike/cache';

test(
  'threads of all worktrees are listed, shown and followed',
  inScene(async (scene) => {
    const home = join(scene.dir, 'git-home');
    const folders = makeRepository(home, scene.workspace, [audio, cache]);
    copyProject('main', folders.main);
    copyForeign(folders.main);
    copyProject('worktree', folders[audio]);
    const talk = writeLogin(folders.main);
    writeThread(folders[cache], 'cache-1', {
      title: 'Cache the price list',
      branch: cache,
      agent: 'Codex',
      messages: [say('1', 'user', 900, 'Cache the prices.'), say('2', 'agent', 890, 'They are cached now.')],
    });
    writeHostile(folders.main, scene.dir);
    const torn = [say('1', 'agent', 8000, 'Written before the crash.')];
    const folder = writeThread(folders[audio], 'torn-thread', { title: 't', branch: audio, messages: torn });
    writeFileSync(join(folder, 'thread.json'), '{"specVersion": "1.1", "threadId": "torn-thr');
    const seconds = Math.floor(Date.now() / 1000);
    append(scene.mail, record(seconds - 600, 'carol', 'bob', 'release-1.4', 'Is the changelog ready?'));
    append(
      scene.mail,
      record(seconds - 300, 'carol', 'bob', 'login-1', 'Please look at the agent on login.'),
    );

    // Side by side even in this window, so that both texts can be read.
    mkdirSync(join(folders.main, 'src'), { recursive: true });
    scene.file('src/auth.ts', `// Who may log in.\n${after}`);
    scene.file('notes.md', `# Notes\n\n${fixtureThread} says why.\n`);
    const editor = await scene.open({
      settings: { 'diffEditor.useInlineViewWhenSpaceIsLimited': false, 'signalbox.codeLens': true },
    });
    const { page } = editor;
    await editor.openInbox();
    await only(page, 'Inbox'); // all of its rows are in sight
    await groupsShow(editor, scene);
    await threadShows(editor, scene);
    await diffOpens(editor, scene);
    await messageAppears(editor, talk);
    await mailIsWritten(editor);
    await textShows(editor, scene);
    await hostileIsHarmless(editor, scene);
    await faultsAreTold(editor, scene);
    await removedStays(editor, scene, home, folders);
    await addedAppears(editor, home, folders);
    await editor.openFile('notes.md');
    await hoverShows(page, fixtureThread, 'Fix login comparison');
    await secretIsTold(editor, folders.main);
    await lensLeadsBack(editor, scene);
  }),
);

/** A possible secret in a project's config.json is underlined (ATSF K3). */
async function secretIsTold(editor, folder) {
  const config = { specVersion: '1.1', agentSettings: { a: { apiKey: 'sk-abcdefghijklmnopqrstuvwx' } } };
  const file = join(folder, '.agent', 'config.json');
  writeFileSync(file, JSON.stringify(config, null, 2));
  await editor.openFile(file);
  await editor.page.locator('.cdr.squiggly-warning').first().waitFor();
  await hoverShows(editor.page, 'sk-abcdefghijklmnopqrstuvwx', 'looks like a secret');
}

/** Returns the rows of the tree with their depth. */
const rowsOf = (page) =>
  page
    .locator('.sidebar .pane')
    .last()
    .locator('.monaco-list-row')
    .evaluateAll((rows) =>
      rows.map((row) => ({
        level: Number(row.getAttribute('aria-level')),
        // What is seen of it is cut.
        title: (row.getAttribute('aria-label') ?? '').split(', ')[0].replace(/^Worktree /, ''),
        text: row.textContent,
      })),
    );

/** Returns the titles under each group. */
async function treeOf(page) {
  const tree = {};
  let group = '';
  for (const { level, title } of await rowsOf(page)) {
    if (level === 1) tree[(group = title)] = [];
    else if (!title.startsWith('Older')) tree[group]?.push(title);
  }
  return tree;
}

async function groupsShow(editor, scene) {
  const { page } = editor;
  const tree = await until('the threads of all worktrees', async () => {
    // A group that gets its first thread is a new row, which is folded. Rows move while the
    // first ones come in, and a click that comes too late folds the mail.
    for (const branch of [audio, cache]) await editor.openGroup(branch);
    await editor.openGroup('Mail', 'Mail');
    const folds = page.locator('.sidebar [aria-label^="Older"][aria-expanded="false"]');
    if ((await folds.count()) > 0) {
      await folds.first().click({ timeout: 1_000 });
      return undefined;
    }
    const now = await treeOf(page);
    // Mail and agents' threads are read at the same time; whichever comes first is shown.
    const full = (group) => now[group]?.length > (group === audio ? 1 : 0);
    return ['Mail', 'main', audio, cache].every(full) ? now : undefined;
  });
  assert.deepEqual(
    Object.keys(tree),
    ['main', audio, cache, 'Mail'],
    'the open folder, what changed last, and mail',
  );
  assert.ok(tree.Mail.includes('Is the changelog ready?'));
  assert.ok(tree.main.includes(login) && tree.main.some((title) => title.startsWith('Fix login comparison')));
  assert.ok(tree.main.includes('major-2') && tree.main.includes('unknown-block'), 'the foreign ones');
  assert.deepEqual([...tree[audio]].sort(), ['Add audio notes', 'Fork of Add audio notes', 'torn-thread']);
  assert.deepEqual(tree[cache], ['Cache the price list']);
  await scene.shot('worktrees-dark');
}

async function threadShows(editor, scene) {
  const { page } = editor;
  const frame = await editor.openThread(login);
  await frame.locator('article').nth(2).waitFor();
  // The agent's second message goes on under the head of the first.
  assert.deepEqual(await frame.locator('article .from').allTextContents(), ['You', 'Claude Code']);
  assert.match(
    await frame.locator('.facts').textContent(),
    /Claude Code · branch main · 3 messages · 4 tool calls/,
  );
  assert.equal(await frame.locator('.reply').isVisible(), false, 'nobody answers a log');
  await frame.getByRole('button', { name: 'Message This Agent…' }).waitFor();
  await frame.locator('.related', { hasText: 'Please look at the agent on login.' }).waitFor();
  const states = await frame.locator('.tool summary .quiet').allTextContents();
  assert.deepEqual(states, [
    'read · 34 ms · completed',
    'edit · 1.2 sec · completed',
    'execute · 1 min 12 sec · failed',
    'execute · running',
  ]);
  assert.equal(await frame.locator('details[open]').count(), 0, 'what is long is folded away');
  const run = frame.locator('details.run > summary');
  assert.equal(await run.innerText(), 'Ran 3 tools · 1 edit +5 −1 · 1 failed');
  assert.ok(await frame.locator('.tool', { has: frame.locator('.status.failed') }).isVisible());
  assert.equal(await frame.getByRole('button', { name: 'Open diff: src/auth.ts' }).isVisible(), false);
  await run.click();
  assert.match(await frame.locator('.change').textContent(), /src\/auth\.ts\+\d+−\d+Open diff/);
  await frame.locator('.edit .diffline.plus', { hasText: 'timingSafeEqual' }).first().waitFor();
  await frame.locator('.edit .diffline.minus').first().waitFor();
  // Opened by keyboard, like a button.
  await frame.locator('.tool summary', { hasText: 'npm test' }).first().focus();
  await page.keyboard.press('Enter');
  await frame.locator('.tool pre', { hasText: '1 failing' }).waitFor();
  await frame.locator('.thinking summary').click();
  await frame.locator('.thinking code', { hasText: 'timingSafeEqual' }).waitFor();
  await imageShows(frame);
  await page.mouse.move(900, 780);
  await scene.shot('agent-thread-dark');
  for (const theme of ['light', 'contrast']) {
    await scene.theme(theme);
    await scene.shot(`agent-thread-${theme}`);
  }
  await scene.theme('dark');
}

/** Images are loaded when they come near the visible part. */
async function imageShows(frame) {
  await frame.locator('figure').first().scrollIntoViewIfNeeded();
  const image = frame.locator('figure img');
  await image.waitFor();
  assert.equal(await image.evaluate((element) => element.naturalWidth), 460);
  assert.ok((await image.getAttribute('alt')) !== '');
  assert.match(await image.getAttribute('src'), /^data:image\/png;base64,/);
  // Larger by keyboard, and back where one was.
  const enlarge = frame.getByRole('button', { name: /^Enlarge/ });
  await enlarge.press('Enter');
  await frame.locator('dialog.zoomed img').waitFor();
  await enlarge.page().keyboard.press('Escape');
  await frame.locator('dialog').waitFor({ state: 'detached' });
}

/** The texts of the two sides of the diff editor in front. */
const sidesOf = (page) =>
  page
    .locator('.editor-group-container.active .monaco-diff-editor')
    .evaluate((editor) =>
      ['original', 'modified'].map((side) =>
        [...editor.querySelectorAll(`.editor.${side} .view-line`)]
          .map((line) => line.textContent.replaceAll('\u00a0', ' '))
          .join('\n'),
      ),
    );

async function diffOpens(editor, scene) {
  const { page } = editor;
  const frame = await editor.threadFrame(login);
  await frame.locator('details.thinking').evaluate((details) => details.scrollIntoView());
  const topOf = (of) =>
    of.locator('details.thinking').evaluate((details) => details.getBoundingClientRect().top);
  // Places are saved once scrolling pauses.
  await page.waitForTimeout(300);
  const top = await topOf(frame);
  await frame.getByRole('button', { name: 'Open diff: src/auth.ts' }).click();
  await page.locator('.tab.active', { hasText: `auth.ts (${login})` }).waitFor();
  await until('both texts', async () => {
    const [old, now] = await sidesOf(page);
    return old.includes('return a == b;') && now.includes('timingSafeEqual(left, right)');
  });
  // Coloured as TypeScript, and nothing to write in.
  await page.locator('.statusbar-item', { hasText: 'TypeScript' }).first().waitFor();
  await scene.shot('agent-diff-dark');
  await editor.command('View: Close Editor');
  // The page was made again and has its place.
  const again = await editor.threadFrame(login);
  await until('what was open', async () => (await again.locator('details[open]').count()) === 3);
  await until('the place', async () => Math.abs((await topOf(again)) - top) < 3);
  // The file's name leads to the file as it is now.
  await again.locator('.change .link.file', { hasText: 'src/auth.ts' }).click();
  await page.locator('.tab.active[data-resource-name="auth.ts"]').waitFor();
  await page.locator('.view-line', { hasText: 'Who may log in' }).waitFor();
  await editor.command('View: Close Editor');
  await editor.threadFrame(login);
}

/** The lens above the code that the agent wrote opens the message that wrote it. */
async function lensLeadsBack(editor, scene) {
  await editor.command('View: Close All Editors');
  await editor.openFile('auth.ts');
  const lens = editor.page.locator('.codelens-decoration a', { hasText: login });
  await lens.waitFor();
  assert.match(await lens.textContent(), /^Claude Code, .*ago: /);
  await scene.shot('code-lens');
  const frame = await act(
    'the lens to open the thread',
    () => lens.click(),
    () => editor.threadFrame(login, 0),
  );
  await frame.locator('.message', { hasText: 'stops at the first difference' }).first().waitFor();
}

async function messageAppears(editor, folder) {
  const frame = await editor.threadFrame(login);
  const list = frame.locator('.scroll');
  const open = frame.locator('details[open]');
  await until('what was open', async () => (await open.count()) > 0);
  const opened = await open.count();
  await list.evaluate((element) => (element.scrollTop = 40));
  await frame.evaluate(() => (document.body.dataset.before = 'here'));
  appendMessage(folder, say('m4', 'agent', 0, 'And the tests are green now.'));
  await frame.locator('article', { hasText: 'the tests are green now' }).waitFor({ state: 'attached' });
  assert.equal(await frame.evaluate(() => document.body.dataset.before), 'here', 'without a reload');
  assert.equal(await open.count(), opened, 'what was open stays open');
  assert.equal(Math.round(await list.evaluate((element) => element.scrollTop)), 40, 'what was read stays');
  await frame.locator('.jump').click();
  await frame.locator('article', { hasText: 'the tests are green now' }).scrollIntoViewIfNeeded();
}

async function mailIsWritten(editor) {
  const { page } = editor;
  const frame = await editor.threadFrame(login);
  await frame.getByRole('button', { name: 'Message This Agent…' }).click();
  await page.locator('.tab.active', { hasText: 'New message' }).waitFor();
  await page.locator('.view-line', { hasText: 'Thread: login-1' }).waitFor();
  // Completion of the recipient opens at once.
  await page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'carol' }).waitFor();
  await page.keyboard.press('Escape');
  await editor.command('Signalbox: Discard Draft');
  await page.locator('.tab', { hasText: 'New message' }).waitFor({ state: 'detached' });
}

async function textShows(editor, scene) {
  const { page } = editor;
  await editor.threadFrame(login);
  await editor.command('Signalbox: Open Thread as Text');
  await page.locator('.tab.active', { hasText: '.md' }).waitFor();
  const text = await until('the text', async () => {
    const lines = await page.locator('.editor-group-container.active .view-line').allInnerTexts();
    const all = lines.join('\n').replaceAll('\u00a0', ' ');
    return all.includes('npm test') || all.includes('auth.ts') ? all : undefined;
  });
  assert.match(text, /## user, \d{4}-/);
  await scene.shot('agent-text-dark');
  await editor.command('View: Close Editor');
}

async function hostileIsHarmless(editor, scene) {
  const { page } = editor;
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  const frame = await editor.openThread('A gift from mallory');
  await frame.locator('article', { hasText: 'The end.' }).waitFor();
  const refused = frame.locator('figure.refused');
  await act(
    'the reasons of all images',
    async () => {
      for (const figure of await frame.locator('figure').all()) await figure.scrollIntoViewIfNeeded();
    },
    async () => (await refused.count()) === 5,
  );
  assert.equal(await frame.locator('figure img').count(), 0, 'no image is shown');
  const reasons = await refused.allTextContents();
  for (const reason of reasons) assert.match(reason, /^Image not shown: .{5,}/);
  // SVG under two names, a path, an absent file, other content than the name says.
  for (const [index, word] of ['L4', 'L4', 'path', 'there is no', 'digest'].entries()) {
    assert.ok(reasons[index].includes(word), reasons[index]);
  }
  await frame.locator('.other', { hasText: 'video' }).waitFor();
  assert.match(await frame.locator('.gap').textContent(), /Line 3 is not a message: .+/);
  const inside = 'script, iframe, object, embed, svg script, [onerror], [onclick], [style], a[href]';
  assert.equal(await frame.locator('article').locator(inside).count(), 0);
  assert.ok((await frame.locator('.tool pre').allTextContents()).join('').includes('⟨U+202E⟩'));
  await page.mouse.move(900, 780);
  await scene.shot('agent-hostile-dark');

  // The path is a label; the text is shown as text.
  await frame.getByRole('button', { name: /^Open diff/ }).click();
  await page.locator('.tab.active', { hasText: 'passwd.json (A gift' }).waitFor();
  await until('both texts', async () => (await sidesOf(page))[1].includes('<script>'));
  await page.locator('.statusbar-item', { hasText: 'JSON Lines' }).first().waitFor();
  await editor.command('View: Close Editor');
  assert.notEqual(await page.title(), 'owned');
  assert.ok(!requests.some((url) => url.includes('example.com')), 'nothing was fetched');
}

/** A thread whose thread.json is broken is listed by its directory's name, and its messages are there. */
async function faultsAreTold(editor, scene) {
  const { page } = editor;
  const row = editor.row('torn-thread');
  await row.locator('.codicon-warning').waitFor();
  assert.match(await row.innerText(), /faulty/);
  const frame = await editor.openThread('torn-thread');
  await frame.locator('.banner', { hasText: 'thread.json' }).waitFor();
  await frame.locator('article', { hasText: 'Written before the crash.' }).waitFor();
  // Messages of a later major version are not read (V2); the page says so.
  const refused = await editor.openThread('major-2');
  await refused.locator('.banner', { hasText: 'only 1.x can be read' }).waitFor();
  assert.equal(await refused.locator('article').count(), 0, 'nothing is left of the thread before');
  await page.mouse.move(900, 780);
  await scene.shot('agent-faulty-dark');
}

/** git removes the worktree with its threads. What was known of them stays in the list, marked as removed. */
async function removedStays(editor, scene, home, folders) {
  const { page } = editor;
  git(home, folders.main, 'worktree', 'remove', '--force', folders[cache]);
  rmSync(folders[cache], { recursive: true, force: true });
  const group = editor.row(cache);
  await until('the group to be gone', async () => /removed/.test(await group.innerText()));
  const row = editor.row('Cache the price list');
  await act(
    'the thread of the removed worktree',
    async () => {
      if (!(await row.isVisible())) await group.click();
    },
    () => row.isVisible(),
  );
  assert.match(await row.innerText(), /gone/);
  const tree = await treeOf(page);
  assert.equal(Object.keys(tree).at(-2), cache, 'what is gone comes last, but for the mail');
  await page.mouse.move(900, 780);
  await scene.shot('worktrees-gone-dark');
  await scene.theme('light');
  await scene.shot('worktrees-gone-light');
}

/** A new worktree is found while the window is open. With many threads it starts folded and has its own pages. */
async function addedAppears(editor, home, folders) {
  const { page } = editor;
  const path = addWorktree(home, folders.main, 'spike/many');
  for (let n = 1; n <= 70; n++) {
    const title = `Idea ${String(n).padStart(2, '0')}`;
    const messages = [say('1', 'user', n, title)];
    writeThread(path, `idea-${n}`, { title, branch: 'spike/many', messages });
  }
  const group = editor.row('spike/many');
  const said = async () => (await group.getAttribute('aria-label')) ?? '';
  await until('all threads of the new worktree', async () => /70 threads/.test(await said()));
  assert.equal(await group.getAttribute('aria-expanded'), 'false');
  // A list that is drawn anew between press and release takes no click.
  await act(
    'the threads of the new worktree',
    async () => {
      if ((await group.getAttribute('aria-expanded')) === 'false') await group.click();
    },
    () => editor.row('Idea 01').isVisible(),
  );
  const toEnd = async () => {
    await editor.inbox.locator('.monaco-list').first().focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
  };
  const more = editor.row('Load more');
  await act('the end of the first page', toEnd, () => more.isVisible());
  assert.equal(await editor.row('Idea 70').count(), 0);
  await act(
    'the second page',
    async () => {
      if (await more.isVisible()) await more.click();
      await toEnd();
    },
    () => editor.row('Idea 70').isVisible(),
  );
}
