// Makes the pictures of the documentation, docs/images: what a developer does
// with the mail of `signalbox demo` in a real VS Code, as stills and as a short
// animation.
//
//   make pictures
//
// The environment is that of run.mjs, and CONVERT names the convert of ImageMagick.
import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  agentThreads,
  demoScene,
  openAgent,
  openCritical,
  openDemo,
  openLongest,
  showTimeline,
} from './demoScene.mjs';
import { hoverShows, openHovered } from './hover.mjs';
import { recordsOf } from './mail.mjs';
import { until } from './wait.mjs';

const images = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs/images');

/** How long a picture of the animation is shown, in hundredths of a second. */
const glance = 50;
const look = 200;

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
  const frames = [];
  const frame = async (hundredths) => {
    const path = join(scene.dir, `frame-${frames.length}.png`);
    await page.screenshot({ path, animations: 'disabled' });
    frames.push('-delay', String(hundredths), path);
  };
  const asked = recordsOf(scene.mail, 'reviewer').find(({ body }) => body.includes('has no test'));
  appendFileSync(join(scene.workspace, 'src/auth.ts'), `// Needs a test? See ${asked.id}.\n`);
  await editor.openFile('auth.ts');
  await page.locator('.detected-link', { hasText: asked.id }).first().waitFor();
  await editor.command('View: Hide Panel');
  await editor.command('Notifications: Clear All Notifications');
  // TypeScript adds to the hover once it has read its libraries.
  await page.locator('.statusbar-item', { hasText: 'Analyzing' }).waitFor({ state: 'detached' });
  await frame(look);
  await hoverShows(page, asked.id, 'has no test');
  await page.locator('.monaco-hover:visible', { hasText: 'Loading' }).waitFor({ state: 'detached' });
  await frame(look);
  await still('hover', false);
  const thread = await openHovered(editor, asked);
  const box = thread.locator('.reply textarea');
  await until('the reply box to open', () => box.isEnabled());
  await page.mouse.move(900, 780);
  await frame(look);
  await box.click();
  for (const words of ['Wait for the test. ', 'A session that ends ', 'while it is renewed is the case.']) {
    await page.keyboard.type(words);
    await frame(glance);
  }
  await page.keyboard.press('Control+Enter');
  await thread.locator('article.mine', { hasText: 'Wait for the test.' }).waitFor();
  await page.mouse.move(900, 780);
  await frame(look);
  const file = join(images, 'answer.gif');
  // Without dithering: its dots only make the file larger.
  convert('-loop', '0', ...frames, '+dither', '-colors', '128', '-layers', 'Optimize', file);
  console.log(file);
}

/** A thread of signed mail. */
async function signed(editor) {
  const title = 'Plan for the parser rewrite';
  const verified = editor.page.locator('.codicon-verified, .codicon-verified-filled');
  // The mail stands below the worktrees, which are open now.
  const worktrees = editor.pane('Inbox').locator('[aria-expanded="true"][aria-label^="Worktree"]');
  while ((await worktrees.count()) > 0) await worktrees.first().click();
  const row = editor
    .pane('Inbox')
    .locator(`.monaco-list-row[aria-label^="${title}"]`)
    .filter({ has: verified });
  const frame = await editor.openThread(title, row.first());
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

/** The window as it is, for the documentation. */
async function still(name, away = true) {
  const { page } = scene.editor;
  if (away) await page.mouse.move(900, 780);
  const path = join(images, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled' });
  convert(path, '-strip', `PNG8:${path}`);
  console.log(path);
}

function convert(...args) {
  execFileSync(process.env.CONVERT ?? 'convert', args);
}
