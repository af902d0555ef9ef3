// Makes the pictures of the documentation, docs/images: what a developer does
// with the mail of `signalbox demo` in a real VS Code, as stills and as a short
// animation.
//
//   make pictures
//
// The environment is that of run.mjs, and CONVERT names the convert of ImageMagick.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  agentThreads,
  demoScene,
  openAgent,
  openCritical,
  openDemo,
  openLongest,
  showTimeline,
} from './demoScene.mjs';
import { Film, glance, look, still as shoot } from './film.mjs';
import { hoverShows, openHovered } from './hover.mjs';
import { recordsOf } from './mail.mjs';
import { ListView } from './listView.mjs';
import { needsFilm } from './needsFilm.mjs';
import { until } from './wait.mjs';

await needsFilm();
const scene = demoScene();
try {
  if (!scene.hasProject) throw new Error('pictures: without git the demo has no project');
  const rows = await openDemo(scene, 'light');
  const { editor } = scene;
  await animation(editor);
  await openLongest(editor, rows);
  await still('thread');
  await openAgent(editor, (await agentThreads(editor))[0]);
  await still('agent-thread');
  const escalation = await openCritical(editor);
  await still('escalation');
  await showTimeline(escalation);
  await still('timeline');
  await signed(editor);
  await compose(editor);
} finally {
  await scene.close(false);
}

/** The main job: a message is mentioned in the code; see what it says, open its thread, answer. */
async function animation(editor) {
  const { page } = editor;
  const film = new Film(page, scene.dir);
  const asked = recordsOf(scene.mail, 'reviewer').find(({ body }) => body.includes('has no test'));
  appendFileSync(join(scene.workspace, 'src/auth.ts'), `// Needs a test? See ${asked.id}.\n`);
  await editor.openFile('auth.ts');
  await page.locator('.detected-link', { hasText: asked.id }).first().waitFor();
  await editor.command('View: Hide Panel');
  await editor.command('Notifications: Clear All Notifications');
  // TypeScript adds to the hover once it has read its libraries.
  await page.locator('.statusbar-item', { hasText: 'Analyzing' }).waitFor({ state: 'detached' });
  for (const view of ['Needs You', 'Agents'])
    await until(
      `the rows of ${view}`,
      async () => (await (await new ListView(page, view).rows()).count()) > 0,
    );
  await film.frame(look);
  await hoverShows(page, asked.id, 'has no test');
  await page.locator('.monaco-hover:visible', { hasText: 'Loading' }).waitFor({ state: 'detached' });
  await film.frame(look);
  await still('hover', false);
  const thread = await openHovered(editor, asked);
  const box = thread.locator('.reply textarea');
  await until('the reply box to open', () => box.isEnabled());
  await page.mouse.move(900, 780);
  await film.frame(look);
  await box.click();
  for (const words of ['Wait for the test. ', 'A session that ends ', 'while it is renewed is the case.']) {
    await page.keyboard.type(words);
    await film.frame(glance);
  }
  await page.keyboard.press('Control+Enter');
  await thread.locator('article.mine', { hasText: 'Wait for the test.' }).waitFor();
  await page.mouse.move(900, 780);
  await film.frame(look);
  film.write('answer');
}

/** A thread of signed mail. */
async function signed(editor) {
  const title = 'Plan for the parser rewrite';
  // The mail stands below the worktrees, which are open now.
  const worktrees = editor.pane('Inbox').locator('[aria-expanded="true"][aria-label^="Worktree"]');
  while ((await worktrees.count()) > 0) await worktrees.first().click();
  // A thread of unsigned mail with this title is newer.
  const row = editor.inbox.locator(`.monaco-list-row[aria-label^="${title}"]`);
  const click = async () => {
    await editor.scrollInbox('End');
    await row.last().click({ timeout: 5_000 });
  };
  const frame = await editor.openThread(title, { click });
  await frame.locator('article').first().waitFor();
  await still('signed');
}

/** A message that is being written, with its recipients completed. */
async function compose(editor) {
  const { page } = editor;
  await editor.command('Signalbox: New Message');
  await page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'coder' }).waitFor();
  await page.keyboard.type('coder');
  await page.locator('.suggest-widget.visible .monaco-list-row.focused', { hasText: 'coder' }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('The changelog is in the branch.\n\n- fixes `first`\n- **features** after that');
  await page.locator('.codelens-decoration', { hasText: 'Send as dev' }).waitFor();
  await still('compose');
}

function still(name, away) {
  return shoot(scene.editor.page, name, away);
}
