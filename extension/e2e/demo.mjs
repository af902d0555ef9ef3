// Shows the extension in a real VS Code over what `signalbox demo` writes:
// takes pictures, and with --open stays up for you to look around.
//
//   npm run demo --workspace extension [-- --open] [-- --out folder]
//
// The environment is that of run.mjs.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  agentThreads,
  demoScene,
  openAgent,
  openCritical,
  openDemo,
  openLongest,
  showTimeline,
} from './demoScene.mjs';
import { shots } from './scene.mjs';

const { values } = parseArgs({ options: { open: { type: 'boolean' }, out: { type: 'string' } } });
const out = values.out === undefined ? shots : resolve(process.env.INIT_CWD ?? '.', values.out);

const scene = demoScene();
try {
  scene.file('notes.md', '# Notes\n');
  const rows = await openDemo(scene, 'dark');
  const { editor } = scene;
  await openLongest(editor, rows);
  await pictures('demo');
  if (scene.hasProject) {
    for (const [index, agent] of (await agentThreads(editor)).entries()) {
      await openAgent(editor, agent);
      await pictures(`demo-agent${index + 1}`);
    }
    const escalation = await openCritical(editor);
    await pictures('demo-escalation');
    await showTimeline(escalation);
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
