// Times whole processes of the signalbox binary on the generated store, and
// Python's json.loads over the same lines in the same run.
//
//   node .ci/bench.mjs path/to/signalbox folder-of-the-store [runs]
//
// The store is written if it is not there: 10 logs, 1,000,000 records of about
// 300 bytes, a tenth of them to "me". Each figure is the median of the runs,
// with the page cache warm.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [bin, store, runsText = '7'] = process.argv.slice(2);
const runs = Number(runsText);

if (!existsSync(store)) {
  const part = `${store}.part`;
  rmSync(part, { recursive: true, force: true });
  run(['bench-store', part]);
  renameSync(part, store);
}
const logs = readdirSync(store).filter((name) => name.endsWith('.jsonl'));
const bytes = logs.reduce((sum, name) => sum + statSync(join(store, name)).size, 0);
console.log(`store: ${logs.length} logs, ${(bytes / 1e6).toFixed(0)} MB`);

// Reading new mail moves the watermark, so it runs on a folder of its own; the
// logs are the same files where hard links are possible.
const scratch = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
try {
  const mine = join(scratch, 'mail');
  if (spawnSync('cp', ['-rl', store, mine]).status !== 0) cpSync(store, mine, { recursive: true });
  const env = { HOME: scratch, XDG_STATE_HOME: join(scratch, 'state') };
  const all = time(() => run(['--dir', mine, '--as', 'me', 'inbox', 'all'], env));
  const first = once(() => run(['--dir', mine, '--as', 'me', 'inbox'], env));
  const nothing = time(() => run(['--dir', mine, '--as', 'me', 'inbox'], env));
  row('inbox all, cold process', all, 500);
  console.log(`first inbox, everything new: ${first.toFixed(0)} ms (once)`);
  row('inbox, nothing new', nothing, 10);
  python(all);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function python(all) {
  const program = [
    'import json, sys, time',
    'lines = [l for name in sys.argv[1:] for l in open(name, "rb").read().split(b"\\n") if l]',
    'start = time.perf_counter()',
    'for line in lines: json.loads(line)',
    'print(len(lines), (time.perf_counter() - start) * 1000)',
  ].join('\n');
  const result = spawnSync('python3', ['-c', program, ...logs.map((name) => join(store, name))], {
    encoding: 'utf8',
  });
  if (result.error !== undefined || result.status !== 0) {
    console.log('json.loads: no python3 here, so there is no ratio');
    return;
  }
  const [lines, took] = result.stdout.trim().split(' ').map(Number);
  console.log(
    `json.loads over the same ${lines} lines: ${took.toFixed(0)} ms; inbox all is ${(took / all).toFixed(1)} times as fast`,
  );
}

function run(args, env = {}) {
  const result = spawnSync(bin, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (result.error !== undefined) throw result.error;
  if (result.status !== 0)
    throw new Error(`${bin} ${args.join(' ')}: exit ${result.status}\n${result.stderr}`);
}

function once(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** The median of some runs in milliseconds, after one that warms the cache. */
function time(work) {
  work();
  const took = Array.from({ length: runs }, () => once(work)).sort((a, b) => a - b);
  return took[Math.floor(took.length / 2)];
}

function row(name, took, limit) {
  console.log(`${name}: ${took.toFixed(1)} ms (at most ${limit})${took > limit ? '  OVER' : ''}`);
}
