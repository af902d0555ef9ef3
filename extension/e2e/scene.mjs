// What every test of the editor needs: a temporary folder, a workspace, the
// packaged extension and a server.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Editor } from './editor.mjs';
import { ensureHost } from './host.mjs';
import { until } from './wait.mjs';

const extension = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const fakeServer = join(extension, 'test/fakeServer.mjs');

/** Screenshots go here; the folder is not committed. */
export const shots = process.env.SIGNALBOX_SHOTS ?? join(extension, 'dist-test/shots');

/** The server under test, or undefined for the fake one. */
export const serverBin = findServer();

function findServer() {
  if (process.env.SIGNALBOX_E2E_FAKE === '1') return undefined;
  const bin = process.env.SIGNALBOX_BIN ?? join(extension, '../bin/signalbox');
  if (existsSync(bin)) return resolve(bin);
  throw new Error(`e2e: no server at ${bin}: build it, or set SIGNALBOX_BIN, or SIGNALBOX_E2E_FAKE=1`);
}

/** Packages the extension once, with the server under test in it. */
export function packageExtension(dir) {
  const out = join(dir, 'signalbox.vsix');
  const bin = serverBin === undefined ? [] : ['--bin', serverBin];
  execFileSync(process.execPath, [join(extension, 'scripts/package.mjs'), '--out', out, ...bin], {
    stdio: 'pipe',
  });
  return out;
}

/** Packages the extension for browsers, with the server that "make browser" built. */
export function packageWeb(dir) {
  const out = join(dir, 'web.vsix');
  const script = join(extension, 'scripts/package.mjs');
  execFileSync(process.execPath, [script, '--target', 'web', '--out', out], { stdio: 'pipe' });
  return out;
}

/** A scene: folders and an editor that is not started yet. It cleans up after itself. */
export class Scene {
  constructor() {
    this.dir = mkdtempSync(join(tmpdir(), 'signalbox-e2e-'));
    this.workspace = join(this.dir, 'project');
    this.mail = join(this.dir, 'mail');
    mkdirSync(this.workspace);
    mkdirSync(shots, { recursive: true });
  }

  /** Starts the editor with the extension, as the user bob. */
  async open({ vsix, settings = {}, server = serverBin === undefined ? this.fake('') : '', ...rest } = {}) {
    this.settings = {
      'signalbox.alias': 'bob',
      'signalbox.directories': [this.mail],
      'signalbox.mail.idForm': 'v1',
      ...(server === '' ? {} : { 'signalbox.server.path': server }),
      ...settings,
    };
    const host = await ensureHost(process.env.SIGNALBOX_E2E_HOST ?? 'newest');
    this.editor = new Editor(host, join(this.dir, 'editor'));
    mkdirSync(join(this.dir, 'editor'), { recursive: true });
    // A run of the tests installs the extension once for all of them.
    const installed = vsix === undefined ? process.env.SIGNALBOX_E2E_EXTENSIONS : undefined;
    let extensions = installed;
    for (const one of extensions === undefined ? [vsix ?? packageExtension(this.dir)].flat() : [])
      extensions = await this.editor.install(one);
    await this.editor.start({ extensions, workspace: this.workspace, settings: this.settings, ...rest });
    return this.editor;
  }

  /** Returns a server program that behaves, or misbehaves, as fakeServer.mjs describes. */
  fake(mode) {
    const file = join(this.dir, `fake-${mode || 'good'}`);
    writeFileSync(
      file,
      `#!/bin/sh\nSIGNALBOX_FAKE=${mode} exec "${process.execPath}" "${fakeServer}" "$@"\n`,
    );
    chmodSync(file, 0o755);
    return file;
  }

  /** Points the setting at another server, and waits until that one is started. */
  async use(path) {
    this.settings['signalbox.server.path'] = path;
    await this.editor.settings('dark', this.settings, () => this.log().includes(`server: starting ${path} `));
  }

  /** Writes a file of the workspace. */
  file(name, content) {
    writeFileSync(join(this.workspace, name), content);
  }

  /** A picture of the window. */
  async shot(name) {
    // Animations are shown in their final state.
    await this.editor.page.screenshot({ path: join(shots, `${name}.png`), animations: 'disabled' });
  }

  /** The extension's log so far, of all windows. */
  log() {
    const folder = join(this.dir, 'editor/data/logs');
    if (!existsSync(folder)) return '';
    return readdirSync(folder, { recursive: true })
      .filter((file) => file.endsWith('Signalbox.log'))
      .sort()
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('');
  }

  /** What the window shows, as text. A window that hangs says nothing within the time. */
  async #words() {
    const parts = [
      '.monaco-dialog-box',
      '.notifications-toasts',
      '.quick-input-widget',
      '.sidebar',
      '.statusbar',
    ];
    const read = this.editor.page.evaluate((selectors) => {
      const focus = document.activeElement;
      const shown = selectors.map(
        (one) => `${one}: ${document.querySelector(one)?.innerText ?? 'not there'}`,
      );
      return [...shown, `focus: ${focus?.tagName} ${focus?.className} ${focus?.ariaLabel ?? ''}`].join('\n');
    }, parts);
    const late = new Promise((done) => setTimeout(done, 10_000, 'nothing: it does not answer').unref());
    return String(await Promise.race([read, late]).catch((error) => error.message)).slice(0, 4_000);
  }

  async theme(name) {
    await this.editor.setTheme(name, this.settings);
  }

  async close(failed) {
    if (failed && this.editor?.page !== undefined) {
      // The words are what a log keeps, where nobody has the picture.
      console.error(`e2e: the window showed\n${await this.#words()}`);
      await this.shot('failed').catch(() => undefined);
    }
    await this.editor?.stop();
    if (failed) {
      console.error(`e2e: kept ${this.dir}; the end of its log:\n${this.log().slice(-4_000)}`);
      return;
    }
    // The server may still write what it keeps when it ends, into a folder that was emptied.
    await until('the end of writing', () => {
      rmSync(this.dir, { recursive: true, force: true });
      return true;
    });
  }
}

/**
 * Runs a test in a scene and cleans up, whatever happens. An editor takes as long to
 * start as most tests take: some share one, as parts with names of their own. A part
 * that fails ends the test.
 */
export function inScene(run) {
  return async (t) => {
    const scene = new Scene();
    const part = async (name, body) => {
      let fault;
      await t.test(name, async () => {
        await body().catch((error) => {
          fault = error;
          throw error;
        });
      });
      if (fault !== undefined) throw fault;
    };
    let failed = true;
    try {
      await run(scene, part);
      failed = false;
    } finally {
      await scene.close(failed);
    }
  };
}
