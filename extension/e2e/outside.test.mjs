// From outside of documents: ids in the terminal, and addresses that other
// programs open, which may come from anywhere.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { login, writeLogin } from './agents.mjs';
import { hoverOver, hoverShows, pressLink, terminalLines } from './hover.mjs';
import { writeOffice } from './mail.mjs';
import { inScene } from './scene.mjs';
import { act } from './wait.mjs';
import { say, writeThread } from './worktrees.mjs';

const parser = '2026-11-20-planner-split-the-parser';
const agentId = '6b1f0c9e-52a4-4d0f-9a51-0c2f6f1f7a11';
const agentTitle = 'Rename the queue';
const commit = '89abcdef01234567';

test('ids in the terminal lead to their threads, and those of commits do not', async (t) => {
  if (process.env.SIGNALBOX_E2E_HOST === 'oldest') {
    // Its terminals need a module that is not built there: node-pty. What finds
    // the links is the same as in documents, and those are looked at in both.
    t.diagnostic('the oldest host has no terminal');
    return;
  }
  await inScene(inTerminal)();
});

async function inTerminal(scene) {
  const office = writeOffice(scene.mail, Date.now());
  writeThread(scene.workspace, agentId, {
    title: agentTitle,
    branch: 'main',
    messages: [say('m1', 'user', 5, 'Rename it.'), say('m2', 'agent', 4, 'Done.')],
  });
  const editor = await scene.open({
    settings: {
      'terminal.integrated.gpuAcceleration': 'off',
      'terminal.integrated.defaultProfile.linux': 'sh',
      'terminal.integrated.profiles.linux': { sh: { path: '/bin/sh', env: { PS1: '> ' } } },
      'terminal.integrated.shellIntegration.enabled': false,
    },
  });
  const { page } = editor;
  await editor.openInbox();
  await editor.row(agentTitle).waitFor();
  await editor.command('Terminal: Create New Terminal');
  await page.locator('.terminal-wrapper.active .xterm-rows', { hasText: '>' }).waitFor();
  const lines = [`${office.plan.id} ${commit}`, parser, agentId];
  for (const line of lines) await print(page, line);

  await hoverShows(page, office.plan.id, 'Open in Signalbox', terminalLines);
  await scene.shot('terminal-dark');
  for (const [token, title] of [
    [office.plan.id, parser],
    [parser, parser],
    [agentId, agentTitle],
  ]) {
    await act(
      `the thread of ${token}`,
      async () => {
        await page.keyboard.press('Escape');
        // Until the links of a line are known, VS Code takes it for words.
        await pressLink(page, await hoverShows(page, token, 'Open in Signalbox', terminalLines));
      },
      () => page.locator('.tab.active', { hasText: tabOf(title) }).isVisible(),
    );
    const frame = await editor.threadFrame(title);
    await frame.locator('article').first().waitFor();
    assert.equal(await page.locator('.editor-group-container .tab').count(), 1, 'nothing else was opened');
    await editor.command('View: Close All Editors');
  }
  // To VS Code itself the commit is a word like any other, which it looks for in
  // files. A link of ours would come first.
  const search = page.locator('.quick-input-widget input').first();
  await act(
    'the commit as a word',
    async () => pressLink(page, await hoverOver(page, commit, terminalLines)),
    async () => (await search.isVisible()) && (await search.inputValue()).includes(commit),
  );
  assert.equal(await page.locator('.editor-group-container .tab').count(), 0);
}

/** Prints a line in the terminal, whose shell echoes what is typed as well: the words are joined only in the output. */
async function print(page, line) {
  await act(
    `"${line}" in the terminal`,
    async () => {
      await page.locator('.terminal-wrapper.active .xterm-helper-textarea').focus();
      await page.keyboard.type(`printf '%s%s\\n' '${line.slice(0, 4)}' '${line.slice(4)}'`);
      await page.keyboard.press('Enter');
    },
    () => page.locator(terminalLines).filter({ hasText: line }).first().isVisible(),
  );
}

test(
  'addresses from outside open a thread, and hostile ones do nothing',
  inScene(async (scene) => {
    writeOffice(scene.mail, Date.now());
    writeLogin(scene.workspace);
    // A slow machine shows the link's hover before the click, over a link of two lines.
    const editor = await scene.open({ settings: { 'editor.hover.enabled': false } });
    const { page } = editor;
    await editor.openInbox();
    await editor.row('Split the parser').waitFor();
    const address = await copiedAddress(editor, 'Split the parser');
    assert.match(
      address,
      /^[\w-]+:\/\/signalbox-dev\.signalbox\/thread\/2026-11-20-planner-split-the-parser$/,
    );
    const base = address.slice(0, address.indexOf('/thread/'));
    assert.ok(base.endsWith('//signalbox-dev.signalbox'));
    const good = [
      [address, parser],
      [await copiedAddress(editor, login), login],
    ];
    const nowhere = 'leads nowhere';
    const unknown = 'Signalbox knows no message or thread';
    const bad = [
      [`${base}/thread/no-such-thread`, unknown],
      [`${base}/message/0123456789abcdef`, unknown],
      [`${base}/thread/..%2F..%2F..%2Fetc%2Fpasswd`, unknown],
      [`${base}/thread/../../../etc/passwd`, unknown],
      [`${base}/thread/a%00b%0Ac`, nowhere],
      [`${base}/thread/`, nowhere],
      [`${base}/thread/${'x'.repeat(5_000)}`, nowhere],
      [`${base}/command/workbench.action.closeAllEditors`, nowhere],
      [`${base}/thread/a%E2%80%AEgnp.exe`, unknown],
      [`${base}/thread/%5BClick%20here%5D%28command%3Aworkbench.action.closeAllEditors%29`, unknown],
    ];
    // A link in a Markdown file is opened by VS Code as one from outside is.
    for (const [index, [uri]] of [...good, ...bad].entries())
      scene.file(`out${index}.md`, `[here](<${uri}>)\n`);

    for (const [index, [, title]] of good.entries()) {
      await follow(editor, index, () => page.locator('.tab.active', { hasText: tabOf(title) }).isVisible());
      await editor.threadFrame(title);
      await editor.command('View: Close All Editors');
    }
    for (const [index, [uri, text]] of bad.entries()) {
      const toast = page.locator('.notification-toast');
      await follow(editor, good.length + index, async () => (await toast.count()) > 0);
      const about = uri.slice(0, 80);
      assert.equal(await toast.count(), 1, `one message about ${about}`);
      const said = await toast.innerText();
      assert.ok(said.includes(text), `${about}: ${said}`);
      assert.equal(await toast.locator('.notification-list-item-message a').count(), 0, said);
      assert.ok(!said.includes('\0') && !said.includes('\u202e') && said.length < 400, said);
      if (uri.includes('Click')) await scene.shot('address-dark');
      assert.ok((await page.locator('.tab').count()) > 0, 'no command was run');
      assert.equal(await page.locator('.tab', { hasNotText: /out\d+\.md/ }).count(), 0, 'nothing was opened');
      await editor.command('Notifications: Clear All Notifications');
    }
  }),
);

/** What of a title a tab shows. */
const tabOf = (title) => (title === parser ? 'Split the parser' : title.slice(0, 20));

/** The address of a row's thread, as its menu copies it. */
async function copiedAddress(editor, title) {
  const { page } = editor;
  const item = page.locator('.monaco-menu .action-label', { hasText: 'Copy Link' }).first();
  const copied = () => page.evaluate(() => window.navigator.clipboard.readText());
  await page.evaluate(() => window.navigator.clipboard.writeText(''));
  return act(
    `the address of ${title}`,
    async () => {
      if (!(await item.isVisible())) await editor.row(title).click({ button: 'right' });
      await item.click({ timeout: 3_000 });
    },
    copied,
  );
}

/** Follows the link in a file, and agrees to what VS Code asks. */
async function follow(editor, index, check) {
  const { page } = editor;
  await editor.openFile(`out${index}.md`);
  await page.locator('.editor-group-container.active .detected-link').first().waitFor();
  const ask = page.locator('.monaco-dialog-box');
  await act(
    `link ${index}`,
    async () => pressLink(page, await hoverOver(page, 'signalbox-dev')),
    async () => {
      if (await ask.isVisible()) await ask.getByRole('button', { name: 'Open' }).click({ timeout: 1_000 });
      return check();
    },
  );
}
