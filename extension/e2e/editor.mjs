// One running VS Code: code-server on a free port of this machine, with a
// home, settings and extensions of its own, and one browser page on it.
// Everything it started is ended by process group, also when starting fails.

import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const startMillis = 60_000;

/** The colour themes the screenshots are made in. */
export const themes = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  contrast: 'Default High Contrast',
};

export class Editor {
  #host;
  #dir;
  #server;
  #browser;
  #log;
  port = 0;

  /** host: from ensureHost. dir: an empty folder for all the editor writes. */
  constructor(host, dir) {
    this.#host = host;
    this.#dir = dir;
  }

  /** Installs a VSIX, starts the editor, opens a folder. */
  async start({ vsix, workspace, settings = {}, trust = true, theme = 'dark', env = {} }) {
    await this.#writeSettings({ ...settings, 'workbench.colorTheme': themes[theme] });
    this.#log = createWriteStream(join(this.#dir, 'code-server.log'));
    const environment = this.#environment(env);
    await this.#install(vsix, environment);
    this.port = await freePort();
    const trusted = trust ? ['--disable-workspace-trust'] : [];
    this.#server = this.#spawn(
      [
        ...[
          '--auth',
          'none',
          '--bind-addr',
          `127.0.0.1:${this.port}`,
          '--disable-telemetry',
          '--disable-update-check',
        ],
        ...['--disable-getting-started-override', '--disable-proxy', ...trusted],
        ...this.#host.options,
      ],
      environment,
    );
    await this.#answering();
    this.#browser = await chromium.launch({
      executablePath: process.env.SIGNALBOX_CHROMIUM ?? '/usr/bin/chromium',
      args: (
        '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking ' +
        '--disable-component-update --disable-sync --force-color-profile=srgb'
      ).split(' '),
    });
    const context = await this.#browser.newContext({
      viewport: { width: 1280, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    this.page = await context.newPage();
    await this.page.goto(`http://127.0.0.1:${this.port}/?folder=${encodeURIComponent(workspace)}`);
    await this.page
      .locator('.activitybar [aria-label^="Signalbox"]')
      .first()
      .waitFor({ timeout: startMillis });
    return this;
  }

  async stop() {
    await this.#browser?.close().catch(() => undefined);
    await endGroup(this.#server);
    this.#log?.end();
  }

  /** Runs a command by its title in the command palette. */
  async command(title) {
    const { page } = this;
    await page.keyboard.press('F1');
    const input = page.locator('.quick-input-widget input').first();
    await input.fill(`>${title}`);
    await page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click();
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  /** Opens a file of the workspace by name. */
  async openFile(name) {
    const { page } = this;
    await page.keyboard.press('Control+P');
    await page.locator('.quick-input-widget input').first().fill(name);
    await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await page.locator(`.tab.active[data-resource-name="${name}"]`).first().waitFor();
  }

  /** The frame inside the visible thread view. */
  async threadFrame() {
    const deadline = Date.now() + 20_000;
    while (Date.now() < deadline) {
      for (const frame of this.page.frames()) {
        const found = await frame
          .locator('main#thread')
          .count()
          .catch(() => 0);
        if (found > 0 && (await visible(frame))) return frame;
      }
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error('e2e: no thread view came up');
  }

  /** The text of the number on the Signalbox icon; empty without one. */
  async badge() {
    const item = this.page.locator('.activitybar .action-item', {
      has: this.page.locator('[aria-label^="Signalbox"]'),
    });
    const badge = item.locator('.badge-content');
    return (await badge.count()) > 0 ? ((await badge.first().textContent()) ?? '') : '';
  }

  /** Changes the colour theme by rewriting the user's settings, which VS Code watches. */
  async setTheme(theme, settings = {}) {
    await this.#writeSettings({ ...settings, 'workbench.colorTheme': themes[theme] });
    const body =
      theme === 'light'
        ? '.monaco-workbench.vs'
        : theme === 'dark'
          ? '.monaco-workbench.vs-dark'
          : '.hc-black';
    await this.page.locator(body).first().waitFor();
  }

  #environment(extra) {
    const kept = Object.entries(process.env).filter(
      ([key]) => !/^(VSCODE_|npm_|AGENT_MESSAGE|SIGNALBOX_)/.test(key),
    );
    const home = join(this.#dir, 'home');
    return {
      ...Object.fromEntries(kept),
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      XDG_DATA_HOME: join(home, '.local/share'),
      XDG_STATE_HOME: join(home, '.local/state'),
      XDG_CACHE_HOME: join(home, '.cache'),
      XDG_RUNTIME_DIR: join(home, '.run'),
      ...extra,
    };
  }

  async #writeSettings(settings) {
    const all = {
      'workbench.startupEditor': 'none',
      'workbench.secondarySideBar.defaultVisibility': 'hidden',
      'workbench.enableExperiments': false,
      'chat.disableAIFeatures': true,
      'extensions.autoUpdate': false,
      'extensions.ignoreRecommendations': true,
      'telemetry.telemetryLevel': 'off',
      'security.workspace.trust.startupPrompt': 'never',
      'security.workspace.trust.banner': 'never',
      'editor.hover.delay': 100,
      'editor.unicodeHighlight.ambiguousCharacters': false,
      'git.enabled': false,
      ...settings,
    };
    // The editor in the browser reads the one file, the server the other: settings of machine scope are there.
    for (const folder of ['User', 'Machine']) {
      await mkdir(join(this.#dir, 'data', folder), { recursive: true });
      await writeFile(join(this.#dir, 'data', folder, 'settings.json'), JSON.stringify(all, null, 2));
    }
    await mkdir(join(this.#dir, 'home/.run'), { recursive: true, mode: 0o700 });
    await writeFile(join(this.#dir, 'config.yaml'), 'auth: none\n');
  }

  #spawn(args, env) {
    const data = join(this.#dir, 'data');
    const common = [
      ...['--config', join(this.#dir, 'config.yaml'), '--user-data-dir', data],
      ...['--extensions-dir', join(data, 'extensions')],
    ];
    const child = spawn(this.#host.node, [this.#host.entry, ...common, ...args], {
      env,
      cwd: this.#dir,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.pipe(this.#log, { end: false });
    child.stderr.pipe(this.#log, { end: false });
    return child;
  }

  async #install(vsix, env) {
    const child = this.#spawn(['--install-extension', vsix], env);
    const code = await new Promise((done) => child.on('exit', done));
    if (code !== 0) throw new Error(`e2e: installing ${vsix}: exit status ${code}`);
  }

  async #answering() {
    const deadline = Date.now() + startMillis;
    while (Date.now() < deadline) {
      try {
        // /healthz is content also when VS Code itself fails to load.
        const answer = await fetch(`http://127.0.0.1:${this.port}/`, { signal: AbortSignal.timeout(5_000) });
        if (answer.ok && (await answer.text()).includes('vscode-workbench')) return;
      } catch {
        // Not listening yet.
      }
      if (this.#server.exitCode !== null) break;
      await new Promise((done) => setTimeout(done, 100));
    }
    await this.stop();
    throw new Error(`e2e: code-server did not come up; see ${join(this.#dir, 'code-server.log')}`);
  }
}

async function visible(frame) {
  const owner = await frame
    .parentFrame()
    ?.frameElement()
    .catch(() => null);
  return owner !== null && owner !== undefined && (await owner.isVisible());
}

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

async function endGroup(child) {
  if (child === undefined || child.exitCode !== null) return;
  const gone = new Promise((done) => child.on('exit', done));
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    try {
      process.kill(-child.pid, signal);
    } catch {
      return;
    }
    const late = new Promise((done) => setTimeout(done, 5_000, 'late').unref());
    if ((await Promise.race([gone, late])) !== 'late') break;
  }
}
