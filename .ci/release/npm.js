#!/usr/bin/env node
// Runs the program of this platform's package: same arguments, streams, signals and exit code.
'use strict';
const { spawn } = require('node:child_process');
const { constants } = require('node:os');

const name = `@signalbox/cli-${process.platform}-${process.arch}`;

/** The path of the program. */
function program() {
  try {
    return require.resolve(`${name}/bin/signalbox${process.platform === 'win32' ? '.exe' : ''}`);
  } catch {
    console.error(`signalbox: the package ${name} is missing. Install signalbox again, with optional dependencies; if npm does not find that package, there is no build for this platform.`);
    process.exit(1);
  }
}

// Before the program starts, so that no signal ends this process alone. A terminal sends its
// interrupt to both; a second one would end the program at once.
let child;
process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));

child = spawn(program(), process.argv.slice(2), { stdio: 'inherit' });
child.on('error', (error) => {
  console.error(`signalbox: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // Where a signal that was ignored at the start cannot end this process, its code says the same.
  setTimeout(() => process.exit(128 + constants.signals[signal]), 100);
});
