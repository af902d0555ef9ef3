// What waits for the user: questions that agents ask, and agents that wait or sit
// idle. A question is answered from its row, from a notification and in words; an
// agent in a terminal of the window is nudged by a click, and never without one.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
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

const rows = (editor) => editor.pane('Needs You').locator('.monaco-list-row');

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
    await editor.pane('Needs You').getByText('Nothing needs you.').waitFor();
    await scene.shot('needs-none-dark');
    assert.equal(await editor.badge(), '');
    await part('agents that wait are listed, and an idle one is nudged by a click alone', () =>
      agentsWait(editor, scene),
    );

    ask(scene, licence, `${asked}\n\n- [ ] MIT\n- [ ] Apache $(flame) 2.0`);
    const row = editor.alarmRow(asked.slice(0, 20));
    await row.waitFor();
    await until('the badge', async () => (await editor.badge()) === '1');
    assert.match(await row.innerText(), /planner/);
    assert.match((await row.getAttribute('aria-label')) ?? '', /^planner asks: Which licence do we take\?/);
    assert.match((await row.getAttribute('aria-label')) ?? '', /answers: MIT, Apache/);
    await page
      .locator('.statusbar-item', { has: page.locator('.codicon-bell') })
      .filter({ hasText: '1' })
      .waitFor();

    // Its row opens it in its thread.
    const frame = await act(
      'the question in its thread',
      () => row.click(),
      () => editor.threadFrame(licence, 0),
    );
    await frame.locator('.choices button', { hasText: 'MIT' }).waitFor();
    await inThemes(scene, 'needs-question');
    await editor.command('View: Close Editor');

    // The keyboard answers it.
    await editor.command('Signalbox: Focus on Needs You View');
    const picks = page.locator('.quick-input-widget .monaco-list-row');
    await act(
      'the answers by a key',
      async () => {
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('r');
      },
      () => picks.filter({ hasText: 'Answer in Words…' }).isVisible(),
    );
    assert.equal(await picks.locator('.codicon-flame').count(), 0, "a stranger's text shows no icon");
    await scene.shot('needs-answers-dark');
    await editor.choose('MIT');
    await until('the answer on disk', () => recordsOf(scene.mail, 'bob').length === 1);
    const [answer] = recordsOf(scene.mail, 'bob');
    assert.deepEqual([answer.to, answer.thread, answer.body], ['planner', licence, 'MIT']);
    await until('the row to go', async () => (await rows(editor).count()) === 0);
    await until('the badge to go', async () => (await editor.badge()) === '');
    await editor.pane('Needs You').getByText('Nothing needs you.').waitFor();

    // The thread says what became of it.
    const read = await editor.openThread(licence, editor.row(asked));
    await read.locator('.state', { hasText: 'Answered: MIT' }).waitFor();
    await inThemes(scene, 'needs-answered');

    await answersInWords(editor, scene);
    await urgentIsTold(editor, scene);
    await fetchesMore(editor, scene);
  }),
);

async function answersInWords(editor, scene) {
  ask(scene, '2026-11-20-planner-name', 'What do we call it?');
  const row = editor.alarmRow('What do we call it?');
  await row.waitFor();
  await act(
    'the reply box by its button',
    async () => {
      await row.hover();
      await row.getByRole('button', { name: 'Reply', exact: true }).click({ timeout: 2_000 });
    },
    () => editor.threadFrame('2026-11-20-planner-name', 0),
  );
  const frame = await editor.threadFrame('2026-11-20-planner-name');
  const box = frame.locator('.reply textarea');
  await until('the focus in the box', () => box.evaluate((at) => at === document.activeElement));
  await editor.page.keyboard.type('Signalbox.');
  await editor.page.keyboard.press('Control+Enter');
  await until('the row to go', async () => (await rows(editor).count()) === 0);
  assert.equal(recordsOf(scene.mail, 'bob').at(-1).body, 'Signalbox.');
}

/** An urgent question notifies once, with its answers. */
async function urgentIsTold(editor, scene) {
  const { page } = editor;
  const text = 'Urgent: the disk is full. What now?\n\n- [ ] Stop\n- [ ] Go on';
  ask(scene, '2026-11-20-planner-disk', text);
  const toast = page.locator('.notification-toast', { hasText: 'the disk is full' });
  await toast.waitFor();
  await editor.alarmRow('Urgent: the disk is').waitFor();
  await inThemes(scene, 'needs-urgent');
  await act(
    'the answer by a button',
    () => toast.getByRole('button', { name: 'Go on' }).click({ timeout: 2_000 }),
    () => recordsOf(scene.mail, 'bob').at(-1).body === 'Go on',
  );
  await until('the row to go', async () => (await rows(editor).count()) === 0);
}

/** The last row of a page fetches the next one. */
async function fetchesMore(editor, scene) {
  const now = seconds();
  const thread = (n) => `2026-11-20-planner-${n}`;
  for (let n = 1; n <= 60; n++)
    append(scene.mail, record(now - n, 'planner', 'bob', thread(n), `Is part ${n} done?`));
  await until('the badge', async () => (await editor.badge()) === '60');
  const list = editor.pane('Needs You').locator('.monaco-list').first();
  const toEnd = async () => {
    await list.focus();
    await editor.page.keyboard.press('End');
  };
  const more = editor.alarmRow('Load more');
  await act('the end of the page', toEnd, () => more.isVisible());
  assert.equal(await editor.alarmRow('Is part 60 done?').count(), 0);
  await act(
    'the end of the list',
    async () => {
      if (await more.isVisible()) await more.click({ timeout: 2_000 });
      await toEnd();
    },
    () => editor.alarmRow('Is part 60 done?').isVisible(),
  );
  assert.equal(await more.count(), 0);
}

async function agentsWait(editor, scene) {
  const typed = join(scene.workspace, 'typed.txt');
  const { page } = editor;
  session(scene, 'codex', { alias: 'planner', state: 'waiting', for: 'Bash' });
  const waiting = editor.alarmRow('planner waits: Bash');
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
  const idle = editor.alarmRow('coder is idle, 1 unread');
  await idle.waitFor();
  await until('the badge', async () => (await editor.badge()) === '2');
  assert.match((await idle.getAttribute('aria-label')) ?? '', /claude/);
  await editor.command('View: Toggle Panel Visibility');
  await inThemes(scene, 'needs-agents');

  assert.equal(await nudges(waiting), 0, 'an agent outside this window cannot be nudged');
  await until('the button to nudge', async () => (await nudges(idle)) === 1);
  assert.equal(readFileSync(typed, 'utf8'), '', 'nothing is typed without a click');
  await idle.hover();
  await idle.getByRole('button', { name: 'Nudge Agent' }).click();
  await until('the line in the terminal', () => readFileSync(typed, 'utf8') !== '');
  assert.equal(readFileSync(typed, 'utf8'), 'You have mail: call check_mail.\n');
  await scene.shot('needs-nudged-dark');

  // It works again: the row goes, and so does the one of the agent that ended.
  session(scene, 'claude', { alias: 'coder', state: 'working' });
  session(scene, 'codex', { alias: 'planner', state: 'ended' });
  await until('the rows to go', async () => (await rows(editor).count()) === 0);
  await until('the badge to go', async () => (await editor.badge()) === '');
  assert.equal(readFileSync(typed, 'utf8'), 'You have mail: call check_mail.\n', 'it was typed once');
}

async function nudges(row) {
  await row.hover();
  return row.getByRole('button', { name: 'Nudge Agent' }).count();
}
