// Makes the pictures of the command line, docs/images/terminal-*.png: what the real
// program shows in a terminal, over the mail of `signalbox demo`.
//
//   make pictures
//
// The program runs in tmux, whose screen a page of Chromium shows. SIGNALBOX_BIN names
// the program and SIGNALBOX_CHROMIUM the browser.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const images = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs/images');
const program = resolve(process.env.SIGNALBOX_BIN ?? 'bin/signalbox');

/** The pictures: the width of the terminal, and what is typed in it. */
const pictures = [
  { name: 'terminal-start', columns: 120, commands: ['signalbox'] },
  {
    name: 'terminal-inbox',
    columns: 120,
    commands: ['signalbox inbox', 'signalbox reply 1 -m "Merge it. The test can follow."'],
  },
];

const home = mkdtempSync(join(tmpdir(), 'signalbox-terminal-'));
const bin = join(home, 'bin');
const socket = join(home, 'tmux');
const env = {
  PATH: `${bin}:${process.env.PATH}`,
  HOME: home,
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
  SIGNALBOX_AS: 'dev',
};

/** tmux runs tmux with a server of its own. */
function tmux(...args) {
  return execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { env, encoding: 'utf8' });
}

/* eslint-disable no-control-regex */
/** screen returns the lines of a terminal in which commands were typed, with colours. */
async function screen(picture) {
  const project = join(home, 'dev', '.message', 'project');
  tmux(
    ...['new-session', '-d', '-s', 'picture', '-x', String(picture.columns), '-y', '40', '-c', project],
    'sh',
  );
  try {
    let shown = await settled(() => true);
    for (const command of picture.commands) {
      const before = shown;
      tmux('send-keys', '-t', 'picture', '-l', command);
      tmux('send-keys', '-t', 'picture', 'Enter');
      shown = await settled(
        (now) => now.length > before.length + command.length && /[$#] *\n*$/.test(plain(now)),
      );
    }
    // The prompt that waits for the next command is left out. Root's is another one.
    return shown
      .trimEnd()
      .split('\n')
      .slice(0, -1)
      .map((line) => line.replace(/^((?:\x1b\[[0-9;]*m)*)# signalbox/, '$1$$ signalbox'));
  } finally {
    tmux('kill-server');
  }
}

/** settled returns the screen once it is as wanted and stays so. */
async function settled(wanted) {
  const end = Date.now() + 20_000;
  let last = '';
  for (; Date.now() < end; await sleep(200)) {
    const now = tmux('capture-pane', '-e', '-p', '-t', 'picture');
    if (now.trim() !== '' && now === last && wanted(now)) return now;
    last = now;
  }
  throw new Error(`pictures: the terminal does not come to rest:\n${last}`);
}

/** plain returns a screen without its colours. */
function plain(text) {
  return text.replace(/\x1b\[[0-9;]*m/g, '');
}

/** The colours of the terminal, taken from a dark theme of VS Code. */
const colours = { 31: '#f14c4c', 32: '#23d18b', 33: '#e5e510', 39: '' };

/** html returns the screen of a terminal as HTML. Colours go on over the ends of lines. */
function html(screen) {
  const style = { bold: false, dim: false, colour: '' };
  let out = '';
  for (const part of screen.split(/(\x1b\[[0-9;]*m)/)) {
    const codes = /^\x1b\[([0-9;]*)m$/.exec(part)?.[1];
    if (codes !== undefined) {
      for (const code of codes.split(';').map(Number)) set(style, code);
      continue;
    }
    const text = part.replaceAll(home, '~').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const css = `${style.bold ? 'font-weight:bold;' : ''}${style.dim ? 'opacity:.6;' : ''}${style.colour && `color:${style.colour}`}`;
    out += css === '' ? text : `<span style="${css}">${text}</span>`;
  }
  return out;
}
/* eslint-enable no-control-regex */

function set(style, code) {
  if (code === 0) Object.assign(style, { bold: false, dim: false, colour: '' });
  if (code === 1) style.bold = true;
  if (code === 2) style.dim = true;
  if (code === 22) style.bold = style.dim = false;
  if (code in colours) style.colour = colours[code];
}

const css = `body { margin: 0; background: #1e1e1e; display: inline-block; }
pre { margin: 0; padding: 16px 20px; color: #d4d4d4; font: 14px/1.4 "DejaVu Sans Mono", monospace; }`;

let browser;
try {
  mkdirSync(bin);
  symlinkSync(program, join(bin, 'signalbox'));
  const mail = join(home, 'dev', '.message');
  execFileSync(program, ['demo', mail], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  browser = await chromium.launch({
    executablePath: process.env.SIGNALBOX_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  const page = await browser.newPage();
  for (const picture of pictures) {
    const lines = await screen(picture);
    await page.setContent(`<style>${css}</style><body><pre>${html(lines.join('\n'))}</pre></body>`);
    await page.locator('body').screenshot({ path: join(images, `${picture.name}.png`) });
    console.log(`docs/images/${picture.name}.png\n${lines.map(plain).join('\n')}`);
  }
} finally {
  await browser?.close();
  rmSync(home, { recursive: true, force: true });
}
