// One running VS Code: code-server on a free port of this machine, with a
// home, settings and extensions of its own, and one browser page on it.
// Everything it started is ended by process group, also when starting fails.

import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { chromium } from 'playwright-core';
import { ListView } from './listView.mjs';
import { act, timeoutMillis, until } from './wait.mjs';

const startMillis = 120_000;

/** The colour themes the screenshots are made in. */
export const themes = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  contrast: 'Default High Contrast',
  contrastLight: 'Default High Contrast Light',
};

export class Editor {
  #host;
  #dir;
  #server;
  #browser;
  #log;
  #extensions;
  port = 0;

  /** host: from ensureHost. dir: an empty folder for all the editor writes. */
  constructor(host, dir) {
    this.#host = host;
    this.#dir = dir;
  }

  /** Installs a VSIX, and returns the folder of extensions that it is in. */
  async install(vsix) {
    await this.#writeSettings({});
    this.#log = createWriteStream(join(this.#dir, 'install.log'));
    this.#extensions = join(this.#dir, 'extensions');
    const child = this.#spawn(['--install-extension', vsix], this.#environment({}));
    const code = await new Promise((done) => child.on('exit', done));
    this.#log.end();
    if (code !== 0) throw new Error(`e2e: installing ${vsix}: exit status ${code}`);
    return this.#extensions;
  }

  /** Starts the editor with the extensions of a folder and opens a workspace. */
  async start({ extensions, workspace, settings = {}, trust = true, theme = 'dark', env = {} }) {
    await this.#writeSettings({ ...settings, 'workbench.colorTheme': themes[theme] });
    this.#log = createWriteStream(join(this.#dir, 'code-server.log'));
    const environment = this.#environment(env);
    this.#extensions = extensions;
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
    context.setDefaultTimeout(timeoutMillis);
    this.page = await context.newPage();
    await this.page.goto(`http://127.0.0.1:${this.port}/?folder=${encodeURIComponent(workspace)}`, {
      timeout: startMillis,
    });
    await this.#up();
    return this;
  }

  /**
   * Reloads the window, as a user does after an update, once VS Code has
   * stored what the open tabs hold, which has this text in it: a browser does
   * not wait for what a page writes while it goes away.
   */
  async reload(text) {
    await until('the open tabs to be stored', () => this.page.evaluate(isStored, text));
    await this.page.reload();
    await this.#up();
  }

  async #up() {
    await this.page
      .locator('.activitybar [aria-label^="Signalbox"]')
      .first()
      .waitFor({ timeout: startMillis });
  }

  async stop() {
    await this.#browser?.close().catch(() => undefined);
    await endGroup(this.#server);
    this.#log?.end();
  }

  /** Runs a command by its title in the command palette. */
  async command(title) {
    await this.#pick('F1', `>${title}`, title);
  }

  /** Opens a file of the workspace by name, or by its path where a search does not look, as in hidden folders. */
  async openFile(file) {
    const name = basename(file);
    await this.#pick('Control+P', file, name);
    await this.page.locator(`.tab.active[data-resource-name="${name}"]`).first().waitFor();
  }

  /**
   * Opens a quick input, types, and accepts the row with this label once it
   * has the focus. Rows move while the list is filtered, so a click could hit
   * another one.
   */
  async #pick(key, text, label) {
    const { page } = this;
    const widget = this.#quickInput;
    const input = widget.locator('input').first();
    await act(
      `the quick input for ${label}`,
      async () => {
        if (!(await widget.isVisible())) await page.keyboard.press(key);
      },
      () => input.isVisible(),
    );
    // What comes to the front late takes the focus, and closes the list again.
    await this.choose(label, text, () => page.keyboard.press(key));
  }

  /** The quick input. One that is fading out is seen, but takes no keys: they would go elsewhere. */
  get #quickInput() {
    return this.page.locator('.quick-input-widget:not([inert])');
  }

  /** Accepts the row with this label in the quick input that is open, after typing a text into it. */
  async choose(label, text, open = async () => undefined) {
    const widget = this.#quickInput;
    const input = widget.locator('input').first();
    const focused = widget.locator('.monaco-list-row.focused .label-name').first();
    await until(`${label} in the list`, async () => {
      if (!(await input.isVisible())) {
        await open();
        return false;
      }
      // The list may put in its own first value late, over what was typed.
      if (text !== undefined && (await input.inputValue({ timeout: 2_000 })) !== text)
        await input.fill(text, { timeout: 2_000 });
      const found = (await focused.textContent({ timeout: 1_000 }))?.trim();
      if (found === label) return true;
      // Other matching commands may come first in the alphabet.
      await input.press('ArrowDown');
      return false;
    });
    // The chosen command may open an input of its own.
    const taken = async () =>
      !(await widget.isVisible()) ||
      (text !== undefined && (await input.inputValue({ timeout: 1_000 })) !== text) ||
      (await focused.textContent({ timeout: 1_000 }))?.trim() !== label;
    await act(
      `${label} to be taken`,
      async () => {
        if (!(await taken())) await input.press('Enter');
      },
      taken,
    );
  }

  /** Filters the inbox by these lines of the list of filters, and by no others. */
  async filterInbox(...labels) {
    const rows = this.page.locator('.quick-input-widget .monaco-list-row');
    const row = (label) => rows.filter({ has: this.page.getByText(label, { exact: true }) }).first();
    const ticked = () =>
      rows.evaluateAll((all) =>
        all
          .filter((one) => one.querySelector('[aria-checked="true"]') !== null)
          .map((one) => one.querySelector('.label-name').textContent.trim()),
      );
    const wrong = async () => {
      const now = await ticked();
      return [...labels, ...now].filter((label) => labels.includes(label) !== now.includes(label));
    };
    await act(
      `${labels.join(', ')} to be ticked`,
      async () => {
        // A view that takes the focus meanwhile closes the list.
        if (!(await rows.first().isVisible())) await this.command('Signalbox: Filter Inbox…');
        for (const label of await wrong()) await row(label).click({ timeout: 2_000 });
      },
      async () => (await rows.first().isVisible()) && (await wrong()).length === 0,
    );
    await act(
      'the filters to be taken',
      async () => {
        // Elsewhere Enter would open a row.
        if (await rows.first().isVisible()) await this.page.keyboard.press('Enter');
      },
      async () => !(await rows.first().isVisible()),
    );
  }

  /** The inbox, whose title changes with its filter. */
  get inbox() {
    const others = ['Needs You', 'Agents', 'Tasks'].map((name) => `[aria-label^="${name}"]`);
    return this.page.locator(`.sidebar .pane:not(:has(.pane-header:is(${others.join()})))`).first();
  }

  /** What needs the user. */
  get needs() {
    return new ListView(this.page, 'Needs You');
  }

  /** The agents and their worktrees. */
  get agents() {
    return new ListView(this.page, 'Agents');
  }

  /** A row of the inbox, by words of what a screen reader says of it: a thread's name is not seen. */
  row(title) {
    return this.inbox.locator(`.monaco-list-row[aria-label*=${JSON.stringify(title)}]`).first();
  }

  /** Scrolls the inbox by a key, as Home and End: only rows near those in sight are there. */
  async scrollInbox(key) {
    await this.inbox.locator('.monaco-list').first().focus();
    await this.page.keyboard.press(key);
  }

  /** Unfolds the worktree of a branch in the inbox. */
  async openGroup(title, label = `Worktree ${title}`) {
    const row = this.inbox.locator(`.monaco-list-row[aria-label^=${JSON.stringify(label)}]`).first();
    await act(
      `the group ${title} to be open`,
      async () => {
        if ((await row.getAttribute('aria-expanded')) !== 'true') await row.click();
      },
      async () => (await row.getAttribute('aria-expanded')) === 'true',
    );
  }

  /** The part of the side bar with this title. */
  pane(title) {
    return this.page.locator('.sidebar .pane', {
      has: this.page.locator('.pane-header', { hasText: title }),
    });
  }

  /** A row of "Tasks", whose list begins folded. */
  async taskRow(text) {
    const pane = this.pane('Tasks');
    await pane.locator('.pane-header').waitFor();
    const unfolded = async () => (await pane.locator('.pane-header[aria-expanded="true"]').count()) === 1;
    await act(
      'the tasks',
      async () => {
        if (!(await unfolded())) await pane.locator('.pane-header').click();
      },
      unfolded,
    );
    return pane.locator('.monaco-list-row', { hasText: text }).first();
  }

  /** Opens what a row about an escalation or task stands for; returns the frame that shows it. */
  async openAlarm(text, title) {
    return act(
      `the escalation or task ${title}`,
      () => this.needs.opener(text).click(),
      () => this.#frameOf(title, 'task'),
    );
  }

  /** Shows the inbox, whose icon may not answer yet. */
  async openInbox() {
    const { page } = this;
    const body = page.locator('.sidebar .pane-body');
    // The badge may cover the icon.
    const icon = page
      .locator('.activitybar .action-item', { has: page.locator('[aria-label^="Signalbox"]') })
      .first();
    await act(
      'the inbox',
      async () => {
        if ((await body.count()) === 0 || !(await page.locator('.sidebar', { hasText: 'Inbox' }).isVisible()))
          await icon.click();
      },
      () => page.locator('.sidebar', { hasText: 'Inbox' }).isVisible(),
    );
    // Away from the icon, or its tooltip opens.
    await page.mouse.move(900, 780);
  }

  /** Opens a thread from its row, by its title or name; returns the frame that shows it. */
  async openThread(title, row = this.row(title)) {
    return act(
      `the thread ${title}`,
      () => row.click(),
      () => this.#frameOf(title),
    );
  }

  /** The frame inside the visible thread view, once it shows the thread with this in its title or name. A check of `act` gives no time: it is repeated. */
  async threadFrame(title, millis) {
    return until(`a view of the thread ${title}`, () => this.#frameOf(title), millis);
  }

  /** The frame inside the visible view of a task or escalation, once it shows the one with this in its title. */
  async taskFrame(title, millis) {
    return until(`a view of the task ${title}`, () => this.#frameOf(title, 'task'), millis);
  }

  /** The frame of the doctor, once it has looked. */
  async doctorFrame() {
    return until('the doctor', async () => {
      const frame = await this.#frameOf('Signalbox Doctor', 'doctor');
      return frame !== undefined && (await frame.locator('tbody tr').count()) > 0 ? frame : undefined;
    });
  }

  async #frameOf(title, view = 'thread') {
    for (const frame of this.page.frames()) {
      const called = frame.locator(`main#${view} h1, main#${view} .facts > .slug`);
      if ((await called.count().catch(() => 0)) === 0 || !(await visible(frame))) continue;
      if ((await called.allTextContents()).some((text) => text.includes(title))) return frame;
    }
    return undefined;
  }

  /** The text of the number on the Signalbox icon; empty without one. */
  async badge() {
    const item = this.page.locator('.activitybar .action-item', {
      has: this.page.locator('[aria-label^="Signalbox"]'),
    });
    const badge = item.locator('.badge-content');
    return (await badge.count()) > 0 ? ((await badge.first().textContent()) ?? '') : '';
  }

  /** Changes the colour theme by rewriting the user's settings, and waits until all of the window has it. */
  async setTheme(theme, settings = {}) {
    const [workbench, webview] = {
      light: ['.monaco-workbench.vs', 'vscode-light'],
      dark: ['.monaco-workbench.vs-dark', 'vscode-dark'],
      contrast: ['.hc-black', 'vscode-high-contrast'],
      contrastLight: ['.hc-light', 'vscode-high-contrast-light'],
    }[theme];
    await this.settings(theme, settings, async () => {
      if ((await this.page.locator(workbench).count()) === 0) return false;
      for (const frame of this.page.frames()) {
        if ((await frame.locator('main').count()) === 0 || !(await visible(frame))) continue;
        if ((await frame.locator(`body.${webview}`).count()) === 0) return false;
      }
      return true;
    });
  }

  /**
   * Rewrites the user's settings until their effect is seen. VS Code watches
   * the files, but not from its first moment.
   */
  async settings(theme, settings, seen) {
    await act(
      'the changed settings',
      () => this.#writeSettings({ ...settings, 'workbench.colorTheme': themes[theme] }),
      seen,
    );
  }

  #environment(extra) {
    const kept = Object.entries(process.env).filter(
      // Nor what agents' programs set for what runs below them: it would not be a person's editor.
      ([key]) =>
        !/^(VSCODE_|npm_|AGENT_MESSAGE|SIGNALBOX_|CLAUDE|CODEX_|GEMINI_|COPILOT_|OPENCODE|CURSOR_|AI_AGENT)/.test(
          key,
        ),
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
      // A file that is written in place is empty for a moment: the editor would take
      // the defaults, and so another server, and its mail would stay in the list.
      const whole = join(this.#dir, `${folder}-settings.json`);
      await writeFile(whole, JSON.stringify(all, null, 2));
      await rename(whole, join(this.#dir, 'data', folder, 'settings.json'));
    }
    await mkdir(join(this.#dir, 'home/.run'), { recursive: true, mode: 0o700 });
    await writeFile(join(this.#dir, 'config.yaml'), 'auth: none\n');
  }

  #spawn(args, env) {
    const data = join(this.#dir, 'data');
    const common = [
      ...['--config', join(this.#dir, 'config.yaml'), '--user-data-dir', data],
      ...['--extensions-dir', this.#extensions],
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

  async #answering() {
    const deadline = Date.now() + startMillis;
    while (Date.now() < deadline) {
      try {
        // /healthz succeeds even if VS Code itself fails to load.
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

/** Whether the state VS Code keeps in the browser has a text in it. Runs in the page. */
async function isStored(text) {
  const settled = (request) =>
    new Promise((done, fail) => {
      request.onsuccess = () => done(request.result);
      request.onerror = () => fail(request.error);
    });
  for (const { name } of await window.indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db-')) continue;
    const database = await settled(window.indexedDB.open(name));
    try {
      for (const store of database.objectStoreNames) {
        const values = await settled(database.transaction(store).objectStore(store).getAll());
        if (JSON.stringify(values).includes(text)) return true;
      }
    } finally {
      database.close();
    }
  }
  return false;
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
