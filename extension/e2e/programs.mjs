// The real programs of agents, each driven by a Go test that plays its model.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { serverBin } from './scene.mjs';

const room = resolve(import.meta.dirname, '../../cmd/signalbox/internal/realagents');

function need(name) {
  const value = process.env[name];
  if (value === undefined) throw new Error(`e2e: ${name} is not set: run make test-e2e`);
  return value;
}

const agents = need('SIGNALBOX_AGENTS');

/** Sets the client up as its user and runs it. What it prints comes with its end. */
export function start(scene, client, test = 'TestEditorsAgent', more = {}) {
  const env = {
    ...process.env,
    SIGNALBOX_BIN: serverBin,
    SIGNALBOX_AGENTS: agents,
    SIGNALBOX_STORY_CLIENT: client,
    SIGNALBOX_STORY_HOME: join(scene.dir, 'editor/home'),
    SIGNALBOX_STORY_FOLDER: scene.workspace,
    ...more,
  };
  const args = ['test', '-tags', 'agents', '-count=1', '-v', '-timeout', '4m', '-run', `^${test}$`, '.'];
  const child = spawn('go', args, { cwd: room, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => printed.push(part));
  const ended = once(child, 'close').then(([code]) => ({ code, output: Buffer.concat(printed).toString() }));
  const stop = () => {
    if (child.exitCode !== null) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
    endServer(join(env.SIGNALBOX_STORY_HOME, '.codex'));
  };
  return { ended, stop };
}

/** Ends the server that Codex leaves behind, which runs from a folder of its own. */
function endServer(folder) {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readlinkSync(`/proc/${pid}/exe`).startsWith(folder)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It is somebody else's, or has just ended.
    }
  }
}

/** What a program's test tells of its steps: when each came to be what, in milliseconds. */
export class Steps {
  constructor(scene, client) {
    this.file = join(scene.dir, `${client}.steps`);
  }

  /** When a step came to be something, or undefined. */
  at(what, step) {
    if (!existsSync(this.file)) return undefined;
    const lines = readFileSync(this.file, 'utf8').split('\n');
    const line = lines.find((one) => one.endsWith(` ${what} ${step}`));
    return line === undefined ? undefined : Number(line.split(' ')[0]);
  }
}
