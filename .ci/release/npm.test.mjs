// npm.js starts the program of its platform's package as if nothing stood between.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const prefix = mkdtempSync(join(tmpdir(), 'signalbox-npm-'));
after(() => rmSync(prefix, { recursive: true }));

/** Installs a shell script as the program, and returns how npm.js is started. */
function installed(name, script) {
  const modules = join(prefix, name, 'node_modules');
  const start = join(modules, 'signalbox/bin/signalbox.js');
  mkdirSync(join(modules, 'signalbox/bin'), { recursive: true });
  cpSync(join(dirname(fileURLToPath(import.meta.url)), 'npm.js'), start);
  if (script !== undefined) {
    const bin = join(modules, `@signalbox/cli-${process.platform}-${process.arch}/bin`);
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'signalbox'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, 'signalbox'), 0o755);
  }
  return (...args) => spawn(process.execPath, [start, ...args]);
}

test('arguments, streams and exit code', async () => {
  const child = installed('plain', 'printf "%s|" "$@"; cat; exit 3')('a b', '--c', '');
  child.stdin.end('in');
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  assert.deepEqual([said, code], ['a b|--c||in', 3]);
});

test('a signal reaches the program, which may end as it likes', async () => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    const child = installed(signal, `trap 'exit 7' ${signal.slice(3)}; echo ready; while :; do sleep 0.05; done`)();
    await once(child.stdout, 'data');
    child.kill(signal);
    assert.deepEqual(await once(child, 'exit'), [7, null], signal);
  }
});

test('a program that a signal ended looks so', async () => {
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    const child = installed(`by-${signal}`, `kill -${signal.slice(3)} $$`)();
    assert.deepEqual(await once(child, 'exit'), [null, signal]);
  }
});

test('a missing program is named', async () => {
  const child = installed('none')('inbox');
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  assert.equal(code, 1);
  assert.match(said, new RegExp(`^signalbox: the package @signalbox/cli-${process.platform}-${process.arch} is missing`));
});
