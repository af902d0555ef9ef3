// Prints the figures of BENCHMARKS.md about the server for browsers in a browser's own extension
// host: "make bench-browser". A window is opened by somebody who was never here, and again.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoScene } from './demoScene.mjs';
import { append, record } from './mail.mjs';
import { packageWeb, Scene } from './scene.mjs';

const now = () => Math.trunc(Date.now() / 1000);
const rows = '.sidebar .pane:has(.pane-header[aria-label^="Inbox"]) .monaco-list-row:not([aria-expanded])';

/** A folder with so many messages in twenty logs. */
function manyMessages(count) {
  const scene = new Scene();
  const logs = 20;
  mkdirSync(scene.mail, { recursive: true });
  scene.workspace = scene.mail;
  for (let log = 0; log < logs; log++) {
    const lines = Array.from({ length: count / logs }, (_, n) =>
      JSON.stringify({
        ...{
          id: `${String(log).padStart(4, '0')}${String(n).padStart(12, '0')}`,
          ts: now() - count + n * logs + log,
        },
        ...{ from: `agent-${log}`, to: 'dev', thread: `t-${log}-${n >> 2}`, body: `Message ${n} of ${log}` },
      }),
    );
    writeFileSync(join(scene.mail, `log-agent-${log}.jsonl`), `${lines.join('\n')}\n`);
  }
  return scene;
}

/** When a page, in this machine's time, has what a function of it finds. */
const when = (page, find, arg) =>
  page
    .waitForFunction(
      ([source, value]) => new Function(`return ${source}`)()(value) && Date.now(),
      [String(find), arg],
      {
        polling: 'raf',
      },
    )
    .then((handle) => handle.jsonValue());

/** Opens the address in a page; prints how long after the start of the extension there are rows. */
async function first(page, go, what) {
  let started;
  page.context().on('request', (request) => {
    if (decodeURIComponent(request.url()).includes('dist/browser/extension.js')) started ??= Date.now();
  });
  await go();
  const icon = page.locator('.activitybar [aria-label^="Signalbox"]').first();
  await icon.waitFor();
  const opened = page.locator('.sidebar .pane-header[aria-label^="Inbox"]').first();
  if (!(await opened.isVisible())) await icon.click();
  const seen = await when(page, (selector) => document.querySelector(selector) !== null, rows);
  console.log(`${what}: first rows ${seen - started} ms after the extension was asked for`);
}

/** The memory of the browser's largest page, in MB. */
function memory() {
  const sizes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer')) return 0;
        return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
      } catch {
        return 0; // It ended.
      }
    });
  return Math.round(Math.max(...sizes) / 1024);
}

async function measure(what, scene) {
  try {
    const editor = await scene.open({ vsix: packageWeb(scene.dir) });
    const url = editor.page.url();
    const context = await editor.page
      .context()
      .browser()
      .newContext({ viewport: { width: 1280, height: 800 } });
    await editor.page.close();
    const page = await context.newPage();
    await first(page, () => page.goto(url), `${what}, a new reader`);
    await page.waitForTimeout(5_000);
    for (let turn = 0; turn < 3; turn++) {
      await first(page, () => page.reload(), `${what}, again`);
      await page.waitForTimeout(5_000);
    }
    for (let turn = 0; turn < 5; turn++) {
      const said = `Late ${turn}`;
      const written = Date.now();
      append(scene.mail, record(now(), 'late', 'dev', `late-${turn}`, said));
      const seen = await when(
        page,
        (text) => document.querySelector('.sidebar').textContent.includes(text),
        said,
      );
      console.log(`${what}: a change ${seen - written} ms`);
      await page.waitForTimeout(1_000);
    }
    console.log(`${what}: ${memory()} MB`);
  } finally {
    await scene.close(false);
  }
}

await measure(
  'sample',
  (() => {
    const scene = demoScene();
    scene.workspace = scene.mail;
    return scene;
  })(),
);
await measure('20,000 messages', manyMessages(20_000));
