// The packaged web extension runs in the browser's own extension host, without a
// server, and reads the files of the workspace.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { login, writeHostile, writeLogin } from './agents.mjs';
import { hoverShows } from './hover.mjs';
import { inScene } from './scene.mjs';
import { act, until } from './wait.mjs';
import { appendMessage, say } from './worktrees.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const testdata = join(here, '../../testdata');
const alice = 'alice@acme.aimaestro.local';

/** Packages the extension for browsers, with the module that "make wasm" built. */
function packageWeb(dir) {
  const out = join(dir, 'web.vsix');
  const script = join(here, '../scripts/package.mjs');
  execFileSync(process.execPath, [script, '--target', 'web', '--out', out], { stdio: 'pipe' });
  return out;
}

/** Puts something of each format into the workspace. */
function fill(scene) {
  const { workspace } = scene;
  const folder = writeLogin(workspace);
  writeHostile(workspace, scene.dir);
  cpSync(join(testdata, 'agn/amp-chain'), join(workspace, '.ssot/messages'), { recursive: true });
  const agents = join(workspace, '.agent-messaging/agents');
  mkdirSync(join(agents, 'alice/keys'), { recursive: true });
  writeFileSync(
    join(agents, 'alice/config.json'),
    JSON.stringify({ agent: { name: 'alice', address: alice } }),
  );
  cpSync(join(testdata, 'amp/keys/alice.public.pem'), join(agents, 'alice/keys/public.pem'));
  cpSync(join(testdata, 'amp/inbox'), join(agents, 'bob/messages/inbox'), { recursive: true });
  mkdirSync(join(workspace, 'mail'));
  for (const log of ['log-alice.jsonl', 'log-bob.jsonl', 'log-carol.jsonl'])
    cpSync(join(testdata, 'samp/store-spaced', log), join(workspace, 'mail', log));
  scene.file('broken.json', readFileSync(join(testdata, 'agn/invalid/E2-version.json'), 'utf8'));
  scene.file('notes.md', 'ids\n\nsee 4e89dfdd5aacfe46 here\n\nand T-2026-044 too\n\nnot deadbeefdeadbeef\n');
  return folder;
}

test(
  'the web package reads the workspace in the web extension host',
  inScene(async (scene) => {
    const folder = fill(scene);
    const editor = await scene.open({ vsix: packageWeb(scene.dir) });
    const { page } = editor;
    const lines = page.locator('.editor-group-container.active .view-lines');
    const shows = (text) => lines.locator('.view-line', { hasText: text }).first().waitFor();
    await editor.openInbox();
    await editor.row(login).waitFor();
    for (const title of ['.agent-messaging', 'mail', 'project', 'A gift from mallory', 'alice-same-second'])
      await editor.row(title).waitFor();
    await page.locator('.sidebar', { hasText: 'In the browser, read only.' }).first().waitFor();
    await scene.shot('web-views');

    // A thread, as a document that cannot be changed, and that follows its file.
    const open = (row, tab) =>
      act(
        `the document ${tab}`,
        () => row.click(),
        () => page.locator('.tab.active', { hasText: tab }).first().isVisible(),
      );
    await open(editor.row(login), login);
    await shows('The comparison in `auth.ts` stops');
    await shows('Not verified');
    await scene.shot('web-thread');
    appendMessage(folder, say('m9', 'agent', 0, 'It is released.'));
    await act(
      'the end of the document with the new message',
      async () => {
        await lines.click();
        await page.keyboard.press('Control+End');
      },
      () => lines.locator('.view-line', { hasText: 'It is released.' }).first().isVisible(),
    );
    await page.keyboard.type('x');
    await page.locator('.monaco-editor-overlaymessage', { hasText: 'read-only' }).first().waitFor();
    await page.keyboard.press('Escape');

    // Signed mail: the key in the workspace, and its limited worth.
    await open(editor.row('Nested context'), 'Nested context');
    await shows('The signature matches the key');

    // An escalation, and that answering needs the desktop.
    await editor.webAlarmRow('Hallucination Lock').waitFor();
    await editor.pane('Needs You').locator('.monaco-list-row', { hasText: 'Overdue' }).first().waitFor();
    await open(editor.webAlarmRow('Hallucination Lock'), 'T-2026-044');
    await shows('Critical: escalation of task T-2026-044');
    await shows('Acknowledging and answering need the desktop.');
    await scene.shot('web-escalation');

    // A stranger's words do nothing, as text and in the preview.
    await open(editor.row('A gift from mallory'), 'A gift from mallory');
    await shows('Look:');
    await editor.command('Markdown: Open Preview to the Side');
    const preview = await until('the preview', async () => {
      for (const frame of page.frames())
        if ((await frame.locator('h1', { hasText: 'A gift from mallory' }).count()) > 0) return frame;
      return undefined;
    });
    assert.equal(
      await preview.locator('body a[href^="command:"], body img[src^="x"], body script:not([src])').count(),
      0,
    );
    assert.notEqual(await page.title(), 'owned');
    await scene.shot('web-hostile');

    // Hovers, in any file.
    await editor.command('View: Close All Editors');
    await editor.openFile('notes.md');
    await hoverShows(page, '4e89dfdd5aacfe46', 'Working on it');
    await hoverShows(page, 'T-2026-044', 'Not verified');
    await scene.shot('web-hover');

    // Problems of a file that is open, with the rule.
    await editor.openFile('broken.json');
    await page.locator('.squiggly-error').first().waitFor();
    await editor.command('Go to Next Problem (Error, Warning, Info)');
    await page.locator('.marker-widget', { hasText: 'E2' }).waitFor();
    await scene.shot('web-problem');
    await page.keyboard.press('Escape');

    // Commands that do not work here say so.
    await editor.command('Signalbox: New Message');
    const notice = page.locator('.notification-list-item', { hasText: 'needs the desktop' }).first();
    await notice.waitFor();
    await notice.locator('.monaco-button', { hasText: 'What Works Here' }).waitFor();
    await scene.shot('web-desktop-only');

    await runsInTheBrowser(scene, page, editor);
  }),
);

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
  assert.ok(files.some((file) => file.endsWith('signalbox.wasm')));
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
