// The Agents view as a person with several agents uses it: who is at what, what changed, a
// message to one of them, another one in an empty worktree. Rows never move.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { push, quietAgents } from './busy.mjs';
import { leave, only, sideBarWidth } from './listView.mjs';
import { Office } from './office.mjs';
import { inScene } from './scene.mjs';
import { act, until } from './wait.mjs';

test(
  'agents are seen, written to and started in one place',
  inScene(async (scene, part) => {
    const office = new Office(scene);
    try {
      const agents = await quietAgents(office);
      const coder = await office.agent('coder', 'fix/login', { prompt: 'Compare passwords.' });
      coder.edits('auth.ts', { added: 120, removed: 14 });
      await coder.asks(12, 'Bash', { command: push });
      const said = join(scene.dir, 'said');
      const settings = {
        'terminal.integrated.env.linux': { PATH: `${fakeCodex(scene.dir, said)}:${process.env.PATH}` },
      };
      const editor = await scene.open({ settings });
      const { agents: view, page } = editor;
      await editor.openInbox();
      await only(page, 'Agents');
      await sideBarWidth(page, 420);
      await part('each agent has one row', () => rowsShow(scene, view));
      await part('a state changes and nothing moves', () => nothingMoves(scene, view, page, agents));
      await part('the open row says what was done', () => rowOpens(scene, view, page));
      await part('all changes of a worktree are shown', () => changesShow(scene, editor));
      await part('a message is sent', () => messageGoes(scene, editor));
      await part('an agent starts in a worktree without one', () => starts(editor, office, said));
      await part('the same rows are in an editor tab', () => tabShows(scene, editor));
      await part('narrow, light and in high contrast', () => looks(scene, editor));
    } finally {
      office.close();
    }
  }),
);

async function rowsShow(scene, view) {
  await view.row('migrator').then((row) => row.waitFor());
  const said = await until('all rows', async () => {
    const all = await view.said();
    return all.length >= 9 ? all : undefined;
  });
  const names = said.map((row) => row.split(',')[0]);
  assert.deepEqual(names.slice(0, 6), [
    'backend in main',
    'coder in chore/deps',
    'coder in fix/login',
    'docs/api',
    'feat/sessions',
    'migrator in checkout-v2',
  ]);
  const [backend, deps, coder] = said;
  assert.match(backend, /Working for \d min: The export streams.*12 lines added, 4 removed/);
  assert.match(deps, /Ended for 3 hr( \d min)?: vite is at 7.2/);
  assert.match(coder, /Waits for you for 1\d min: git push --force-with-lease.*120 lines added, 14 removed/);
  assert.equal(await view.description(), '1 needs you, 1 working');
  await scene.shot('agents-420-dark');
}

/** A row says what its agent does now; no row moves, not under the pointer either. */
async function nothingMoves(scene, view, page, { backend }) {
  await view.hover('backend');
  await (await view.row('backend')).locator('> .tools').waitFor();
  await scene.shot('agents-hover-dark');
  const before = await view.places();
  await backend.stops(0, 'The order of the rows is kept.');
  const row = await view.row('backend in main, Done');
  await row.waitFor();
  const after = await view.places();
  assert.deepEqual(
    after.map(({ y, height }) => [y, height]),
    before.map(({ y, height }) => [y, height]),
  );
  await leave(page);
}

async function rowOpens(scene, view, page) {
  const row = await view.open('migrator');
  await row.locator('.said', { hasText: 'All nine steps are in' }).waitFor();
  const file = row.locator('.file', { hasText: 'src/store.ts' });
  await file.waitFor();
  assert.match(await file.textContent(), /src\/store\.ts\+310−74/);
  assert.equal(await row.locator('.acts .btn').first().innerText(), 'Show Changes\nC');
  await leave(page);
  await scene.shot('agents-open-dark');
  await file.click();
  await page.locator('.tab.active', { hasText: 'store.ts (migrator)' }).waitFor();
  await until('both texts', async () => {
    const text = (await page.locator('.monaco-diff-editor').textContent()).replaceAll('\u00a0', ' ');
    return text.includes('migrator wrote') && text.includes('// store.ts, line 1');
  });
}

async function changesShow(scene, editor) {
  const { agents: view, page } = editor;
  await view.focus(editor);
  await act(
    'the changes',
    async () => {
      await (await view.head('coder in fix/login')).focus();
      await page.keyboard.press('c');
    },
    () => page.locator('.tab.active', { hasText: 'Changes: coder' }).isVisible(),
  );
  await page.locator('.multiDiffEntry', { hasText: 'auth.ts' }).first().waitFor();
  await page
    .locator('.view-line', { hasText: /coder\swrote\sline\s1/ })
    .first()
    .waitFor();
  await scene.shot('agents-changes-dark');
  await editor.command('View: Close All Editors');
  // Those of a thread are the edits that it holds.
  await (await view.head('coder in fix/login')).focus();
  await page.keyboard.press('Enter');
  await editor.threadFrame('Compare passwords.');
  await editor.command('Signalbox: Show Changes');
  await page.locator('.tab.active', { hasText: 'Changes: Compare passwords.' }).waitFor();
  await page
    .locator('.view-line', { hasText: /coder\swrote\sline\s1/ })
    .first()
    .waitFor();
  await scene.shot('agents-thread-changes-dark');
  await editor.command('View: Close All Editors');
}

async function messageGoes(scene, editor) {
  const { agents: view, page } = editor;
  const text = 'Please rebase on main first.';
  await view.focus(editor);
  const box = (await view.row('reviewer')).locator('textarea');
  await act(
    'the box of reviewer',
    async () => {
      await (await view.head('reviewer')).focus();
      await page.keyboard.press('r');
    },
    () => box.isVisible(),
  );
  await page.keyboard.type(text);
  // What is typed is there again when the view was hidden.
  await only(page, 'Inbox');
  await only(page, 'Agents');
  const again = (await view.row('reviewer')).locator('textarea');
  await until('the text', async () => (await again.inputValue()) === text);
  await scene.shot('agents-message-dark');
  await again.focus();
  await page.keyboard.press('Control+Enter');
  await until('the message', () =>
    readdirSync(scene.mail).some((name) => readFileSync(join(scene.mail, name), 'utf8').includes(text)),
  );
  await again.waitFor({ state: 'hidden' });
}

async function starts(editor, office, said) {
  const { agents: view, page } = editor;
  await view.press('docs/api', 'Start…');
  await editor.choose('Codex', 'Codex');
  const input = page
    .locator('.quick-input-widget:not([inert])', { hasText: 'First prompt' })
    .locator('input');
  await input.first().fill('Write the reference; `touch pwned`.');
  await input.first().press('Enter');
  const line = `${office.folders['docs/api']} Write the reference; \`touch pwned\`.\n`;
  await until('the program to run', () => existsSync(said) && readFileSync(said, 'utf8') === line);
  assert.ok(!existsSync(join(office.folders['docs/api'], 'pwned')));
}

async function tabShows(scene, editor) {
  const { page } = editor;
  await editor.command('Signalbox: Open Agents in Editor');
  const tab = async () => {
    for (const frame of page.frames())
      if (
        (await frame
          .locator('body.tab main#agents li.row')
          .count()
          .catch(() => 0)) > 0
      )
        return frame;
    return undefined;
  };
  const frame = await until('the tab', tab);
  await frame.locator('.heading', { hasText: '1 needs you' }).waitFor();
  assert.match(await frame.locator('.heading .pm').textContent(), /\+458−94/);
  await editor.command('View: Close Primary Side Bar');
  await frame.locator('.row .tools').first().waitFor();
  await leave(page);
  await scene.shot('agents-tab-dark');
  await scene.theme('light');
  await scene.shot('agents-tab-light');
  await scene.theme('dark');
  await editor.reload('Agents');
  await until('the tab, restored', tab);
}

async function looks(scene, editor) {
  const { agents: view, page } = editor;
  await editor.openInbox();
  await only(page, 'Agents');
  await view.open('migrator');
  await sideBarWidth(page, 300);
  await scene.shot('agents-300-dark');
  await sideBarWidth(page, 200);
  await scene.shot('agents-200-dark');
  await sideBarWidth(page, 420);
  for (const theme of ['light', 'contrast', 'contrastLight']) {
    await scene.theme(theme);
    await scene.shot(`agents-420-${theme}`);
  }
}

/** A program that writes where and with what it was run. Returns its folder. */
function fakeCodex(dir, said) {
  const folder = join(dir, 'bin');
  mkdirSync(folder);
  writeFileSync(join(folder, 'codex'), `#!/bin/sh\necho "$PWD $*" > '${said}'\n`, { mode: 0o755 });
  return folder;
}
