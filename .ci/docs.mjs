// Checks what the documentation says against what is there.
//
//   node .ci/docs.mjs path/to/signalbox
//
// - "make x" in a block of commands names a target of the Makefile.
// - "signalbox sub … --flag" names a command, and flags that its help shows.
// - "npm run x" names a script of one of the package.json.
// - A block marked ```sh run is run, in an empty folder, with a home of its own
//   and the binary on PATH; it must succeed.
// - A relative link leads to a file, and its #fragment to a heading.
// - The extension and the binary have the same version.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, delimiter, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const bin = resolve(process.argv[2] ?? join(root, 'bin/signalbox'));
const faults = [];
const counts = { files: 0, commands: 0, blocks: 0, links: 0 };

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md', 'llms.txt'], { cwd: root })
  .toString()
  .split('\n')
  .filter((name) => name !== '' && !name.includes('testdata/') && existsSync(join(root, name)));
const targets = new Set(
  [...readFileSync(join(root, 'Makefile'), 'utf8').matchAll(/^([a-z][a-z0-9-]*):/gm)].map((m) => m[1]),
);
const scripts = new Set(
  ['package.json', 'extension/package.json', 'wasm/js/package.json'].flatMap((name) => Object.keys(json(name).scripts ?? {})),
);

for (const file of files) {
  counts.files++;
  const text = readFileSync(join(root, file), 'utf8');
  const { prose, blocks } = split(text);
  for (const block of blocks) checkBlock(file, block);
  for (const [line, target] of links(prose)) checkLink(file, line, target);
}
checkVersion();

for (const fault of faults) console.error(fault);
console.log(
  `documentation: ${counts.files} files, ${counts.commands} commands, ${counts.blocks} blocks run, ${counts.links} links`,
);
process.exitCode = faults.length === 0 ? 0 : 1;

function json(name) {
  return JSON.parse(readFileSync(join(root, name), 'utf8'));
}

/** Separates fenced blocks from prose; prose keeps its line numbers. */
function split(text) {
  const prose = [];
  const blocks = [];
  let open;
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^\s*(```+|~~~+)\s*(.*)$/.exec(line);
    if (open === undefined && fence !== null) {
      open = { mark: fence[1], info: fence[2].trim(), line: index + 2, lines: [] };
    } else if (open !== undefined && fence !== null && fence[2] === '' && fence[1].startsWith(open.mark)) {
      blocks.push(open);
      open = undefined;
    } else if (open !== undefined) {
      open.lines.push(line);
    }
    prose.push(open === undefined && fence === null ? line : '');
  }
  return { prose: prose.join('\n'), blocks };
}

function checkBlock(file, block) {
  const [language, mark] = block.info.split(/\s+/);
  if (!['sh', 'bash', 'shell', 'console'].includes(language)) return;
  for (const [index, raw] of block.lines.entries()) {
    if (language === 'console' && !raw.startsWith('$ ')) continue;
    const where = `${file}:${block.line + index}`;
    for (const words of commands(raw.replace(/^\$ /, ''))) checkCommand(where, words);
  }
  if (mark === 'run') runBlock(file, block);
}

/** The simple commands of a line as words; quotes are respected, no more. */
function commands(line) {
  const words = [[]];
  for (const [token] of line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"|;&()])+|[|;&()]+|\s#.*$/g)) {
    if (/^[|;&()]+$/.test(token)) words.push([]);
    else if (/^\s*#/.test(token)) break;
    else words.at(-1).push(token.replace(/^(['"])(.*)\1$/, '$2'));
  }
  return words
    .map((command) =>
      command.slice(
        Math.max(
          0,
          command.findIndex((word) => !/^[A-Z_]+=/.test(word)),
        ),
      ),
    )
    .filter((command) => command.length > 0);
}

function checkCommand(where, [name, ...args]) {
  if (name === 'make') {
    counts.commands++;
    for (const word of args.filter((word) => /^[a-z]/.test(word) && !targets.has(word))) {
      faults.push(`${where}: make ${word}: no such target`);
    }
  } else if (name === 'npm' && args[0] === 'run') {
    counts.commands++;
    if (!scripts.has(args[1])) faults.push(`${where}: npm run ${args[1]}: no such script`);
  } else if (/^(\.?\/?bin\/)?signalbox$/.test(name)) {
    counts.commands++;
    checkSignalbox(where, args);
  }
}

/** Follows the words that are subcommands, and looks for each flag in the help. */
function checkSignalbox(where, args) {
  const path = [];
  const shown = () => ['signalbox', ...path].join(' ');
  let help = helpOf(path);
  let ended = false;
  for (let i = 0; i < args.length; i++) {
    const flag = /^--?[a-z][a-z-]*/.exec(args[i])?.[0];
    if (args[i] === '--') break;
    if (flag !== undefined) {
      // "--dir directory  what it does": a name after one space is a value's.
      const line = new RegExp(`^ +(?:-., )?${flag}(?=[,\\s[]|$)(?:, --[a-z-]+)?(.*)$`, 'm').exec(help);
      if (line === null) faults.push(`${where}: ${shown()}: no flag ${flag}`);
      else if (/^ [^ ]/.test(line[1]) && !args[i].includes('=')) i++;
    } else if (!ended && /^[a-z]/.test(args[i]) && hasCommand(help, args[i])) {
      path.push(args[i]);
      help = helpOf(path);
    } else {
      if (path.length === 0) faults.push(`${where}: signalbox ${args[i]}: no such command`);
      ended = true;
    }
  }
}

function hasCommand(help, word) {
  const listed = /(?:Commands|Help topics):\n([^]*?)(?:\n\n|\n$)/g;
  return [...help.matchAll(listed)].some((part) =>
    new RegExp(`^  (?:signalbox )?${word}\\s`, 'm').test(part[1]),
  );
}

function helpOf(path) {
  return spawnSync(bin, [...path, '--help'], { encoding: 'utf8' }).stdout ?? '';
}

function runBlock(file, block) {
  counts.blocks++;
  const home = mkdtempSync(join(tmpdir(), 'signalbox-docs-'));
  const cwd = join(home, 'project');
  try {
    mkdirSync(cwd);
    const env = { HOME: home, LANG: 'C.UTF-8', PATH: `${dirname(bin)}${delimiter}${process.env.PATH}` };
    const run = spawnSync('bash', ['-euo', 'pipefail', '-c', block.lines.join('\n')], {
      cwd,
      env,
      encoding: 'utf8',
      timeout: 60_000,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (run.status !== 0) {
      faults.push(
        `${file}:${block.line}: the block ended with ${run.status ?? run.signal}:\n${run.stdout}${run.stderr}`,
      );
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** [line number, target] of each inline link, image or reference, code spans left out. */
function links(prose) {
  const found = [];
  for (const [index, raw] of prose.split('\n').entries()) {
    const line = raw.replace(/`[^`]*`/g, '');
    for (const match of line.matchAll(/\]\(\s*<?([^)\s>]+)/g)) found.push([index + 1, match[1]]);
    for (const match of line.matchAll(/^\s*\[[^\]]+\]:\s+<?([^\s>]+)/g)) found.push([index + 1, match[1]]);
    for (const match of line.matchAll(/\b(?:src|href)="([^"]+)"/g)) found.push([index + 1, match[1]]);
  }
  return found;
}

function checkLink(file, line, target) {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return;
  counts.links++;
  const [path, fragment] = target.split('#');
  const full = path === '' ? join(root, file) : resolve(root, dirname(file), decodeURIComponent(path));
  if (relative(root, full).startsWith('..') || !existsSync(full)) {
    faults.push(`${file}:${line}: ${target}: no such file`);
  } else if (fragment !== undefined && full.endsWith('.md') && !anchors(full).has(fragment)) {
    faults.push(`${file}:${line}: ${target}: no such heading`);
  }
}

/** The fragments of a Markdown file's headings, as code hosts make them. */
function anchors(full) {
  const names = new Set();
  for (const [, heading] of split(readFileSync(full, 'utf8')).prose.matchAll(/^#{1,6}\s+(.*?)\s*#*$/gm)) {
    const plain = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    let name = plain;
    for (let n = 1; names.has(name); n++) name = `${plain}-${n}`;
    names.add(name);
  }
  return names;
}

function checkVersion() {
  const said = spawnSync(bin, ['version'], { encoding: 'utf8' }).stdout ?? '';
  const wanted = json('extension/package.json').version;
  if (!said.split(/\s+/).includes(wanted)) {
    faults.push(`signalbox version says ${JSON.stringify(said.trim())}, extension/package.json ${wanted}`);
  }
}
