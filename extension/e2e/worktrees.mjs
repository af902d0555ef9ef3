// A project with worktrees in which agents keep threads: real git
// repositories, threads from the fixtures, and some made here.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';

const fixtures = resolve(dirname(fileURLToPath(import.meta.url)), '../../testdata/atsf');

/** Runs git with its own home, without the user's settings. */
export function git(home, cwd, ...args) {
  mkdirSync(home, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' };
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...identity, ...args], { cwd, env, encoding: 'utf8', stdio: 'pipe' });
}

/** A repository in a folder, with a linked worktree beside it for each branch. Returns their folders by branch. */
export function makeRepository(home, folder, branches) {
  git(home, folder, 'init', '--quiet');
  writeFileSync(join(folder, '.gitignore'), '.agent/\n');
  git(home, folder, 'add', '.');
  git(home, folder, 'commit', '--quiet', '-m', 'begin');
  const folders = { main: realpathSync(folder) };
  for (const branch of branches) folders[branch] = addWorktree(home, folders.main, branch);
  return folders;
}

/** Adds a worktree on a new branch beside a repository's main checkout. Returns its folder. */
export function addWorktree(home, main, branch) {
  const path = join(dirname(main), `shop-${branch.replaceAll('/', '-')}`);
  git(home, main, 'worktree', 'add', '--quiet', '-b', branch, path);
  return path;
}

/** Copies a fixture's project folder, whose dot files are spelled out. */
export function copyProject(name, to) {
  cpSync(join(fixtures, name), to, { recursive: true });
  renameSync(join(to, 'dot-agent'), join(to, '.agent'));
  const ignore = join(to, '.agent/dot-gitignore');
  if (existsSync(ignore)) renameSync(ignore, join(to, '.agent/.gitignore'));
}

/** Copies the threads of the fixture "foreign" beside those of a project. */
export function copyForeign(to) {
  const from = join(fixtures, 'foreign');
  const names = readdirSync(from, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of names)
    cpSync(join(from, name), join(to, '.agent/threads', name), { recursive: true });
}

/** Writes a thread as an agent does. Returns its folder. */
export function writeThread(project, id, { title, branch, messages, agent = 'Claude Code', ...more }) {
  const folder = join(project, '.agent/threads', id);
  mkdirSync(join(folder, 'assets'), { recursive: true });
  const times = messages.map(({ timestamp }) => timestamp).sort();
  const role = (name) => messages.filter((message) => message.role === name).length;
  const thread = {
    specVersion: '1.1',
    threadId: id,
    title,
    createdAt: times[0],
    updatedAt: times.at(-1),
    agent: { id: agent.toLowerCase().replaceAll(' ', '-'), name: agent, protocol: 'acp' },
    context: { workingDir: project, gitBranch: branch },
    stats: {
      messageCount: messages.length,
      userMessageCount: role('user'),
      agentMessageCount: role('agent'),
      toolCallCount: messages.flatMap(({ toolCalls = [] }) => toolCalls).length,
    },
    ...more,
  };
  writeFileSync(join(folder, 'thread.json'), `${JSON.stringify(thread, null, 2)}\n`);
  writeFileSync(join(folder, 'messages.jsonl'), messages.map(lineOf).join(''));
  return folder;
}

const lineOf = (message) => `${JSON.stringify(message)}\n`;

/** One message, so many minutes ago. */
export function say(id, role, minutes, content, more = {}) {
  const timestamp = new Date(Date.now() - minutes * 60_000).toISOString();
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return { id, role, timestamp, content: blocks, ...more };
}

/** Appends a message from another process, as an agent does. */
export function appendMessage(folder, message) {
  const script = 'require("fs").appendFileSync(process.argv[1], process.argv[2])';
  execFileSync(process.execPath, ['-e', script, join(folder, 'messages.jsonl'), lineOf(message)]);
}

/** Appends a line that is no message. */
export function appendLine(folder, line) {
  appendFileSync(join(folder, 'messages.jsonl'), `${line}\n`);
}

/** Puts an image into a thread's assets. Returns the block that refers to it. */
export function attach(folder, content, extension = 'png') {
  const assetRef = `sha256-${createHash('sha256').update(content).digest('hex').slice(0, 16)}.${extension}`;
  writeFileSync(join(folder, 'assets', assetRef), content);
  return { type: 'image', assetRef, mimeType: `image/${extension}` };
}

/** A PNG picture: a page with lines on it, as a screenshot of something could look. */
export function picture(width = 460, height = 180) {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows.set(colourAt(x, y, width, height), y * (1 + width * 3) + 1 + x * 3);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A form with two fields and a button, of which the second field is marked red. */
function colourAt(x, y, width, height) {
  const within = (left, top, right, bottom) => x >= left && x < right && y >= top && y < bottom;
  if (within(0, 0, width, 26)) return [54, 92, 148];
  if (within(30, 52, width - 30, 76))
    return within(32, 54, width - 32, 74) ? [255, 255, 255] : [150, 160, 172];
  if (within(30, 90, width - 30, 114))
    return within(32, 92, width - 32, 112) ? [255, 255, 255] : [196, 43, 43];
  if (within(30, 122, 250, 130)) return [196, 43, 43];
  if (within(width - 130, height - 42, width - 30, height - 16)) return [54, 92, 148];
  return [238, 241, 245];
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc(body), body.length + 4);
  return out;
}

function crc(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}
