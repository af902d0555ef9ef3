// The scene of `signalbox demo`: the mail and a project with worktrees in which
// agents worked, as the demo's developer sees them.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Scene, serverBin } from './scene.mjs';
import { until } from './wait.mjs';

/** The reader the demo store is written for. */
const alias = 'dev';

/** Writes the demo store into a scene of its own; the workspace is its project, if git was there to make one. */
export function demoScene() {
  if (serverBin === undefined) throw new Error('demo: the fake server has no demo; build the real one');
  const scene = new Scene();
  execFileSync(serverBin, ['demo', scene.mail], { stdio: 'ignore' });
  const project = join(scene.mail, 'project');
  scene.hasProject = existsSync(project);
  if (scene.hasProject) scene.workspace = project;
  return scene;
}

/** Opens VS Code over the demo; returns the rows of the inbox that stand for threads. */
export async function openDemo(scene, theme) {
  const settings = {
    'signalbox.alias': alias,
    'signalbox.amp.directory': join(scene.mail, 'mail'),
    'signalbox.amp.identity': alias,
  };
  const editor = await scene.open({ theme, settings });
  await editor.openInbox();
  const rows = editor.pane('Inbox').locator('.monaco-list-row:not([aria-expanded])');
  await rows.first().waitFor();
  return rows;
}

/** Opens the thread with the most unread messages: the one with something to see. */
export async function openLongest(editor, rows) {
  // Mail comes last, and branches that are read later push it out of sight.
  await editor.scrollInbox('End');
  const labels = await rows.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
  const unread = labels.map((label) => Number(/(\d+) unread/.exec(label)?.[1] ?? 0));
  // The thread's name is not seen in the row, and said last.
  const said = labels[unread.indexOf(Math.max(...unread))];
  const name = /, thread ([^,]+)$/.exec(said)?.[1] ?? said.split(',')[0];
  const click = async () => {
    await editor.scrollInbox('End');
    await editor.row(name).click({ timeout: 5_000 });
  };
  const frame = await editor.openThread(name, { click });
  await frame.locator('article').first().waitFor();
  await until('the reply box', async () => ((await frame.locator('.target').textContent()) ?? '') !== '');
  return frame;
}

/** The rows of agents' threads, and their titles. Mail may be about the same thing in the same words. */
export async function agentThreads(editor) {
  await editor.scrollInbox('Home');
  const labels = (rows) => rows.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
  const worktrees = editor.inbox.locator('.monaco-list-row[aria-label^="Worktree"]');
  const branches = (await labels(worktrees)).map((label) => label.slice('Worktree '.length).split(', ')[0]);
  for (const branch of branches) await editor.openGroup(branch);
  const agents = editor.inbox.locator('.monaco-list-row[aria-level="2"]:not([aria-label*=", from "])');
  // An agent's title is what its row says first.
  const titles = await until('the threads of the worktrees', async () => {
    const found = (await labels(agents)).map((label) => label.split(', ')[0]);
    return found.length >= branches.length && found.length > 0 ? found : undefined;
  });
  return titles.map((title, index) => ({ title, row: agents.nth(index) }));
}

/** Opens an agent's thread; returns its frame. */
export async function openAgent(editor, { title, row }) {
  const frame = await editor.openThread(title, row);
  await frame.locator('article').first().waitFor();
  return frame;
}

/** Opens the escalation that is critical; returns its frame. */
export async function openCritical(editor) {
  const frame = await editor.openAlarm('Stopped after 3 rejections', 'Stopped after 3 rejections');
  await frame.locator('.event').first().waitFor();
  await editor.command('Notifications: Clear All Notifications');
  return frame;
}

/** Replies in the frame of a thread; the reply is in the reader's own log then. */
export async function replyIn(thread, scene, reply) {
  await thread.locator('.reply textarea').fill(reply);
  await thread.locator('.reply .primary').click();
  await thread.locator('article', { hasText: reply }).waitFor();
  await until('the reply in my log', () =>
    readFileSync(join(scene.mail, `log-${alias}.jsonl`), 'utf8').includes(reply),
  );
}

/** Answers the escalation that is critical by its first suggestion; the answer is on the disk then. */
export async function decideCritical(scene, decision) {
  const escalation = await openCritical(scene.editor);
  await escalation.locator('.suggestion').first().click();
  await escalation.locator('.form textarea').fill(decision);
  await escalation.locator('.decide .primary').click();
  await escalation.locator('.answer-given', { hasText: decision }).waitFor();
  const answers = join(scene.mail, 'project/.ssot/resumes');
  await until('the answer among the resumes', () =>
    readdirSync(answers).some((name) => readFileSync(join(answers, name), 'utf8').includes(decision)),
  );
}

/** Shows the timeline of the task in whose frame this is. */
export async function showTimeline(frame) {
  await frame.locator('.timeline').evaluate((part) => part.scrollIntoView({ block: 'start' }));
}
