// The boards of the box below a thread, and those of the agents, in the same busy store.

import { push } from './busy.mjs';
import { isLive, only } from './listView.mjs';
import { writeCodexSession } from './transcripts.mjs';
import { act, until } from './wait.mjs';

const box = (frame) => frame.locator('form.reply textarea');

/** Goes to a thread, and has a text in its box where one is given. */
const thread = (title, text) => async (fixture) => {
  const frame = await fixture.goTo(title);
  await frame.locator('article, .request').first().waitFor();
  if (text !== undefined) {
    await until('the box', () => box(frame).isEnabled());
    await box(frame).fill(text);
  }
  return frame;
};

/** As needsBoards; width is that of the editor, and show returns the frame of the thread. */
export const footerBoards = [
  {
    name: 'footer-1-working',
    width: 560,
    show: thread('Stream the export.', 'Use timingSafeEqual, and add a test for two different lengths.'),
  },
  { name: 'footer-2-permission', width: 560, show: thread('Compare passwords in constant time.') },
  { name: 'footer-3-question', width: 560, show: thread('which-database') },
  {
    name: 'footer-4-idle-here',
    width: 560,
    async show(fixture) {
      await idleHere(fixture);
      return thread('Review the retry.', 'Please look at the retry too.')(fixture);
    },
  },
  {
    name: 'footer-5-idle-elsewhere',
    width: 560,
    show: thread('Review the login.', 'Keep the old anchors, please.'),
  },
  {
    name: 'footer-6-ended',
    width: 560,
    show: thread('Update the packages.', 'Update the two packages that stayed behind.'),
  },
  {
    name: 'footer-7-not-connected',
    width: 560,
    async show(fixture) {
      fixture.codex ??= notConnected(fixture.office);
      return thread('Round the totals.')(fixture);
    },
  },
  { name: 'footer-9-narrow', width: 300, show: thread('Build the reference of the API.') },
  {
    name: 'footer-8-sent',
    width: 560,
    passes: true,
    async show(fixture) {
      const frame = await thread('Stream the export.', 'Then run the whole suite.')(fixture);
      const send = frame.locator('form.reply').getByRole('button', { name: /^Send/ });
      await until('the box to take keys', () => isLive(send));
      await box(frame).press('Control+Enter');
      await frame.getByText('Undo').first().waitFor();
      return frame;
    },
  },
  {
    name: 'footer-10-window',
    width: 800,
    async show(fixture) {
      await only(fixture.page, 'Needs You', 'Agents');
      const frame = await thread('Compare passwords in constant time.')(fixture);
      await fixture.openOnly(push);
      return frame;
    },
  },
];

/** A session of a program that tells Signalbox nothing. */
function notConnected({ home, folders }) {
  writeCodexSession(home, folders['spike/queue'], '01a2064d-a849-7721-be03-84c25098077f', {
    branch: 'spike/queue',
    prompt: 'Round the totals.',
    answer: 'The totals are rounded now.',
  });
  return true;
}

/** A reviewer that sits idle in a terminal of this window. */
async function idleHere(fixture) {
  if (fixture.terminal !== undefined) return;
  const { page, editor, office } = fixture;
  const agent = await office.agent('reviewer', 'release/2.4', { prompt: 'Review the retry.' });
  agent.log.says('The retry is fine.');
  await editor.command('Terminal: Create New Terminal');
  const input = page.locator('.terminal-wrapper.active .xterm-helper-textarea').first();
  await input.waitFor({ state: 'attached' });
  const file = `${fixture.scene.dir}/claude.pid`;
  fixture.terminal = await act(
    'a program in the terminal',
    async () => {
      await input.focus();
      await page.keyboard.type(`sh -c 'echo $$ > ${file}; exec cat'\n`);
    },
    () => office.pidIn(file),
  );
  await agent.was('idle', 12, { process: { pid: fixture.terminal } });
  await editor.command('View: Hide Panel');
}

/** The boards of the agents in the side bar. */
export const agentBoards = [
  {
    name: 'worktrees-1-list',
    width: 300,
    async show(fixture) {
      await only(fixture.page, 'Agents');
      await fixture.agents.hover('docs in docs/api');
    },
  },
  {
    name: 'worktrees-2-open',
    width: 420,
    height: 1000,
    async show(fixture) {
      await only(fixture.page, 'Agents');
      await fixture.agents.open('migrator');
    },
  },
];

/** The agents in an editor tab; show returns its frame. */
export const tabBoards = [
  {
    name: 'worktrees-3-tab',
    width: 980,
    async show(fixture) {
      await only(fixture.page, 'Needs You');
      await fixture.editor.command('Signalbox: Open Agents in Editor');
      return fixture.agents.frame();
    },
  },
];
