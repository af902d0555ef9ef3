// What waits for the user: questions that agents ask, and agents that wait or sit
// idle. A question is answered from its row, from a notification and in words; an
// agent in a terminal of the window is nudged by a click, and never without one.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { leave } from './listView.mjs';
import { append, appendElsewhere, record, recordsOf } from './mail.mjs';
import { inScene } from './scene.mjs';
import { act, until } from './wait.mjs';

const seconds = () => Math.floor(Date.now() / 1000);
const licence = '2026-11-20-planner-which-licence';
const asked = 'Which licence do we take?';

/** Writes what a session of an agent's program is doing, as its hook does. */
function session(scene, client, more) {
  const folder = join(scene.dir, 'editor/home/.local/state/signalbox/sessions');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${client}-one.json`);
  const now = Date.now();
  const whole = { client, session: 'one', folder: scene.workspace, since: now, heard: now, ...more };
  writeFileSync(`${file}.new`, JSON.stringify(whole));
  renameSync(`${file}.new`, file);
}

const ask = (scene, thread, text) =>
  appendElsewhere(scene.mail, record(seconds(), 'planner', 'bob', thread, text));

/** Waits until no row is left, with the pointer elsewhere: under it nothing goes. */
async function gone(editor) {
  await leave(editor.page);
  await until('the rows to go', async () => (await (await editor.needs.rows()).count()) === 0);
}

const nothing = async (editor) => (await editor.needs.frame()).getByText('Nothing needs you.').waitFor();

async function inThemes(scene, name) {
  for (const theme of ['light', 'contrast', 'dark']) {
    await scene.theme(theme);
    await scene.shot(`${name}-${theme}`);
  }
}

test(
  'a question is asked, listed, answered and gone',
  inScene(async (scene, part) => {
    mkdirSync(scene.mail);
    const editor = await scene.open({ settings: { 'terminal.integrated.shellIntegration.enabled': false } });
    const { page } = editor;
    await editor.openInbox();
    await nothing(editor);
    await scene.shot('needs-none-dark');
    assert.equal(await editor.badge(), '');
    await part('agents that wait are listed, and an idle one is nudged by a click alone', () =>
      agentsWait(editor, scene),
    );

    ask(scene, licence, `${asked}\n\n- [ ] MIT\n- [ ] Apache $(flame) 2.0`);
    const head = await editor.needs.head(asked);
    await head.waitFor();
    await until('the badge', async () => (await editor.badge()) === '1');
    await until('the description', async () => (await editor.needs.description()) === '1 question');
    assert.match(await editor.needs.sentence(asked), /^planner asks: Which licence do we take\? waiting/);
    await page
      .locator('.statusbar-item', { has: page.locator('.codicon-bell') })
      .filter({ hasText: '1' })
      .waitFor();

    // Enter on its row opens it in its thread.
    const frame = await act(
      'the question in its thread',
      async () => {
        await head.focus({ timeout: 2_000 });
        await head.press('Enter');
      },
      () => editor.threadFrame(licence, 0),
    );
    await frame.locator('.opt', { hasText: 'MIT' }).waitFor();
    await inThemes(scene, 'needs-question');
    await editor.command('View: Close Editor');

    // The keyboard answers it: the first row is open. For five seconds it can be taken back.
    await editor.needs.focus(editor);
    const row = await editor.needs.row(asked);
    await row.getByRole('button', { name: 'Apache $(flame) 2.0' }).waitFor();
    assert.equal(await row.locator('.codicon-flame').count(), 0, "a stranger's text shows no icon");
    await scene.shot('needs-answers-dark');
    await act(
      'the row to leave after a key',
      () => page.keyboard.press('2'),
      () => editor.needs.without(asked),
    );
    await act(
      'the answer to be taken back',
      () => page.keyboard.press('Control+z'),
      async () => !(await editor.needs.without(asked)),
    );
    assert.equal(recordsOf(scene.mail, 'bob').length, 0);
    // By a click the row keeps its place, and says how it went.
    const sent = row.getByText('Sent: MIT').first();
    await act(
      'the answer by a click', // which does nothing for a moment after a row came back
      async () => {
        if (!(await sent.isVisible())) await editor.needs.press(asked, 'MIT');
      },
      () => sent.isVisible(),
    );
    await scene.shot('needs-sent-dark');
    await until('the answer on disk', () => recordsOf(scene.mail, 'bob').length === 1);
    const [answer] = recordsOf(scene.mail, 'bob');
    assert.deepEqual([answer.to, answer.thread, answer.body], ['planner', licence, 'MIT']);
    await gone(editor);
    await until('the badge to go', async () => (await editor.badge()) === '');
    await nothing(editor);

    // The thread says what became of it.
    const read = await editor.openThread(licence, editor.row(asked));
    await read.locator('.state', { hasText: 'Answered: MIT' }).waitFor();
    await inThemes(scene, 'needs-answered');

    await answersInWords(editor, scene);
    await urgentIsTold(editor, scene);
    await manyAreListed(editor, scene);
  }),
);

async function answersInWords(editor, scene) {
  ask(scene, '2026-11-20-planner-name', 'What do we call it?');
  await act(
    'the reply box by its button',
    async () => (await editor.needs.press('What do we call it?', 'Reply…')) !== undefined,
    () => editor.threadFrame('2026-11-20-planner-name', 0),
  );
  const frame = await editor.threadFrame('2026-11-20-planner-name');
  const box = frame.locator('.reply textarea');
  await until('the focus in the box', () => box.evaluate((at) => at === document.activeElement));
  await editor.page.keyboard.type('Signalbox.');
  await editor.page.keyboard.press('Control+Enter');
  await gone(editor);
  assert.equal(recordsOf(scene.mail, 'bob').at(-1).body, 'Signalbox.');
}

/** An urgent question notifies once, with its answers. */
async function urgentIsTold(editor, scene) {
  const { page } = editor;
  const text = 'Urgent: the disk is full. What now?\n\n- [ ] Stop\n- [ ] Go on';
  ask(scene, '2026-11-20-planner-disk', text);
  const toast = page.locator('.notification-toast', { hasText: 'the disk is full' });
  await toast.waitFor();
  await (await editor.needs.row('What now?')).waitFor();
  await inThemes(scene, 'needs-urgent');
  await act(
    'the answer by a button',
    () => toast.getByRole('button', { name: 'Go on' }).click({ timeout: 2_000 }),
    () => recordsOf(scene.mail, 'bob').at(-1).body === 'Go on',
  );
  await gone(editor);
}

/** Many rows are all there, and keys lead to the last one. */
async function manyAreListed(editor, scene) {
  const now = seconds();
  const thread = (n) => `2026-11-20-planner-${n}`;
  for (let n = 1; n <= 60; n++)
    append(scene.mail, record(now - n, 'planner', 'bob', thread(n), `Is part ${n} done?`));
  await until('the badge', async () => (await editor.badge()) === '60');
  await until('all rows', async () => (await (await editor.needs.rows('Is part')).count()) === 60);
  await act(
    'the last row',
    async () => {
      await editor.needs.focus(editor);
      await editor.page.keyboard.press('End');
    },
    async () => /Is part 1 done/.test(await editor.needs.focused()),
  );
}

async function agentsWait(editor, scene) {
  const typed = join(scene.workspace, 'typed.txt');
  const { page } = editor;
  session(scene, 'codex', { alias: 'planner', state: 'waiting', for: 'Bash' });
  const waiting = await editor.needs.row('Waits: Bash');
  await waiting.waitFor();
  await until('the badge', async () => (await editor.badge()) === '1');

  // An agent's program, which takes what is typed into its terminal.
  await editor.command('Terminal: Create New Terminal');
  await page.locator('.terminal-wrapper .xterm-helper-textarea').first().waitFor({ state: 'attached' });
  const pid = join(scene.workspace, 'pid.txt');
  const program = `sh -c 'echo $$ > pid.txt; exec cat > typed.txt'`;
  await act(
    'the program in the terminal',
    async () => {
      await page.locator('.terminal-wrapper.active .xterm-helper-textarea').first().focus();
      await page.keyboard.type(`${program}\n`);
    },
    () => readFileSync(pid, 'utf8').trim() !== '',
  );
  session(scene, 'claude', {
    alias: 'coder',
    state: 'idle',
    process: { pid: Number(readFileSync(pid, 'utf8')) },
  });
  appendElsewhere(scene.mail, record(seconds(), 'planner', 'coder', 'work', 'There is more to do.'));
  // Nobody stands still because of an idle agent: it does not count.
  await editor.needs.fold('Unanswered', true);
  const idle = await editor.needs.row('Idle, 1 unread');
  await idle.waitFor();
  assert.equal(await editor.badge(), '1');
  await editor.command('View: Toggle Panel Visibility');
  await inThemes(scene, 'needs-agents');

  await editor.needs.open('Waits: Bash');
  const nudges = (row) => row.getByRole('button', { name: 'Nudge', exact: true });
  assert.equal(await nudges(waiting).count(), 0, 'an agent outside this window cannot be nudged');
  await editor.needs.open('Idle, 1 unread');
  await nudges(idle).waitFor();
  assert.equal(readFileSync(typed, 'utf8'), '', 'nothing is typed without a click');
  await nudges(idle).click();
  await until('the line in the terminal', () => readFileSync(typed, 'utf8') !== '');
  assert.equal(readFileSync(typed, 'utf8'), 'You have mail: call check_mail.\n');
  await scene.shot('needs-nudged-dark');

  // It works again: the row goes, and so does the one of the agent that ended.
  session(scene, 'claude', { alias: 'coder', state: 'working' });
  session(scene, 'codex', { alias: 'planner', state: 'ended' });
  await gone(editor);
  await until('the badge to go', async () => (await editor.badge()) === '');
  assert.equal(readFileSync(typed, 'utf8'), 'You have mail: call check_mail.\n', 'it was typed once');
}
