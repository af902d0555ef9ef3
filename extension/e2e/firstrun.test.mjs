// From nothing: an installed extension, no alias, no directory, and a program that
// runs agents. Set Up leads to an agent that answered: three clicks, and Enter where
// something is proposed.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordsOf } from './mail.mjs';
import { inScene } from './scene.mjs';
import { act, until } from './wait.mjs';

const answer = 'Here I am.';

/** A program like claude: it runs its hook as it starts, and answers the newest message by the program of its tools. */
const agent = `#!${process.execPath}
const { execFileSync, execSync } = require('node:child_process');
const { readFileSync, writeFileSync } = require('node:fs');
// What the real one sets for all that it runs.
process.env.CLAUDECODE = '1';
const read = (name) => JSON.parse(readFileSync(process.env.HOME + '/' + name, 'utf8').replace(/^\\/\\/.*/, ''));
const hook = read('.claude/settings.json').hooks.SessionStart[0].hooks[0].command;
const event = { session_id: '1', hook_event_name: 'SessionStart', cwd: process.cwd() };
const told = execSync(hook, { input: JSON.stringify(event) }).toString();
writeFileSync(process.env.HOME + '/told.json', JSON.stringify({ argv: process.argv.slice(2), told }));
const { command } = read('.claude.json').mcpServers.signalbox;
execFileSync(command, ['inbox']);
execFileSync(command, ['reply', '${answer}']);
`;

/** A machine on which somebody uses Claude Code and Gemini CLI and has set up git. */
function machine(scene) {
  const home = join(scene.dir, 'home');
  const files = {
    '.gitconfig': '[user]\n\tname = Dana Smith\n',
    '.claude.json': '{\n  "numStartups": 3\n}\n',
    '.claude/settings.json': '// mine\n{\n  "theme": "dark"\n}\n',
    '.gemini/settings.json': '{"theme": "dark"}',
    'bin/claude': agent,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(home, name, '..'), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  chmodSync(join(home, 'bin/claude'), 0o755);
  const folders = {
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_STATE_HOME: join(home, '.local/state'),
    XDG_DATA_HOME: join(home, '.local/share'),
  };
  return { home, files, env: { HOME: home, ...folders, PATH: `${join(home, 'bin')}:${process.env.PATH}` } };
}

test(
  'Set Up leads from nothing to an agent that answered',
  inScene(async (scene) => {
    const { home, files, env } = machine(scene);
    const mail = join(home, 'dev/.message');
    execFileSync('git', ['init', '--quiet', scene.workspace], { env });
    const editor = await scene.open({
      settings: {
        'signalbox.alias': '',
        'signalbox.directories': [],
        'terminal.integrated.defaultProfile.linux': 'sh',
        'terminal.integrated.profiles.linux': { sh: { path: '/bin/sh' } },
      },
      env,
    });
    const { page } = editor;

    await editor.openInbox();
    const welcome = page.locator('.welcome-view-content', {
      hasText: 'Your coding agents can leave you messages here.',
    });
    await welcome.waitFor();
    assert.deepEqual(await welcome.locator('.monaco-button').allTextContents(), ['Set Up']);
    assert.doesNotMatch(await welcome.innerText(), /\b(SAMP|AMP|ATSF)\b|AGENT_|director|alias|protocol/i);
    await pictures(scene, 'welcome');
    await welcome.getByText('More…').click();
    await rows(editor, [
      'Set Up…',
      'Choose Message Directory…',
      'Your Name…',
      'Try with Sample Mail',
      'Write a Message',
      'Open the Walkthrough',
      'Open Doctor',
      'Undo Set Up…',
    ]);
    await scene.shot('firstrun-more-dark');
    await page.keyboard.press('Escape');

    // The first click.
    await welcome.getByRole('button', { name: 'Set Up' }).click();
    const input = page.locator('.quick-input-widget input').first();
    await until('the name that git has', async () => (await input.inputValue()) === 'dana');
    await scene.shot('firstrun-name-dark');
    await fill(editor, 'project', page.getByText('An agent here already has this name.'));
    await fill(editor, 'dana');
    await rows(editor, ['Claude Code', 'Gemini CLI']);
    const ticks = page.locator('.quick-input-widget .monaco-list-row .monaco-checkbox');
    assert.deepEqual(await ticks.evaluateAll((all) => all.map((tick) => tick.getAttribute('aria-checked'))), [
      'true',
      'true',
    ]);
    assert.match((await input.getAttribute('placeholder')) ?? '', /worktree: project/);
    await pictures(scene, 'agents');
    await input.press('Enter');

    // The edits are shown before anything is written.
    await page.locator('.quick-input-widget', { hasText: 'Write These Changes' }).waitFor();
    const diffs = page.locator('.multiDiffEditor');
    await diffs.locator('.view-line', { hasText: 'mcpServers' }).first().waitFor();
    await pictures(scene, 'changes');
    for (const [name, text] of Object.entries(files))
      assert.equal(readFileSync(join(home, name), 'utf8'), text);
    assert.ok(!existsSync(join(home, '.config/signalbox')) && !existsSync(mail));

    // The second click.
    await page
      .locator('.quick-input-widget .monaco-list-row', { hasText: 'Write These Changes' })
      .first()
      .click();
    const sent = await until(
      'the first message on disk',
      () => existsSync(mail) && recordsOf(mail, 'dana')[0],
    );
    assert.deepEqual([sent.from, sent.to], ['dana', 'project']);
    const frame = await editor.threadFrame(sent.thread);
    await until('the editor of changes to close', async () => (await diffs.count()) === 0);
    const config = JSON.parse(readFileSync(join(home, '.config/signalbox/config.json'), 'utf8'));
    assert.deepEqual(config, { person: 'dana' });
    noVersionedPath(home);
    const copy = join(home, '.local/state/signalbox/bin/signalbox');
    const claude = JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8'));
    assert.deepEqual([claude.numStartups, claude.mcpServers.signalbox.command], [3, copy]);
    assert.match(readFileSync(join(home, '.claude/settings.json'), 'utf8'), /^\/\/ mine\n/);
    assert.ok(readFileSync(join(home, '.gemini/settings.json'), 'utf8').includes(copy));

    // The third click: the button is in the thread, until an answer came.
    const start = frame.getByRole('button', { name: 'Start Claude Code' });
    await start.waitFor();
    await scene.shot('firstrun-done-dark');
    // The oldest host has no terminal: node-pty is not built there.
    if (process.env.SIGNALBOX_E2E_HOST === 'oldest') return;
    await start.click();
    const reply = await until('the answer on disk', () => recordsOf(mail, 'project')[0]);
    assert.deepEqual([reply.to, reply.thread, reply.body], ['dana', sent.thread, answer]);
    await frame.locator('article', { hasText: answer }).waitFor();
    await until('the offer to go', async () => (await start.count()) === 0);
    const { argv, told } = JSON.parse(readFileSync(join(home, 'told.json'), 'utf8'));
    assert.deepEqual(argv, ['Read your mail and answer it.']);
    assert.match(told, /You are `project`.*`dana` is the person/s);
    await start.waitFor({ state: 'detached' });
    await scene.shot('firstrun-answered-dark');

    await editor.command('Signalbox: Doctor');
    const doctor = await editor.doctorFrame();
    await doctor.locator('tr.good', { hasText: 'Claude Code' }).getByText('✓ OK').waitFor();
    await scene.shot('firstrun-doctor-dark');
  }),
);

test(
  'sample mail is tried and left, and nothing of the user is touched',
  inScene(async (scene) => {
    const { home, env } = machine(scene);
    const settings = { 'signalbox.alias': '', 'signalbox.directories': [], 'signalbox.notifications': 'off' };
    const editor = await scene.open({ settings, env });
    const { page } = editor;
    await editor.openInbox();
    const welcome = page.locator('.welcome-view-content', { hasText: 'Just looking?' });
    await welcome.waitFor();
    const before = [filesOf(home), filesOf(scene.workspace)];

    await welcome.getByText('Try with Sample Mail').click();
    const said = page.locator('.sidebar .pane-body .message', {
      hasText: 'Sample mail: none of it is yours',
    });
    await said.first().waitFor();
    // All formats: agents' threads and escalations are there, too.
    await editor.inbox.locator('.monaco-list-row[aria-label^="Worktree"]').first().waitFor();
    await (await editor.needs.row('Stopped after 3 rejections')).waitFor();
    const leave = page.locator('.statusbar-item', { hasText: 'Sample Mail: Leave' });
    await leave.waitFor();
    // Branches that are read later push the mail out of sight.
    const click = async () => {
      await editor.scrollInbox('End');
      await editor.row('plan-for-the-parser-rewrite').click({ timeout: 5_000 });
    };
    const frame = await editor.openThread('plan-for-the-parser-rewrite', { click });
    await frame.locator('article').first().waitFor();
    await frame.locator('.startBar').getByRole('button', { name: 'Set Up…' }).waitFor();
    await pictures(scene, 'sample');
    // What is answered is answered in the sample alone.
    await frame.locator('.reply textarea').fill('Ask me again on Monday.');
    await frame.locator('form.reply button[type=submit]').click();
    await frame.locator('article', { hasText: 'Ask me again on Monday.' }).waitFor();
    assert.deepEqual([filesOf(home), filesOf(scene.workspace)], before);

    await leave.click();
    await welcome.waitFor();
    await leave.waitFor({ state: 'detached' });
    assert.equal(await page.locator('.tab', { hasText: 'parser' }).count(), 0, 'its tabs are closed');
    assert.deepEqual([filesOf(home), filesOf(scene.workspace)], before);
    const kept = readdirSync(join(scene.dir, 'editor/data'), { recursive: true });
    assert.deepEqual(
      kept.filter((file) => file.includes('signalbox-dev.signalbox/sample')),
      [],
    );
  }),
);

/** Belongs to the editor, or is the copy of the server, which is made some time after the start. */
const passing = /^\.(run|cache)\b|^\.local\/state(\/signalbox(\/bin\b.*)?)?$/;

/** The files below a folder that stay as they are. */
function filesOf(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((file) => !passing.test(file))
    .sort();
}

test(
  'Set Up that is given up changes nothing, and the walkthrough leads to it',
  inScene(async (scene) => {
    const { home, files, env } = machine(scene);
    const settings = { 'signalbox.alias': '', 'signalbox.directories': [] };
    // In a workspace that is not trusted, too: the files are the user's own.
    const editor = await scene.open({ settings, env, trust: false });
    const { page } = editor;
    await editor.openInbox();
    await page.locator('.welcome-view-content').getByText('More…').click();
    await editor.choose('Open the Walkthrough');
    const step = (title) => page.locator('.getting-started-step', { hasText: title }).first();
    for (const title of ['Set up your agents', 'See a message', 'Answer it', 'See who needs you', 'And more'])
      await step(title).waitFor();
    await pictures(scene, 'walkthrough');
    const button = step('Set up your agents').getByRole('button', { name: 'Set Up', exact: true });
    await act(
      'the first step',
      async () => {
        if (!(await button.isVisible())) await step('Set up your agents').click();
      },
      () => button.isVisible(),
    );
    await button.click();
    await until(
      'the name that git has',
      async () => (await page.locator('.quick-input-widget input').first().inputValue()) === 'dana',
    );
    await page.keyboard.press('Enter');
    await rows(editor, ['Claude Code', 'Gemini CLI']);
    await takePrograms(page);
    await editor.choose('Change Nothing');
    await until(
      'the editor of changes to close',
      async () => (await page.locator('.multiDiffEditor').count()) === 0,
    );
    for (const [name, text] of Object.entries(files))
      assert.equal(readFileSync(join(home, name), 'utf8'), text);
    assert.ok(!existsSync(join(home, '.config/signalbox')));

    await editor.command('Signalbox: Set Up…');
    // The list of commands has an input, too.
    await page.locator('.quick-input-title', { hasText: '1 of 3' }).waitFor();
    await fill(editor, 'kim');
    await rows(editor, ['Claude Code', 'Gemini CLI']);
    await takePrograms(page);
    await editor.choose('Write These Changes');
    await page.getByText('Start an agent: it is told of its mail as it works.').first().waitFor();
    noVersionedPath(home);
    // Nothing is sent from there: the workspace is only read.
    assert.ok(!existsSync(join(home, 'dev/.message')));
    await page.locator('.welcome-view-content', { hasText: 'This workspace is not trusted' }).waitFor();

    // And back: what it wrote is shown, and goes to the last byte.
    const undo = () => editor.command('Signalbox: Undo Set Up…');
    await undo();
    await page.locator('.multiDiffEditor').waitFor();
    await rows(editor, ['Take These Changes Back', 'Change Nothing']);
    await pictures(scene, 'undo');
    await editor.choose('Change Nothing');
    assert.match(readFileSync(join(home, '.claude.json'), 'utf8'), /signalbox/);
    await undo();
    await rows(editor, ['Take These Changes Back']);
    await editor.choose('Take These Changes Back');
    await page.getByText('Set Up is undone: Claude Code, Gemini CLI.').first().waitFor();
    for (const [name, text] of Object.entries(files))
      assert.equal(readFileSync(join(home, name), 'utf8'), text);
    assert.ok(!existsSync(join(home, '.claude/CLAUDE.md')));
    await undo();
    await page.getByText('Set Up wrote nothing that is still there.').first().waitFor();
  }),
);

test("VS Code's own agents are offered the tools", async (t) => {
  if (process.env.SIGNALBOX_E2E_HOST === 'oldest') {
    t.diagnostic('the oldest host takes no tools of extensions');
    return;
  }
  await inScene(async (scene) => {
    const editor = await scene.open({ settings: { 'chat.disableAIFeatures': false } });
    await editor.openInbox();
    await act(
      'the server of tools',
      () => editor.command('MCP: List Servers'),
      async () => {
        const found = editor.page.locator('.quick-input-widget .monaco-list-row .label-name', {
          hasText: /^Signalbox$/,
        });
        return found.first().isVisible();
      },
    );
    await scene.shot('firstrun-tools-dark');
  })();
});

/** No file that was written names a folder of the extension or the server in it. */
function noVersionedPath(home) {
  const written = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/bin$|\.run|\.cache|share/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name));
  assert.ok(written.length > 6, `${written.length} files`);
  for (const file of written)
    assert.doesNotMatch(
      readFileSync(file, 'utf8'),
      /extensions\/|signalbox-\d+\.\d+|\/bin\/signalbox-/,
      file,
    );
}

/** The picture of a step in every theme. */
async function pictures(scene, name) {
  for (const theme of ['light', 'contrast', 'dark']) {
    await scene.theme(theme);
    await scene.shot(`firstrun-${name}-${theme}`);
  }
}

/** Waits until the quick pick that is open has these rows. Lists that were open before may stay, unseen. */
async function rows(editor, labels) {
  const found = editor.page.locator('.quick-input-widget .monaco-list-row .label-name');
  await until(`the rows ${labels.join(', ')}`, async () => {
    const texts = (await found.allTextContents()).map((text) => text.trim());
    if (labels.every((label) => texts.includes(label))) return true;
    throw new Error(`there are ${texts.join(', ')}`);
  });
}

/** Accepts the programs that are ticked. */
function takePrograms(page) {
  const step = page.locator('.quick-input-title', { hasText: '2 of 3' });
  const input = page.locator('.quick-input-widget input[type="text"]').first();
  return act(
    'the programs to be taken',
    async () => {
      // In the next step Enter would write the changes.
      if (await step.isVisible()) await input.press('Enter', { timeout: 2_000 });
    },
    async () => !(await step.isVisible()),
  );
}

/** Types into the quick input that is open, and accepts; a problem is seen in place of that. */
async function fill(editor, value, problem) {
  const widget = editor.page.locator('.quick-input-widget');
  const input = widget.locator('input').first();
  await input.waitFor();
  await until('the input to take the text', async () => {
    if ((await input.inputValue()) !== value) await input.fill(value);
    return (await input.inputValue()) === value;
  });
  if (problem === undefined) await input.press('Enter');
  else await problem.first().waitFor();
}
