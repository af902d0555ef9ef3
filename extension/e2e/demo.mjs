// Shows the extension in a real VS Code over what `signalbox demo` writes, the
// mail and, beside it, a project with worktrees in which agents were at work:
// takes pictures, and with --open stays up for you to look around.
//
//   npm run demo --workspace extension [-- --open] [-- --out folder]
//
// The environment is that of run.mjs.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Scene, serverBin, shots } from './scene.mjs';
import { until } from './wait.mjs';

const { values } = parseArgs({ options: { open: { type: 'boolean' }, out: { type: 'string' } } });
const out = values.out === undefined ? shots : resolve(process.env.INIT_CWD ?? '.', values.out);
if (serverBin === undefined) throw new Error('demo: the fake server has no demo; build the real one');

/** The reader the demo store is written for. */
const demoAlias = 'dev';

const scene = new Scene();
try {
  execFileSync(serverBin, ['demo', scene.mail], { stdio: 'ignore' });
  const project = join(scene.mail, 'project');
  if (existsSync(project)) scene.workspace = project;
  scene.file('notes.md', '# Notes\n');
  const editor = await scene.open({ theme: 'dark', settings: { 'signalbox.alias': demoAlias } });
  await editor.openInbox();
  const rows = editor.pane('Inbox').locator('.monaco-list-row:not([aria-expanded])');
  await rows.first().waitFor();
  const frame = await longestThread(editor, rows);
  await frame.locator('article').first().waitFor();
  await until('the reply box', async () => ((await frame.locator('.target').textContent()) ?? '') !== '');
  await pictures('demo');
  if (scene.workspace === project) {
    // Mail may be about the same thing in the same words.
    const agents = rows.filter({ has: editor.page.locator('.codicon-comment-discussion') });
    const titles = await agentTitles(agents);
    for (const [index, title] of titles.entries()) {
      const agent = await editor.openThread(title, agents.nth(index));
      await agent.locator('article').first().waitFor();
      await pictures(`demo-agent${index + 1}`);
    }
    const escalation = await editor.openAlarm('Critical:', 'Critical:');
    await escalation.locator('.event').first().waitFor();
    await editor.command('Notifications: Clear All Notifications');
    await pictures('demo-escalation');
    await escalation.locator('.timeline').evaluate((part) => part.scrollIntoView({ block: 'start' }));
    await pictures('demo-timeline');
  }
  if (values.open === true) {
    const folder = encodeURIComponent(scene.workspace);
    console.log(`http://127.0.0.1:${editor.port}/?folder=${folder}\nCtrl+C ends it.`);
    await new Promise((done) => process.once('SIGINT', done));
  }
} finally {
  await scene.close(false);
}

/** The window in both themes. */
async function pictures(name) {
  const { page } = scene.editor;
  await page.mouse.move(900, 780);
  for (const theme of ['light', 'dark']) {
    await scene.theme(theme);
    const path = join(out, `${name}-${theme}.png`);
    await page.screenshot({ path, animations: 'disabled' });
    console.log(path);
  }
}

/** The titles of the threads of agents: those that stand below a worktree, and not below the mail. */
async function agentTitles(agents) {
  return until('the threads of the worktrees', async () => {
    const titles = (await agents.locator('.label-name').allInnerTexts()).map((title) => title.trim());
    return titles.length > 0 ? titles : undefined;
  });
}

/** Opens the thread with the most unread messages: the one with something to see. */
async function longestThread(editor, rows) {
  const texts = await rows.allInnerTexts();
  const unread = texts.map((text) => Number(/(\d+)\s*$/.exec(text)?.[1] ?? 0));
  const row = rows.nth(unread.indexOf(Math.max(...unread)));
  // The thread's name, by which its view is known, stands last.
  const words = (await row.locator('.label-description').first().innerText()).split(' · ');
  return editor.openThread(words.at(-1).trim());
}
